/// A file that is no log of a receiver.
public struct UnrecognisedGPSLog: Error, Sendable {
    /// What was found instead, for people.
    public let found: String

    /// Names what the bytes are, where they have a mark that no receiver sends.
    init?(bytes head: RawSpan) {
        let bytes = [UInt8](head)
        var capture = CaptureReader()
        if bytes.isEmpty {
            found = "an empty file"
        } else if (try? capture.recognise(bytes, 0..<bytes.count, isWhole: false)) != nil, let kind = capture.kind {
            found = "a capture of Bluetooth traffic (\(kind))"
        } else if let known = UnrecognisedCapture.marked(head) {
            found = known
        } else {
            return nil
        }
    }
}
