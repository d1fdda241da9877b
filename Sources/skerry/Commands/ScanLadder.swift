import SkerryCore
import SkerryIO

/// Which back end hears: the one that was asked for, or the first that works here.
///
/// The kernel's sockets come first: they tell everything that is heard, passively, with the kernel's time stamps. bluetoothd
/// needs no privileges, but tells only what it knows of devices.
struct ScanLadder {
    let options: ScanOptions
    /// What was picked and why, for people; `nil` where the user has picked.
    private(set) var choice: String?

    init(_ options: ScanOptions) { self.options = options }

    /// Opens it.
    mutating func open(into scan: inout Scan) throws(ScanError) -> any ScanSource {
        let adapter = options.adapter ?? .all
        switch options.backend ?? .automatic {
        case .hci: return try HCISource(adapter, options.scannerSettings, into: &scan)
        case .monitor: return try MonitorSource(adapter, into: &scan)
        case .bluez: return try BlueZSource(adapter, into: &scan)
        case .h4(let address): return try H4Source(address, options.scannerSettings, into: &scan)
        case .automatic: return try openFirst(adapter, into: &scan)
        }
    }

    private mutating func openFirst(
        _ adapter: AdapterChoice, into scan: inout Scan
    ) throws(ScanError) -> any ScanSource {
        let refusal: String
        do throws(ScanError) {
            let source = try HCISource(adapter, options.scannerSettings, into: &scan)
            choice = "scanning over the kernel's HCI sockets (--backend hci)"
            return source
        } catch {
            let needsHCI = options.isExclusive || options.isActive || options.usesCodedPHY
            guard case .notPermitted(let reason) = error, !needsHCI else { throw error }
            refusal = reason
        }
        do throws(ScanError) {
            // Who may not use the sockets is told so at once, also where there is no bus.
            let source = try BlueZSource(adapter, waitsForBus: false, into: &scan)
            choice = "scanning through bluetoothd (--backend bluez), because of the kernel's HCI sockets: \(refusal)"
            return source
        } catch {
            if case .noAdapter = error { throw error }
            throw .notPermitted("\(refusal)\nand bluetoothd can't help: \(error.message)")
        }
    }
}
