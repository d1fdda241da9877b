public import SkerryCore

/// A log of a receiver, from a file or standard input: gpsd's JSON, or what a receiver sent, of which `gpsdecode`, a
/// program of the gpsd project, makes JSON.
public final class GPSLogInput: ReplayInput {
    /// As given on the command line.
    public let path: String
    private let descriptor: FileDescriptor
    private let beginning: UInt64
    private var decoder: ChildProcess?
    /// What makes JSON of what a receiver sent.
    var decoderProgram = "gpsdecode"

    /// What the log is; known once it is recognised.
    public private(set) var kind: GPSLogKind?
    /// Why the log could not be decoded to its end; known once `read` has told the end.
    public private(set) var fault: String?

    /// Opens a path; `-` is standard input.
    public init(path: String) throws(InputError) {
        self.path = path
        do throws(SystemError) {
            descriptor = path == "-" ? .standardInput : try FileDescriptor(reading: path)
        } catch {
            throw .cannotOpen(path, error)
        }
        if descriptor.isDirectory { throw .cannotOpen(path, .isDirectory) }
        beginning = descriptor.position
    }

    /// Bytes of the file; `nil` where what is read is no file, but a pipe or what gpsdecode makes of one.
    public var length: UInt64? { decoder == nil ? descriptor.length : nil }

    /// Whether the file has become shorter than what was read of it.
    public var hasShrunk: Bool { length.map { $0 < descriptor.position } ?? false }

    /// Reads until it is known what the log is, and starts gpsdecode where it is needed.
    ///
    /// - Parameters:
    ///   - name: What events shall call it.
    ///   - follows: Whether to wait for a file whose beginning is not written yet.
    public func recognise(name: String, follows: Bool = false) throws(InputError) -> GPSLog {
        var stream = GPSDStream()
        let kind = try recognise(&stream, follows: follows)
        self.kind = kind
        if kind == .receiver {
            let resemblance = stream.resemblance
            try startDecoder(for: resemblance)
            stream = GPSDStream()
            guard try recognise(&stream, follows: false) == .gpsd else {
                let found = resemblance.map { "\($0.found), and " } ?? ""
                throw .unrecognised(path, "no log of a receiver: \(found)gpsdecode makes nothing of it")
            }
        }
        return GPSLog(name: name, kind: kind, stream: stream)
    }

    /// Reads once; the end is also when the program shall end.
    public func read(_ room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        guard let decoder else { return try unsafe descriptor.readUnlessEnded(into: room) }
        let count = try unsafe decoder.output.readUnlessEnded(into: room)
        if count == 0 { fault = Self.fault(decoder.waitForEnding()) }
        return count
    }

    private func recognise(_ stream: inout GPSDStream, follows: Bool) throws(InputError) -> GPSLogKind {
        while true {
            do throws(SystemError) {
                try unsafe stream.supply { (room) throws(SystemError) in try unsafe read(room) }
            } catch {
                throw .cannotOpen(path, error)
            }
            do throws(UnrecognisedGPSLog) {
                if let kind = try stream.recognise() { return kind }
            } catch {
                if decoder != nil { return .receiver }
                guard follows, length == 0, !Signals.endRequested else {
                    throw .unrecognised(path, "not a log of a receiver, but \(error.found)")
                }
                Signals.sleep(microseconds: 100_000)
                stream.resume()
            }
        }
    }

    private func startDecoder(for resemblance: UnrecognisedGPSLog?) throws(InputError) {
        guard descriptor.seek(to: beginning) else {
            throw .unrecognised(
                path, "not gpsd's JSON; what a receiver sent must be a file, or go through gpsdecode -j")
        }
        do throws(SystemError) {
            decoder = try ChildProcess(decoderProgram, ["-j"], input: descriptor.number)
        } catch {
            if error.isMissing, let found = resemblance?.found {
                throw .unrecognised(path, "not a log of a receiver, but \(found)")
            }
            let reason = error.isMissing ? "it is part of Debian's gpsd-clients" : error.message
            throw .unrecognised(path, "what a receiver sent, for which gpsdecode is needed: \(reason)")
        }
    }

    private static func fault(_ ending: ChildProcess.Ending) -> String? {
        switch ending {
        case .exited(0): nil
        case .exited(let status): "gpsdecode ended with status \(status)"
        case .killed(let signal): "gpsdecode was ended by signal \(signal)"
        }
    }
}
