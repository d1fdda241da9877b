extension HCIScanner {
    /// How a controller shall scan.
    public struct Settings: Equatable, Sendable {
        /// Whether it belongs to this program alone, which must then reset it and set its event masks: the user channel
        /// and H4. Otherwise the kernel has set it up, and other programs may command it too.
        public var isExclusive = false
        /// Whether it asks for scan responses.
        public var isActive = false
        /// What it shall listen on; Coded only where it can.
        public var phys: PHYs = .oneM
        /// Whether the adapter may be switched off and on when it has died.
        public var mayPowerCycle = false

        /// A passive scan on the LE 1M PHY, beside the kernel.
        public init() {}

        /// What came of these settings, for people.
        func description(of setup: HCIScanSetup) -> String {
            let phys = setup.phys
            let kind = "\(isActive ? "active" : "passive") \(setup.isExtended ? "extended" : "legacy") scan"
            let coded = phys.contains(.oneM) ? "LE 1M and LE Coded" : "LE Coded"
            if phys.contains(.coded) { return "\(kind) on \(coded)" }
            return "\(kind) on LE 1M\(self.phys.contains(.coded) ? "; it can't be had on LE Coded here" : "")"
        }
    }

    /// PHYs that advertising can begin on, as LE Set Extended Scan Parameters has them (7.8.64).
    public struct PHYs: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// Any bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// LE 1M, on which nearly all beacons send.
        public static var oneM: PHYs { PHYs(rawValue: 1) }
        /// LE Coded, for long range.
        public static var coded: PHYs { PHYs(rawValue: 4) }
    }

    /// What can go wrong outside, as the one who holds the descriptor sees it.
    public enum Failure: Equatable, Sendable {
        /// The adapter is switched off (`ENETDOWN`).
        case poweredOff
        /// A switch or a program forbids it to send (`ERFKILL`).
        case blocked
        /// It was pulled out (`EPIPE`, `ENODEV`).
        case unplugged
        /// This program may not (`EPERM`, `EACCES`).
        case notPermitted
        /// Anything else, for people.
        case other(String)

        /// The state it puts the scanner in, and what to do about it.
        var news: News {
            switch self {
            case .poweredOff:
                News(state: .poweredOff, detail: "the adapter is off; 'bluetoothctl power on' switches it on")
            case .blocked: News(state: .poweredOff, detail: "blocked; 'rfkill unblock bluetooth' allows it")
            case .unplugged: News(state: .failed, detail: "the adapter is gone; plug it in again")
            case .notPermitted:
                News(state: .unauthorized, detail: "scanning needs CAP_NET_RAW, an exclusive scan CAP_NET_ADMIN")
            case .other(let reason): News(state: .failed, detail: reason)
            }
        }
    }

    /// What the user should know.
    public struct News: Equatable, Sendable {
        /// What the scanner does.
        public let state: ScannerState
        /// How or why, and what to do.
        public let detail: String
    }
}
