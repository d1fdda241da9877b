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
        /// Files before the newest one.
        var keeps = 9

        /// Opens the file, where one is wanted.
        func open() throws(SystemError) -> CaptureFile? {
            guard let path else { return nil }
            return try CaptureFile(path: path, keeps: fileLength == nil ? 0 : keeps)
        }
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
                    "backend '\(text)' is none of auto, hci, monitor, bluez, h4:DEVICE,BAUD and h4:tcp:HOST:PORT")
            }
            return .h4(address)
        }
    }
}
