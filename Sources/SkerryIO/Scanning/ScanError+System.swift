extension ScanError {
    /// Why the kernel's Bluetooth can't be used.
    init(_ error: SystemError) {
        if error.isPermission {
            self = .notPermitted(
                "scanning needs CAP_NET_RAW: run it as root, 'setcap cap_net_raw+ep' the program, or --backend bluez")
        } else if error.isUnsupported {
            self = .noAdapter("this kernel has no Bluetooth; 'modprobe bluetooth' loads it where it is a module")
        } else {
            self = .unavailable(error.message)
        }
    }

    /// There are these adapters, but none of those that are wanted.
    static func noAdapter(among names: [String], wanted: AdapterChoice) -> ScanError {
        if names.isEmpty { return .noAdapter("there is no Bluetooth adapter; 'rfkill list' and 'dmesg' may tell why") }
        let others = names.joined(separator: ", ")
        return switch wanted {
        case .all: .noAdapter("no adapter can do Bluetooth LE; there is \(others)")
        case .name(let name): .noAdapter("there is no adapter \(name); there is \(others)")
        case .address: .noAdapter("there is no adapter with that address; there is \(others)")
        }
    }
}
