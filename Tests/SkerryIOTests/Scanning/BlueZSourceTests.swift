import SkerryCore
import Testing

@testable import SkerryIO

@Suite(.enabled(if: MessageBus.path != nil, "dbus-daemon is not installed"), .serialized)
struct BlueZSourceTests {
    private static let iBeacon: [UInt8] =
        [0x02, 0x15] + Array(repeating: 0xE2, count: 16) + [0, 1, 0, 10, 0xC5]
    private static let eddystoneURL: [UInt8] = [0x10, 0xEB, 0x02, 0x61, 0x07]

    private static func manufacturerData(_ bytes: [UInt8], company: UInt16 = 0x4C) -> DBusValue {
        .array([.entry(.uint16(company), .variant(.bytes(bytes)))], of: "{qv}")
    }

    /// A bus and what runs on it.
    private struct Stage {
        let bus: MessageBus
        let fake: FakeBlueZ
        let run: BlueZRun

        init(
            hasMonitors: Bool = true, isPowered: Bool = true, hasAdapter: Bool = true, adapter: AdapterChoice = .all,
            prepare: (FakeBlueZ) -> Void = { _ in }
        ) throws {
            bus = try MessageBus()
            try bus.start()
            fake = try FakeBlueZ(
                bus.address, hasMonitors: hasMonitors, isPowered: isPowered, hasAdapter: hasAdapter)
            prepare(fake)
            fake.appear()
            run = try BlueZRun(bus.address, adapter: adapter, fake)
        }
    }

    @Test func asksForMonitorAndDiscovery() throws {
        let stage = try Stage()
        #expect(stage.run.source.deadline == .min, "what is to be asked waits for the first step")
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        #expect(stage.run.news == ["listening"])
        #expect(stage.fake.calls == ["GetManagedObjects", "RegisterMonitor", "SetDiscoveryFilter", "StartDiscovery"])
        #expect(stage.fake.filter == .properties(["Transport": .string("le"), "DuplicateData": .boolean(true)]))
        let monitor = stage.fake.monitors?.entries.first?.value["org.bluez.AdvertisementMonitor1"]
        #expect(monitor?["Type"] == .string("or_patterns"))
        let first = monitor?["Patterns"]?.elements.first
        #expect(first == .structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0, 2, 0x15])]))
    }

    /// As at boot, where nobody says which program is started first.
    @Test func aBusThatIsNotThereYetIsWaitedFor() throws {
        let bus = try MessageBus()
        let run = try BlueZRun(bus.address)
        #expect(try run.run(with: nil) { !$0.news.isEmpty })
        let news = try #require(run.news.first)
        #expect(news.hasPrefix("failed: no system bus at \(bus.address) yet: Failed to connect to socket "))
        #expect(news.hasSuffix(": No such file or directory; it is waited for"))
        try bus.start()
        let fake = try FakeBlueZ(bus.address, hasMonitors: true)
        fake.appear()
        #expect(try run.run(with: fake) { $0.isListening })
        #expect(run.news == [news, "listening"] && run.source.failure == nil)
    }

    @Test func aBusThatDoesNotComeIsTheEnd() throws {
        let bus = try MessageBus()
        let run = try BlueZRun(bus.address)
        #expect(try run.run(with: nil) { !$0.news.isEmpty })
        let now = MachineClock.monotonic
        var scan = run.scan
        _ = run.source.step([], now: now + 28_000_000, into: &scan)
        #expect(run.source.failure == nil && run.source.deadline! < now + 30_000_000)
        _ = run.source.step([], now: now + 31_000_000, into: &scan)
        guard case .unavailable(let reason) = run.source.failure else {
            Issue.record("\(String(describing: run.source.failure))")
            return
        }
        #expect(reason.hasPrefix("no system bus at \(bus.address): "))
    }

    @Test func anAdapterThatIsNotThereIsTheEndAlsoLater() throws {
        let bus = try MessageBus()
        let run = try BlueZRun(bus.address, adapter: .name("hci7"))
        #expect(try run.run(with: nil) { !$0.news.isEmpty })
        try bus.start()
        let fake = try FakeBlueZ(bus.address, hasMonitors: true)
        fake.appear()
        #expect(try run.run(with: fake) { $0.source.failure != nil })
        #expect(run.source.failure == .noAdapter("there is no adapter hci7; there is hci0"))
    }

    @Test func hearsWhatBluetoothdHears() throws {
        let stage = try Stage()
        let beacon = "dev_C0_00_00_00_00_01"
        stage.fake.hear(beacon, ["RSSI": .int16(-50), "ManufacturerData": Self.manufacturerData(Self.iBeacon)])
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        // Before it listens, bluetoothd may speak of what others have heard.
        #expect(stage.run.news == ["listening"])
        stage.fake.hear(
            beacon,
            [
                "AddressType": .string("random"), "RSSI": .int16(-60),
                "ManufacturerData": Self.manufacturerData(Self.iBeacon),
            ], isNew: true)
        stage.fake.hear(beacon, ["ManufacturerData": Self.manufacturerData(Self.iBeacon)])
        stage.fake.hear(beacon, ["RSSI": .int16(-70)])
        stage.fake.hear(beacon, ["RSSI": .int16(-71), "ManufacturerData": Self.manufacturerData(Self.iBeacon)])
        let uuid = "0000feaa-0000-1000-8000-00805f9b34fb"
        let service = DBusValue.array([.entry(.string(uuid), .variant(.bytes(Self.eddystoneURL)))], of: "{sv}")
        stage.fake.hear("dev_00_00_00_00_00_02", ["RSSI": .int16(-80), "ServiceData": service], isNew: true)
        stage.fake.hear("strange", ["RSSI": .int16(-80), "ServiceData": service], isNew: true)
        try stage.run.run(with: stage.fake) { $0.news.count == 5 }
        #expect(
            stage.run.news.dropFirst() == [
                "C00000000001 random -60 iBeacon", "C00000000001 random -60 iBeacon",
                "C00000000001 random -71 iBeacon", "2 - -80 eddystoneURL",
            ])
    }

    @Test func saysWhatIsLostWithoutMonitors() throws {
        let stage = try Stage(hasMonitors: false)
        #expect(try stage.run.run(with: stage.fake) { !$0.news.isEmpty })
        #expect(stage.run.news.first?.hasPrefix("listening: a beacon may be heard only once in 5 s") == true)
        #expect(stage.run.news.first?.contains("--experimental") == true)
        let hasBegunAnew = try stage.run.run(with: stage.fake) { _ in
            stage.fake.calls.count { $0 == "StartDiscovery" } == 2
        }
        #expect(hasBegunAnew)
        #expect(stage.run.news.count == 1)
    }

    @Test func followsThePower() throws {
        let stage = try Stage(isPowered: false)
        #expect(try stage.run.run(with: stage.fake) { !$0.news.isEmpty })
        #expect(stage.run.news.first?.hasPrefix("poweredOff: ") == true)
        stage.fake.change(["Powered": .boolean(true)])
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        stage.fake.change(["Discovering": .boolean(false), "Powered": .boolean(false)])
        #expect(try stage.run.run(with: stage.fake) { !$0.isListening })
        #expect(stage.run.news.last?.hasPrefix("poweredOff: ") == true)
    }

    @Test func beginsAnewWhenSomebodyEndsTheDiscovery() throws {
        let stage = try Stage()
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        stage.fake.change(["Discovering": .boolean(false)])
        #expect(try stage.run.run(with: stage.fake) { !$0.isListening })
        #expect(stage.run.news.last?.hasPrefix("paused: ") == true)
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        #expect(stage.run.source.counts.scanRestarts == 1)
        stage.run.stop(with: stage.fake)
        #expect(stage.run.source.counts.scanRestarts == 1)
    }

    @Test func waitsForAnyAdapter() throws {
        let stage = try Stage(hasAdapter: false)
        #expect(try stage.run.run(with: stage.fake) { !$0.news.isEmpty })
        #expect(stage.run.news == ["rangingUnavailable"])
        stage.fake.add()
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        #expect(stage.run.scan.engine.sourceNames == ["hci0"])
    }

    @Test func followsTheAdapter() throws {
        let stage = try Stage()
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        stage.fake.remove()
        #expect(try stage.run.run(with: stage.fake) { !$0.isListening })
        #expect(stage.run.news.last == "failed: the adapter has gone")
        stage.fake.add()
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        #expect(stage.run.scan.engine.sourceNames == ["hci0"])
    }

    @Test func comesBackWithBluetoothd() throws {
        let bus = try MessageBus()
        try bus.start()
        var fake: FakeBlueZ? = try FakeBlueZ(bus.address, hasMonitors: true)
        fake?.appear()
        let run = try BlueZRun(bus.address, fake!)
        #expect(try run.run(with: fake) { $0.isListening })
        fake = nil
        #expect(try run.run(with: nil) { !$0.isListening })
        #expect(run.news.last == "failed: bluetoothd has ended; systemctl start bluetooth starts it")
        fake = try FakeBlueZ(bus.address, hasMonitors: true)
        fake?.appear()
        #expect(try run.run(with: fake) { $0.isListening })
        #expect(run.source.counts.reopened == 0)
    }

    @Test func comesBackWithTheBus() throws {
        let bus = try MessageBus()
        try bus.start()
        var fake: FakeBlueZ? = try FakeBlueZ(bus.address, hasMonitors: true)
        fake?.appear()
        let run = try BlueZRun(bus.address, fake!)
        #expect(try run.run(with: fake) { $0.isListening })
        bus.end()
        #expect(try run.run(with: nil) { !$0.isListening })
        #expect(run.news.last?.hasPrefix("failed: no system bus at unix:path=") == true)
        try bus.start()
        fake = try FakeBlueZ(bus.address, hasMonitors: true)
        fake?.appear()
        #expect(try run.run(with: fake) { $0.isListening })
        #expect(run.source.counts.reopened == 1)
    }

    @Test func saysThatItIsNotAllowed() throws {
        let stage = try Stage { $0.refusals["StartDiscovery"] = "org.freedesktop.DBus.Error.AccessDenied" }
        #expect(try stage.run.run(with: stage.fake) { !$0.news.isEmpty })
        #expect(stage.run.news.first?.hasPrefix("unauthorized: ") == true)
        stage.fake.refusals = [:]
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
    }

    @Test func doesWithoutAMonitorThatIsReleased() throws {
        let stage = try Stage()
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        stage.fake.callMonitor("Release")
        #expect(try stage.run.run(with: stage.fake) { !$0.isListening })
        #expect(stage.run.news.last?.contains("bluetoothd has released it") == true)
    }

    @Test func stops() throws {
        let stage = try Stage()
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
        stage.fake.silent = ["UnregisterMonitor"]
        let begin = MachineClock.monotonic
        stage.run.stop(with: stage.fake)
        #expect(MachineClock.monotonic - begin < 2_000_000, "what does not answer is left")
        stage.fake.proceed()
        #expect(stage.fake.calls.suffix(2) == ["StopDiscovery", "UnregisterMonitor"])
        #expect(stage.run.source.interests.isEmpty)
        #expect(stage.run.source.deadline == nil)
    }

    // MARK: Starts that can't work

    @Test(arguments: ["hci7", "00:5E:00:53:02:99"]) func refusesAnAdapterThatIsNotThere(adapter: String) {
        let error = #expect(throws: ScanError.self) { try Stage(adapter: #require(AdapterChoice(adapter))) }
        guard case .noAdapter(let message) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(message.hasSuffix("there is hci0"))
    }

    @Test(arguments: ["hci0", "00:5e:00:53:02:01"]) func findsAnAdapter(adapter: String) throws {
        let stage = try Stage(adapter: #require(AdapterChoice(adapter)))
        #expect(try stage.run.run(with: stage.fake) { $0.isListening })
    }

    @Test func refusesWithoutBluetoothd() throws {
        let bus = try MessageBus()
        try bus.start()
        let error = #expect(throws: ScanError.self) { try BlueZRun(bus.address) }
        guard case .unavailable(let message) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(message.contains("bluetoothd does not run"))
    }

    @Test func refusesWithoutABus() throws {
        let error = #expect(throws: ScanError.self) { try BlueZRun("tcp:host=localhost") }
        guard case .unavailable(let message) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(message.contains("tcp:host=localhost"))
    }

    @Test func refusesWithoutPermission() throws {
        let bus = try MessageBus(denied: "org.freedesktop.DBus.ObjectManager")
        try bus.start()
        let fake = try FakeBlueZ(bus.address, hasMonitors: true)
        fake.appear()
        let error = #expect(throws: ScanError.self) { try BlueZRun(bus.address, fake) }
        guard case .notPermitted(let message) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(message.contains("members of the group bluetooth may"))
    }
}
