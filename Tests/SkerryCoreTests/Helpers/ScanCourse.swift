@testable import SkerryCore

/// A scanner that is told what happens, in words, and what it says to that.
final class ScanCourse {
    /// A legacy advertising report.
    static let report = "3e0d0201000101000000000cc000c5"
    /// Why a scan has ended that another program interfered with.
    static let interrupted = "another program switched the scan off, or its own on"

    private var scanner: HCIScanner
    /// Seconds.
    var now = 0.0
    /// Opcodes of the commands that are answered without being asked in a test, and with which status.
    var statuses: [UInt16: UInt8] = [:]
    /// LE_Features of the controller; those of a phone with extended advertising and LE Coded.
    var features = "ff79010800000000"
    /// Commands that are never answered.
    var isDead = false

    init(
        isExclusive: Bool = false, isActive: Bool = false, phys: HCIScanner.PHYs = .oneM, mayPowerCycle: Bool = false
    ) {
        var settings = HCIScanner.Settings()
        settings.isExclusive = isExclusive
        settings.isActive = isActive
        settings.phys = phys
        settings.mayPowerCycle = mayPowerCycle
        scanner = HCIScanner(settings)
    }

    private var moment: Int64 { Int64((now * 1e6).rounded()) }

    /// Seconds; `nil` where it waits for nothing.
    var deadline: Double? { scanner.deadline.map { Double($0) / 1e6 } }
    var counts: ScannerStatistics { scanner.counts }

    /// What is to be done: bytes of commands, and other things by name.
    func actions() -> [String] {
        scanner.takeActions().map { action in
            switch action {
            case .send(let command): command.hex
            case .powerCycle: "power cycle"
            case .reopen: "reopen"
            }
        }
    }

    func news() -> [String] { scanner.takeNews().map { "\($0.state): \($0.detail)" } }

    func open() -> [String] {
        scanner.opened(at: moment)
        return actions()
    }

    func fail(_ failure: HCIScanner.Failure) -> [String] {
        scanner.failed(failure, at: moment)
        return actions()
    }

    /// The command on the way out.
    func stop() -> String? { scanner.stopping()?.hex }

    func hear(_ event: String) -> [String] {
        scanner.received(event: [UInt8](hex: event).rawSpan, at: moment)
        return actions()
    }

    func pass(until moment: Double) -> [String] {
        now = moment
        scanner.advance(to: self.moment)
        return actions()
    }

    /// Answers what is sent, as the controller would, and opens what is to be opened; tells what else is to be done and which
    /// opcodes were sent.
    func obey(_ actions: [String]) -> [String] {
        var waiting = actions
        var done: [String] = []
        while !waiting.isEmpty {
            let action = waiting.removeFirst()
            guard action.count >= 6, let opcode = UInt16(action.prefix(4), radix: 16)?.byteSwapped else {
                done.append(action)
                waiting += open()
                continue
            }
            done.append(String(opcode, radix: 16))
            if isDead { continue }
            let status = statuses[opcode, default: 0]
            let returned = [status] + (opcode == 0x2003 && status == 0 ? [UInt8](hex: features) : [])
            waiting += hear(([0x0E, UInt8(3 + returned.count), 1] + .le(opcode) + returned).hex)
        }
        return done
    }

    /// Opened, and all commands obeyed.
    func setUp() -> [String] { obey(open()) }

    /// Lets all that falls due happen, the controller answering, and tells when what was done.
    func run(until end: Double) -> [String] {
        var done: [String] = []
        while let due = deadline, due <= end {
            let actions = pass(until: due)
            guard !actions.isEmpty else { continue }
            done.append("\(Int(due)): " + obey(actions).joined(separator: " "))
        }
        now = end
        return done
    }
}
