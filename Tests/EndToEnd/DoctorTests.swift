import Testing

/// What `skerry doctor` says of machines in the virtual machine's several states.
@Suite("Doctor", .enabled(if: VirtualMachine.isThere))
struct DoctorTests {
    /// Topic and level of what is not ok, and what is said of an adapter that is.
    private func findings(_ name: String) throws -> (status: Int?, lines: [String]) {
        let result = try VirtualMachine.result(of: name, in: "doctor.sh")
        #expect(result.errors.isEmpty)
        // gpsd and the clock are those of the machine that runs the test.
        let lines = result.events.compactMap { finding -> String? in
            guard let topic = finding["topic"] as? String, let level = finding["level"] as? String,
                !["gpsd", "clock"].contains(topic)
            else { return nil }
            if level == "ok" { return topic == "adapter" ? finding["message"] as? String : nil }
            return "\(topic) \(level)"
        }
        return (result.status, lines)
    }

    private static let cases: [(String, Int, [String])] = [
        ("none", 69, ["adapter problem"]),
        ("well", 0, ["hci0 is on, 00:5E:00:53:02:01, Bluetooth 5.2, extended advertising"]),
        (
            "unprivileged", 77,
            ["hci0 is on, 00:5E:00:53:02:01, Bluetooth 5.2, extended advertising", "capabilities problem"]
        ),
        ("down", 69, ["adapter problem"]), ("down-unprivileged", 69, ["adapter problem", "capabilities problem"]),
        ("blocked", 69, ["rfkill problem"]),
        (
            "watched", 0,
            ["hci0 is on, 00:5E:00:53:02:01, Bluetooth 5.2, extended advertising", "scanners note"]
        ),
    ]

    @Test("each state of a machine", arguments: cases)
    func state(name: String, status: Int, lines: [String]) throws {
        let found = try findings(name)
        #expect(found.status == status && found.lines == lines)
    }

    @Test func bluetoothdScansForEverybody() throws {
        let found = try findings("bluetoothd")
        #expect(found.status == 0 && found.lines.contains("bluetoothd note"))
        #expect(found.lines.contains("capabilities note"))
    }

    @Test func aReplayOfWhatWasRecordedTellsTheSame() throws {
        let live = try VirtualMachine.result(of: "record", in: "doctor.sh")
        let replayed = try VirtualMachine.result(of: "record-replayed", in: "doctor.sh")
        #expect(live.status == 0 && replayed.status == 0 && live.errors.isEmpty)
        func heard(_ result: VirtualMachine.Case) -> [String] {
            result.events("advertisement").map { event in
                "\(event["time"] ?? "") \(event["address"] ?? "") \(event["rssi"] ?? "")"
            }
        }
        #expect(heard(live) == heard(replayed) && heard(live).count > 10)
        #expect(live.states.contains("listening"))
        #expect(replayed.states.contains("listening"))
        #expect(live.statistics["recordingDropped"] as? Int == 0)
        #expect(live.statistics["recorded"] as? Int == replayed.statistics["records"] as? Int)
        // btmon reads it too.
        #expect(replayed.controller.contains("New Index") && replayed.controller.contains("LE Meta Event"))
    }

    @Test func aFileThatCannotBeMade() throws {
        let refused = try VirtualMachine.result(of: "record-refused", in: "doctor.sh")
        #expect(refused.status == 74 && refused.events.isEmpty && refused.errors.contains("/nowhere/at/all"))
    }
}
