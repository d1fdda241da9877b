private import CLinux

/// Asks the kernel whether somebody keeps its clock right (adjtimex(2)).
enum ClockProbe {
    /// `nil` where it does not say.
    static var isSynchronised: Bool? {
        let answer = linux_clock_is_synchronised()
        return answer < 0 ? nil : answer > 0
    }
}
