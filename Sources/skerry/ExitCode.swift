/// Exit codes, after `sysexits.h`.
enum ExitCode: Int32, Error {
    case success = 0
    case usage = 64
    case unusableData = 65
    case noInput = 66
    case noAdapter = 69
    case outputFailed = 74
    case noPermission = 77
}
