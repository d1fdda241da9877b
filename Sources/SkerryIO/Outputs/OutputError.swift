/// A file that can't be written, or must not be; found before anything of it is lost.
public struct OutputError: Error, Equatable, Sendable {
    /// Which one.
    public let path: String
    /// EBUSY where another program writes it; EISDIR and EINVAL where it is no regular file; EEXIST where it is there, and
    /// nothing that this program wrote.
    public let reason: SystemError

    /// For people, without the path.
    public var message: String {
        if reason.isBusy { return "another program writes it" }
        if reason.isUnfit { return "no regular file" }
        if reason.isForeign { return "skerry did not write this file; choose another name, or remove it" }
        return reason.message(of: path)
    }
}
