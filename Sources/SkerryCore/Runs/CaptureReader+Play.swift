extension CaptureReader {
    /// Plays the records of a range of a buffer, as far as `walk` goes.
    mutating func play(
        _ buffer: [UInt8], _ range: Range<Int>, _ walk: inout RecordWalk, to receiver: inout Receiver,
        _ statistics: inout Statistics, _ engine: inout Engine
    ) {
        let bytes = buffer.rawSpan.extracting(range)
        // The format is known to each loop; asking for every record costs more than reading one.
        switch container {
        case .unrecognised: break
        case .btsnoop(var reader): walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
        case .pcap(var reader): walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
        case .packetLogger(var reader): walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
        case .hcidump(var reader): walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
        case .pcapng(var reader):
            walk.play(&reader, bytes, to: &receiver, &statistics, &engine)
            container = .pcapng(reader)
        }
    }
}
