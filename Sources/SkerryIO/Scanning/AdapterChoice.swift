public import SkerryCore

/// Which adapters shall scan.
public enum AdapterChoice: Equatable, Sendable {
    /// Every one there is, and every one that comes.
    case all
    /// The one of this name, whichever that is.
    case name(String)
    /// The one of this address, whatever its name is today.
    case address(DeviceAddress)

    /// A choice from what the user wrote: `all`, `hci0`, or `00:1A:7D:DA:71:13`.
    public init?(_ text: String) {
        if text == "all" {
            self = .all
        } else if text.hasPrefix("hci"), text.dropFirst(3).allSatisfy(\.isNumber), UInt16(text.dropFirst(3)) != nil {
            self = .name(text)
        } else {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            let bytes = parts.compactMap { $0.count == 2 && $0.allSatisfy(\.isHexDigit) ? UInt8($0, radix: 16) : nil }
            guard parts.count == 6, bytes.count == 6 else { return nil }
            self = .address(DeviceAddress(bits: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        }
    }

    /// Whether it means an adapter.
    func includes(name: String, address: DeviceAddress) -> Bool {
        switch self {
        case .all: true
        case .name(let wanted): name == wanted
        case .address(let wanted): address == wanted
        }
    }

    func includes(_ adapter: Adapter) -> Bool { includes(name: adapter.name, address: adapter.address) }

    /// Those adapters that shall scan now and do not yet. Of several that have the wanted address, as cheap ones do, the one
    /// that scans goes on as long as it is there.
    ///
    /// - Parameter known: Numbers of adapters that scan.
    func newcomers(among adapters: [Adapter], known: some Sequence<UInt16>) -> [Adapter] {
        let wanted = adapters.filter { includes($0) && $0.hasLowEnergy != false }
        let new = wanted.filter { !known.contains($0.index) }
        guard case .address = self else { return new }
        return new.count == wanted.count ? Array(new.prefix(1)) : []
    }
}
