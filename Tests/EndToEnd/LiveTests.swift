import Foundation
import Testing

extension EndToEndTests {
    /// Live scanning with a real kernel, in a virtual machine.
    @Suite(.enabled(if: VirtualMachine.isThere, "needs root, QEMU and Tests/Testbed/setup.sh"))
    struct LiveTests {
        /// 20 adverts of each beacon, whichever channel they are read from, from controllers of several kinds.
        @Test(arguments: ["extended", "strict", "legacy", "batch"], ["raw", "exclusive", "monitor"])
        func everyChannelHearsTheSame(controller: String, channel: String) throws {
            let run = try VirtualMachine.result(of: "\(controller)-\(channel)", in: "backends.sh")
            #expect(run.status == 0)
            let levels: [Int: Int?] = [1: -60, 2: -70, 3: nil, 4: -80, 5: -65]
            var heard: [Int: [Int?]] = [:]
            for advert in run.events("advertisement") {
                let beacon = try #require(advert["beacon"] as? [String: Any])
                heard[try #require(beacon["minor"] as? Int), default: []].append(advert["rssi"] as? Int)
            }
            // An older controller does not hear extended advertising.
            let expected = levels.filter { controller != "legacy" || $0.key < 4 }
            #expect(heard == expected.mapValues { Array(repeating: $0, count: 20) })
            #expect(run.statistics["reports"] as? Int == run.reportsSent)
            #expect(run.statistics["lost"] as? Int == 0)
            #expect(
                run.statistics["malformed"] as? [String: Int] == [
                    "legacyReportTruncated": 2, "extendedReportTruncated": 1, "eventShorterThanItsLength": 1,
                    "bytesAfterEvent": 1,
                ])
            #expect(run.lastScan == "off")
        }

        /// What happens to the adapter is told, is no exit, and is over once the cause is.
        @Test(
            arguments: [
                ("down-and-up", ["listening", "poweredOff", "listening", "ended"]),
                ("hardware-error", ["listening", "paused", "listening", "ended"]),
                ("scan-stopped", ["listening", "paused", "listening", "ended"]),
                ("unplugged", ["listening", "failed", "listening", "ended"]),
                ("blocked", ["listening", "poweredOff", "listening", "ended"]),
                ("starts-off", ["poweredOff", "listening", "ended"]), ("killed", ["listening", "ended"]),
                ("no-adapter", ["listening", "ended"]),
                ("net-raw-only", ["listening", "poweredOff", "listening", "ended"]),
            ])
        func faultsAreToldAndEnd(name: String, states: [String]) throws {
            let run = try VirtualMachine.result(of: name, in: "faults.sh")
            // The kernel resets a controller by switching it off and on; maybe before anybody can look.
            let told = name == "hardware-error" ? run.states.filter { $0 != "poweredOff" } : run.states
            #expect(told == states)
            try expectRecovered(run)
        }

        /// A program that was stopped for longer than an exit time has heard nothing of those who left, nor of those who stayed.
        @Test func aProgramThatWasStoppedSaysSo() throws {
            let run = try VirtualMachine.result(of: "stopped", in: "faults.sh")
            #expect(run.states == ["listening", "ended"] && run.stops >= 1)
            try expectRecovered(run)
        }

        /// Who falls silent because the controller, or bluetoothd, does not answer any more is not gone.
        @Test(arguments: ["faults.sh", "bluez.sh"])
        func whatFreezesHasFailedUntilItIsBack(script: String) throws {
            let run = try VirtualMachine.result(of: "frozen", in: script)
            #expect(run.states.prefix(2) == ["listening", "failed"])
            #expect(run.states.suffix(2) == ["listening", "ended"])
            try expectRecovered(run)
        }

        /// A manager of Bluetooth that comes and goes may end the scan, which begins again.
        @Test func scansBesideBluetoothd() throws {
            let run = try VirtualMachine.result(of: "bluetoothd", in: "faults.sh")
            #expect(run.states.suffix(2) == ["listening", "ended"])
            try expectRecovered(run)
        }

        /// With a monitor every advert is told, though the controller could filter duplicates; power and bluetoothd may go.
        @Test func scansThroughBluetoothd() throws {
            let run = try VirtualMachine.result(of: "with-monitors", in: "bluez.sh")
            #expect(run.states.prefix(3) == ["listening", "poweredOff", "listening"])
            #expect(run.states.contains("failed"))
            #expect(run.states.suffix(2) == ["listening", "ended"])
            #expect(run.events("scanner").first?["detail"] == nil)
            #expect(run.controller.contains("active, all adverts"))
            try expectRecovered(run)
        }

        /// Without one the scan is begun anew again and again, and what that costs is told.
        @Test func scansThroughBluetoothdWithoutMonitors() throws {
            let run = try VirtualMachine.result(of: "without-monitors", in: "bluez.sh")
            #expect(run.states == ["listening", "ended"])
            #expect((run.events("scanner").first?["detail"] as? String)?.contains("--experimental") == true)
            #expect(run.events("advertisement").count >= 6)
            #expect(run.controller.matches(of: /active, filter duplicates/).count >= 3)
            #expect(run.status == 0)
            #expect(run.lastScan == "off")
        }

        /// An adapter wanted by its address is found again under another name, and others that take its name are not it.
        @Test func adapterIsFollowedByItsAddress() throws {
            let run = try VirtualMachine.result(of: "renumbered", in: "faults.sh")
            let told = run.events("scanner").map { "\($0["source"] ?? "") \($0["state"] ?? "")" }
            #expect(
                told == [
                    "hci0 listening", "hci0 failed", "hci0 ended", "hci2 listening", "hci2 ended",
                ])
            try expectRecovered(run)
        }

        private func expectRecovered(_ run: VirtualMachine.Case) throws {
            #expect(run.status == 0)
            #expect(run.errors == "")
            #expect(run.events("region").map { $0["transition"] as? String } == ["enter"])
            #expect(run.lastScan == "off")
            let last = run.events.lastIndex { $0["state"] as? String == "listening" }
            let later = run.events[try #require(last)...].filter { $0["event"] as? String == "advertisement" }
            #expect(later.count >= 10)
        }

        /// A scan that a killed program left on is taken over; one whose reader goes is switched off.
        @Test func readerThatGoesEndsTheScan() throws {
            let run = try VirtualMachine.result(of: "pipe-closed", in: "faults.sh")
            #expect(run.status == 0)
            #expect(run.lastScan == "off")
            #expect(run.controller.matches(of: /scan on/).count == 2)
        }

        @Test(
            arguments: [
                ("no-privilege", 77, "cap_net_raw"), ("no-admin", 77, "CAP_NET_ADMIN"),
                ("other-name", 69, "there is no adapter hci7"), ("busy", 69, "hciconfig hci0 down"),
            ])
        func whatCannotBeginSaysWhatToDo(name: String, status: Int, message: String) throws {
            let run = try VirtualMachine.result(of: name, in: "faults.sh")
            #expect(run.status == status)
            #expect(run.errors.contains(message))
            #expect(run.events.isEmpty)
        }

        /// 2,000 adverts a second for 20 s; then also while the reader of the output sleeps.
        @Test(
            .enabled(if: VirtualMachine.release != nil, "needs an optimised program: SKERRY_RELEASE"),
            arguments: [("load", 40_000), ("slow-reader", 10_000)])
        func nothingIsLostOfManyAdverts(name: String, sent: Int) throws {
            let run = try VirtualMachine.result(of: name, in: "load.sh")
            #expect(run.status == 0)
            #expect(run.reportsSent == sent)
            #expect(run.statistics["reports"] as? Int == sent)
            #expect(run.statistics["lost"] as? Int == 0)
            // What the output could not take is counted, and its numbers are missing.
            let dropped = try #require(run.statistics["dropped"] as? Int)
            let numbers = run.events.compactMap { $0["seq"] as? Int }
            #expect(numbers.last == run.events.count + dropped)
        }
    }
}
