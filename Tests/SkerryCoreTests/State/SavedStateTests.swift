import Testing

@testable import SkerryCore

/// States as text: what is written is read back, and nothing else is.
@Suite struct SavedStateTests {
    private static let head = #"{"format":"skerry-state","version":1,"time":"2023-11-14T22:13:20.000000Z""#
    private static let door = #"{"name":"door","kind":"beacon","state":"inside"}"#
    private static let place =
        #""time":"2023-11-14T22:13:20Z","latitude":47,"longitude":8,"horizontalAccuracy":10,"accuracySource":"eph""#

    private static func read(_ text: String) throws(SavedState.Damage) -> SavedState {
        try SavedState(decoding: Array(text.utf8))
    }

    private static func random(_ generator: inout SeededGenerator) -> SavedState {
        func chance() -> Bool { Bool.random(using: &generator) }
        func number(_ bounds: ClosedRange<Double>) -> Double { Double.random(in: bounds, using: &generator) }
        let regions = (0..<Int.random(in: 0...20, using: &generator)).map { place in
            let name = ["\"", "\\", "\u{1}", "Büro", "\n", "🏠", "x"].randomElement(using: &generator)! + "\(place)"
            let beacon = RegionDefinition.beacon(
                uuid: chance() ? nil : ProximityUUID(high: generator.next(), low: generator.next()),
                major: chance() ? nil : UInt16(truncatingIfNeeded: generator.next()), minor: chance() ? nil : 0)
            let circle = CircularRegion(
                name: name, centre: Coordinate(latitude: number(-90...90), longitude: number(-180...180))!,
                radius: number(0.001...CircularRegion.greatestRadius))!
            let state = [RegionState.unknown, .inside, .outside].randomElement(using: &generator)!
            return SavedState.Region(
                name: name, definition: chance() ? beacon : RegionDefinition(circle), state: state)
        }
        let time = Timestamp(microseconds: Int64.random(in: 0...4_000_000_000_000_000, using: &generator))
        let fix = Fix(
            coordinate: Coordinate(latitude: number(-90...90), longitude: number(-180...180))!, time: time,
            horizontalAccuracy: number(0.01...1e4), accuracySource: chance() ? .eph : .fallback,
            altitude: chance() ? nil : number(-500...9000), ellipsoidalAltitude: chance() ? nil : number(-500...9000),
            verticalAccuracy: chance() ? nil : number(0.001...1e4), speed: chance() ? nil : number(0...300),
            speedAccuracy: chance() ? nil : number(0...300), course: chance() ? nil : number(0...359.9999),
            courseAccuracy: chance() ? nil : number(0...180), isThreeDimensional: chance(), isSimulated: chance())
        return SavedState(time: time, fix: chance() ? nil : fix, regions: regions)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let state = Self.random(&generator)
            let read = try SavedState(decoding: state.encode())
            #expect(read.encode() == state.encode())
            #expect(read.time == state.time && read.regions == state.regions && (read.fix == nil) == (state.fix == nil))
        }
    }

    @Test func theTextIsARegionALine() throws {
        let state = SavedState(
            time: BTSnoopFile.begin, fix: FixTrack.fix(1.5, 0),
            regions: [
                SavedState.Region(
                    name: "door",
                    definition: RegionDefinition(
                        BeaconRegion(name: "door", uuid: Packet.office, major: 1, minor: 0)!), state: .inside),
                SavedState.Region(
                    name: "home", definition: RegionDefinition(FixTrack.circle()), state: .outside),
            ])
        let text = String(decoding: state.encode(), as: UTF8.self)
        #expect(
            text == """
                {"format":"skerry-state","version":1,"time":"2023-11-14T22:13:20.000000Z",
                "location":{"time":"2024-06-01T00:00:01.500000Z","latitude":47,"longitude":8,"horizontalAccuracy":10,"accuracySource":"eph","threeDimensional":true},
                "regions":[
                {"name":"door","kind":"beacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":0,"state":"inside"},
                {"name":"home","kind":"circular","latitude":47,"longitude":8,"radius":100,"state":"outside"}
                ]}

                """)
    }

    /// Text, line and reason.
    @Test(
        arguments: [
            ("", 1, "an empty file, and no saved state of skerry"),
            ("x", 1, "no saved state of skerry"),
            ("[settings]\nstate = x", 1, "no saved state of skerry"),
            (#"{"event":"start"}"#, 1, "no saved state of skerry"),
            (#"{"version":1,"format":"skerry-state"}"#, 1, "no saved state of skerry"),
            (
                #"{"format":"skerry-state","version":2,"#, 1,
                "a saved state of version 2; this program knows only 1"
            ),
            (head, 1, "no JSON, or cut off"),
            (head + ",\n}", 2, "no JSON, or cut off"),
            (head + "}", 1, "the member \"regions\" is missing"),
            (#"{"format":"skerry-state","version":1,"regions":[]}"#, 1, "the member \"time\" is missing"),
            (head + ",\n\"regions\":[]}x", 2, "something behind the end"),
            (head + ",\n\"regions\":[],\n\"zones\":[]}", 3, "a second or unknown member \"zones\""),
            (head + ",\n\"regions\":[],\n\"regions\":[]}", 3, "a second or unknown member \"regions\""),
            (head + ",\"regions\":[\n\(door),\n\(door)\n]}", 3, "the region \"door\" a second time"),
            (head + ",\"regions\":[\n1]}", 2, "no JSON, or cut off"),
            (
                head + #","regions":[{"name":"a","kind":"beacon","state":"in"}]}"#, 1, "the unknown state \"in\""
            ),
            (
                head + #","regions":[{"name":"a","kind":"zone","state":"inside"}]}"#, 1,
                "a region of the unknown kind \"zone\""
            ),
            (
                head + #","regions":[{"name":1,"kind":"beacon","state":"inside"}]}"#, 1,
                "the member \"name\" is missing or no text"
            ),
            (
                head + #","regions":[{"name":"a","kind":"beacon","uuid":"12","state":"inside"}]}"#, 1,
                "the member \"uuid\" is no UUID"
            ),
            (
                head + #","regions":[{"name":"a","kind":"beacon","major":65536,"state":"inside"}]}"#, 1,
                "the member \"major\" is not from 0 to 65535"
            ),
            (
                head + #","regions":[{"name":"a","kind":"beacon","state":"inside","exit":1}]}"#, 1,
                "the unknown member \"exit\""
            ),
            (
                head + #","regions":[{"name":"a","name":"b"}]}"#, 1, "the member \"name\" a second time"
            ),
            (
                head + #","regions":[{"name":"a","kind":"circular","latitude":47,"radius":1,"state":"inside"}]}"#, 1,
                "the member \"longitude\" is missing"
            ),
            (
                head + #","regions":[{"name":"a","kind":"circular","latitude":91}]}"#, 1,
                "the member \"latitude\" is no number that it can be"
            ),
            (head + ",\n\"location\":{},\"regions\":[]}", 2, "the member \"time\" is missing or no time"),
            (
                head + ",\"location\":{\(place),\"altitude\":1e300},\"regions\":[]}", 1,
                "the member \"altitude\" is no number that it can be"
            ),
            (
                head + ",\"location\":{\(place),\"simulated\":1},\"regions\":[]}", 1,
                "the member \"simulated\" is neither true nor false"
            ),
            (
                #"{"format":"skerry-state","version":1,"time":1700000000,"regions":[]}"#, 1,
                "the member \"time\" is missing or no time"
            ),
        ] as [(String, Int, String)])
    func whatIsDamagedIsRefused(text: String, line: Int, reason: String) {
        #expect(throws: SavedState.Damage(line: line, reason: reason)) { try Self.read(text) }
    }

    /// However it is cut, it is no state.
    @Test func whatIsCutIsRefused() {
        var generator = SeededGenerator(seed: 2)
        let bytes = Self.random(&generator).encode()
        for length in 0..<(bytes.count - 1) {
            #expect(throws: SavedState.Damage.self) { try SavedState(decoding: Array(bytes.prefix(length))) }
        }
    }

    @Test func noBytesMakeItCrash() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3000 {
            var bytes = Self.random(&generator).encode()
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            // What is read all the same can be written.
            if let state = try? SavedState(decoding: bytes) { _ = state.encode() }
        }
    }
}
