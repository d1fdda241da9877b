public import SkerryCore

/// A capture file, or standard input, that feeds a replay.
public final class CaptureInput: ReplayInput {
    /// As given on the command line.
    public let path: String
    private let descriptor: FileDescriptor

    /// Bytes of the file when it was opened; `nil` for a pipe.
    public let length: UInt64?

    /// Opens a path; `-` is standard input.
    public init(path: String) throws(InputError) {
        self.path = path
        do throws(SystemError) {
            descriptor = path == "-" ? .standardInput : try FileDescriptor(reading: path)
        } catch {
            throw .cannotOpen(path, error)
        }
        if descriptor.isDirectory { throw .cannotOpen(path, .isDirectory) }
        length = descriptor.length
    }

    /// Reads until it is known what the capture is.
    ///
    /// - Parameters:
    ///   - name: What events shall call it.
    ///   - follows: Whether to wait for a file whose beginning is not written yet.
    public func recognise(name: String, follows: Bool = false) throws(InputError) -> CaptureStream {
        var stream = CaptureStream(name: name)
        while true {
            do throws(SystemError) {
                try unsafe stream.supply { (room) throws(SystemError) in try unsafe read(room) }
            } catch {
                throw .cannotOpen(path, error)
            }
            do throws(UnrecognisedCapture) {
                if try stream.recognise() { return stream }
            } catch {
                if follows, length != nil, stream.isJustBeginning, !Signals.endRequested {
                    Signals.sleep(microseconds: 100_000)
                    stream.resume()
                    continue
                }
                throw .unrecognised(path, "not a capture that can be read, but \(error.found)")
            }
        }
    }

    /// Whether the file has become shorter than what was read of it.
    public var hasShrunk: Bool { descriptor.length.map { $0 < descriptor.position } ?? false }

    /// None: a capture tells itself whether it is whole.
    public var fault: String? { nil }

    /// Reads once; the end is also when the program shall end.
    public func read(_ room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try unsafe descriptor.readUnlessEnded(into: room)
    }
}

/// Why an input can't be used at all.
public enum InputError: Error, Sendable {
    /// It can't be opened or read.
    case cannotOpen(String, SystemError)
    /// It is no file of the kind wanted; with what is wrong.
    case unrecognised(String, String)
}
