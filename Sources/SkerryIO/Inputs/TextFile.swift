internal import SkerryCore

/// A file that is read as a whole.
public enum TextFile {
    /// The text of a file; bytes that are no UTF-8 are replaced.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input where that is allowed.
    ///   - limit: The most bytes that are read; the default has room for several hundred thousand regions.
    public static func read(
        _ path: String, limit: Int = 64 << 20, allowsStandardInput: Bool = false
    ) throws(InputError) -> String {
        String(decoding: try bytes(of: path, limit: limit, allowsStandardInput: allowsStandardInput), as: UTF8.self)
    }

    /// The bytes of a file without its byte-order mark; the parameters are those of `read`.
    public static func bytes(
        of path: String, limit: Int = 64 << 20, allowsStandardInput: Bool = false
    ) throws(InputError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            let isStandardInput = allowsStandardInput && path == "-"
            let descriptor = isStandardInput ? FileDescriptor.standardInput : try FileDescriptor(reading: path)
            if descriptor.isDirectory { throw .isDirectory }
            bytes = try descriptor.readAll(limit: limit)
        } catch {
            throw .cannotOpen(path, error)
        }
        guard bytes.count <= limit else { throw .unrecognised(path, "a file of more than \(limit) bytes") }
        if let found = UnrecognisedCapture.name(of: bytes) { throw .unrecognised(path, "not text, but \(found)") }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    }
}
