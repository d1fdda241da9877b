/// The commands that begin a scan, one at a time, and the other ways there are where a controller refuses one.
///
///     [Reset → event mask] → features → [LE event mask] → scan off → parameters → scan on
///
/// Those in brackets are for a controller of one's own. The scan is switched off first, whatever that is answered: one
/// that a killed program left on would let parameters be refused. Opcodes and sections are those of the Core
/// specification, volume 4, part E.
struct HCIScanSetup {
    /// What an answer comes to.
    enum Outcome: Equatable {
        /// Nothing.
        case none
        /// The next command is due.
        case goesOn
        /// The scan is on.
        case scanning
        /// It can't be switched on; the reason, for people.
        case refused(String)
        /// The controller has no LE.
        case unsupported
        /// Another program's command was carried out.
        case strange(opcode: UInt16)
    }

    private enum Step { case reset, eventMask, features, leEventMask, disable, parameters, enable }

    private let settings: HCIScanner.Settings
    /// Commands that were refused, apart from those that end a scan.
    private(set) var refusals: UInt64 = 0
    /// Whether the scan is made with the extended commands.
    private(set) var isExtended = false
    private var hasCoded = false
    private var hasOtherCommands = true

    private var step: Step?
    /// The command of this step waits for the controller's leave (4.4, Num_HCI_Command_Packets).
    private var isHeldBack = false
    private var mayCommand = true
    /// A command that was given up; its answer may still come.
    private var abandoned: UInt16?
    /// Whether a scan that was begun here may be on.
    private(set) var mayBeOn = false
    /// Whether another program may have switched a scan on since ours was switched off.
    private var isDisturbed = false

    init(_ settings: HCIScanner.Settings) { self.settings = settings }

    /// The PHYs to scan on.
    var phys: HCIScanner.PHYs {
        let phys = hasCoded && isExtended ? settings.phys : settings.phys.subtracting(.coded)
        return phys.isEmpty ? .oneM : phys
    }

    /// The command whose turn it is.
    var command: HCICommand? { step.map(command) }

    /// The command that ends the scan.
    var end: HCICommand { command(.disable) }

    /// Begins with the first command.
    mutating func begin() {
        hasOtherCommands = true
        mayCommand = true
        go(to: settings.isExclusive ? .reset : .features)
    }

    /// Switches a scan off and on.
    mutating func renew() { go(to: .disable) }

    /// Gives up; what is answered from now on is not for this scan.
    mutating func abandon() {
        if let command, !isHeldBack { abandoned = command.opcode }
        step = nil
    }

    /// Somebody else has ended the scan.
    mutating func lose() { mayBeOn = false }

    /// The command to send now, once.
    mutating func takeCommand() -> HCICommand? {
        guard isHeldBack, mayCommand, let command else { return nil }
        isHeldBack = false
        if step == .enable { mayBeOn = true }
        // Elsewhere the kernel holds commands back.
        mayCommand = !settings.isExclusive
        return command
    }

    /// A Command Complete (7.7.14), at least up to the opcode. One of opcode 0 only says how many commands may follow.
    mutating func completed(_ event: RawSpan) -> Outcome {
        grant(event.byte(2))
        guard event.byteCount >= 6 else { return .none }
        let opcode = event.le16(3)
        if isAwaited(opcode), step == .features, event.byteCount >= 8 {
            // LE_Features: bit 11, LE Coded PHY; bit 12, LE Extended Advertising (volume 6, part B, 4.6).
            hasCoded = event.byte(7) & 0x08 != 0
            isExtended = event.byte(7) & 0x10 != 0
        }
        return answered(opcode, status: event.byte(5))
    }

    /// A Command Status (7.7.15), complete. Without an error the answer is still to come.
    mutating func status(_ event: RawSpan) -> Outcome {
        grant(event.byte(3))
        return event.byte(2) == 0 ? .none : answered(event.le16(4), status: event.byte(2))
    }

    private mutating func grant(_ packets: UInt8) { mayCommand = packets > 0 || !settings.isExclusive }

    private func isAwaited(_ opcode: UInt16) -> Bool { !isHeldBack && command?.opcode == opcode }

    private mutating func answered(_ opcode: UInt16, status: UInt8) -> Outcome {
        guard let step, isAwaited(opcode) else {
            guard abandoned != opcode else {
                abandoned = nil
                return .none
            }
            guard status == 0, opcode != 0 else { return .none }
            // Ours, where another program's answer was taken for it; or one that ends a scan, which does no harm yet. One
            // that begins a scan shows by what is refused.
            guard step == nil || !HCIOpcode.enablesScan(opcode) else {
                isDisturbed = !settings.isExclusive
                return .none
            }
            return .strange(opcode: opcode)
        }
        guard status == 0 || step == .disable else { return refused(step, status: status) }
        switch step {
        case .reset: go(to: .eventMask)
        case .eventMask: go(to: .features)
        case .features: go(to: settings.isExclusive ? .leEventMask : .disable)
        case .leEventMask: go(to: .disable)
        case .disable:
            isDisturbed = false
            if status == 0 { mayBeOn = false }
            go(to: .parameters)
        case .parameters: go(to: .enable)
        case .enable:
            self.step = nil
            return .scanning
        }
        return .goesOn
    }

    private mutating func refused(_ step: Step, status: UInt8) -> Outcome {
        let isScan = step == .parameters || step == .enable
        if isScan, isDisturbed, status == 0x0C {
            self.step = nil
            return .strange(opcode: end.opcode)
        }
        refusals += 1
        if step == .features, status == 0x01 {
            self.step = nil
            return .unsupported
        } else if isScan, phys.contains(.coded), [0x11, 0x12, 0x20].contains(status) {
            // Unsupported feature, invalid parameters, unsupported parameter value (volume 1, part F, 1.3).
            hasCoded = false
            go(to: .parameters)
        } else if isScan, hasOtherCommands, [0x01, 0x0C].contains(status) {
            // Unknown command; disallowed: legacy and extended commands must not be mixed until a reset (3.1.1).
            hasOtherCommands = false
            isExtended.toggle()
            go(to: settings.isExclusive ? .leEventMask : .disable)
        } else {
            let code = (status < 16 ? "0x0" : "0x") + String(status, radix: 16, uppercase: true)
            let reason = "the controller refuses \(command(step).name) (status \(code))"
            self.step = nil
            return .refused(reason)
        }
        return .goesOn
    }

    private mutating func go(to step: Step) {
        self.step = step
        isHeldBack = true
    }

    private func command(_ step: Step) -> HCICommand {
        switch step {
        case .reset: .reset
        case .eventMask: .setEventMask
        case .features: .readLocalFeatures
        case .leEventMask: .setLEEventMask(isExtended: isExtended)
        case .disable: isExtended ? .setExtendedScanEnable(false) : .setScanEnable(false)
        case .parameters:
            isExtended
                ? .setExtendedScanParameters(isActive: settings.isActive, phys: phys)
                : .setScanParameters(isActive: settings.isActive)
        case .enable: isExtended ? .setExtendedScanEnable(true) : .setScanEnable(true)
        }
    }
}
