// Members of events of live runs only.
extension JSONLine {
    /// What `statistics` counts of live sources.
    mutating func members(of scanners: ScannerStatistics) {
        member("lost", Int64(clamping: scanners.lost))
        if scanners.skippedBytes > 0 { member("skippedBytes", Int64(clamping: scanners.skippedBytes)) }
        member("scanRestarts", Int64(clamping: scanners.scanRestarts))
        member("commandsRefused", Int64(clamping: scanners.commandsRefused))
        member("commandTimeouts", Int64(clamping: scanners.commandTimeouts))
        member("controllerResets", Int64(clamping: scanners.controllerResets))
        member("reopened", Int64(clamping: scanners.reopened))
    }

    /// What `statistics` counts of a recording.
    mutating func members(of recording: RecordingStatistics) {
        member("recorded", Int64(clamping: recording.records))
        member("recordingDropped", Int64(clamping: recording.dropped))
    }
}
