/// A small file that is read as a whole.
public enum TextFile {
    /// The longest that is read; room for several hundred thousand regions.
    private static let limit = 64 << 20

    /// The text of a file; bytes that are no UTF-8 are replaced.
    public static func read(_ path: String) throws(InputError) -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            let descriptor = try FileDescriptor(reading: path)
            if descriptor.isDirectory { throw .isDirectory }
            bytes = try descriptor.readAll(limit: limit)
        } catch {
            throw .cannotOpen(path, error)
        }
        guard bytes.count <= limit else { throw .unrecognised(path, "a file of more than \(limit) bytes") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
