/// Why the command line can't be followed; exit code 64.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}
