import SkerryCore
import SkerryIO

/// How the user wants to scan; `nil` is left open.
struct ScanOptions {
    /// Who hears.
    enum Backend: Equatable {
        /// The first that works here.
        case automatic
        /// The kernel's HCI sockets.
        case hci
        /// The kernel's monitor channel, which only listens.
        case monitor
        /// bluetoothd, over D-Bus.
        case bluez
        /// A controller at the end of a serial line or a TCP connection.
        case h4(H4Address)
    }

    var adapter: AdapterChoice?
    var backend: Backend?
    var isExclusive = false
    var isActive = false
    var usesCodedPHY = false
    var gpsd: GPSDAddress?
    var recording = Recording()

    /// Where what is heard is kept.
    struct Recording {
        /// `nil` for nowhere.
        var path: String?
        /// Bytes after which a new file begins.
        var fileLength: Int?
        /// Files before the newest one, where there is more than one.
        var keeps: Int?

        /// Opens the file, where one is wanted.
        func open() throws(OutputError) -> CaptureFile? {
            guard let path else { return nil }
            return try CaptureFile(path: path, keeps: fileLength == nil ? 0 : keeps ?? 9)
        }
    }

    /// Fills what the command line left open from a configuration file.
    mutating func complete(from file: ScanOptions) {
        gpsd = gpsd ?? file.gpsd
        switch backend {
        // A controller of one's own takes the place of the file's adapter too.
        case .h4: break
        case .monitor, .bluez:
            adapter = adapter ?? file.adapter
            // Others decide there how to scan, whatever the file wants of the kernel's sockets.
            return
        default: adapter = adapter ?? file.adapter
        }
        backend = backend ?? file.backend
        isActive = isActive || file.isActive
        usesCodedPHY = usesCodedPHY || file.usesCodedPHY
    }

    /// What would be ignored is an error.
    ///
    /// - Parameter places: Where keys of a configuration file stand, by name; others are options.
    func check(_ places: [String: String] = [:]) throws(UsageError) {
        func named(_ key: String, _ value: String = "") -> String {
            let text = value.isEmpty ? key : "\(key) \(value)"
            return places[key].map { "\(text) (\($0))" } ?? "--\(text)"
        }
        let ofHCI = [("exclusive", isExclusive), ("active", isActive), ("coded", usesCodedPHY)]
        switch backend ?? .automatic {
        case .automatic, .hci: break
        case .monitor, .bluez:
            guard let key = ofHCI.first(where: \.1)?.0 else { break }
            let name = backend == .monitor ? "monitor" : "bluez"
            throw UsageError("\(named(key)) is not for \(named("backend", name)); others scan there as they like")
        case .h4:
            if adapter != nil {
                throw UsageError(
                    "\(named("backend", "h4")) brings its own controller, and takes no \(named("adapter"))")
            }
            if isExclusive {
                throw UsageError("--exclusive is not for \(named("backend", "h4")); such a controller is nobody else's")
            }
        }
        if recording.keeps != nil, recording.fileLength == nil { throw UsageError("--keep needs --rotate") }
    }

    static func adapter(_ text: String) throws(UsageError) -> AdapterChoice {
        guard let choice = AdapterChoice(text) else {
            throw UsageError("'\(text)' is no name of an adapter (hci0 and the like), no address, and not 'all'")
        }
        return choice
    }

    static func gpsd(_ text: String) throws(UsageError) -> GPSDAddress {
        guard let address = GPSDAddress(text) else {
            throw UsageError("'\(text)' is not gpsd://HOST:PORT; skerry replay plays files")
        }
        return address
    }

    /// How controllers that are commanded by this program shall scan.
    var scannerSettings: HCIScanner.Settings {
        var settings = HCIScanner.Settings()
        settings.isExclusive = isExclusive
        settings.isActive = isActive
        if usesCodedPHY { settings.phys.insert(.coded) }
        return settings
    }

    static func backend(_ text: String) throws(UsageError) -> Backend {
        switch text {
        case "auto": return .automatic
        case "hci": return .hci
        case "monitor": return .monitor
        case "bluez": return .bluez
        default:
            guard text.hasPrefix("h4:"), let address = H4Address(String(text.dropFirst(3))) else {
                throw UsageError(
                    "backend '\(text)' is none of auto, hci, monitor, bluez, h4:DEVICE[,BAUD] and h4:tcp:HOST:PORT")
            }
            return .h4(address)
        }
    }
}
