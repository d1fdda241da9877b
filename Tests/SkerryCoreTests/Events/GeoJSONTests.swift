import Testing

@testable import SkerryCore

@Suite("A map")
struct GeoJSONTests {
    private static let identity = #""uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1"#

    private func map(_ packets: [Timed], _ fixes: [String]) throws -> String {
        let door = BeaconRegion(name: "door", uuid: Packet.office)!
        let playback = try Playback(
            [BTSnoopFile(packets).stream()], logs: fixes.isEmpty ? [] : [GPSLines.log(fixes)], regions: [door],
            wanted: GeoJSON.wanted)
        var line = JSONLine(capacity: 64)
        var map = GeoJSON(regions: ["door"])
        // In pieces as they come.
        for event in playback.events { map.write([event], to: &line) }
        return line.takeString()
    }

    @Test("the track is cut at the antimeridian; of sightings, the strongest one with a place is shown")
    func places() throws {
        let text = try map(
            [
                (0.5, Packet.iBeacon(rssi: -70)), (1.5, Packet.iBeacon(rssi: -60)), (2.5, Packet.iBeacon(rssi: -65)),
                (20, Packet.iBeacon(rssi: -40)),
            ], [GPSLines.fix(0, 47, 179.9, ",\"eph\":5"), GPSLines.fix(1, 47, -179.9, ",\"eph\":5")])
        #expect(
            text == """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","geometry":{"type":"Point","coordinates":[179.9,47]},"properties":{"kind":"region",\
                "region":"door","transition":"enter","state":"inside","time":"2023-11-14T22:13:20.500000Z",\
                \(Self.identity)}},
                {"type":"Feature","geometry":{"type":"Point","coordinates":[-179.9,47]},"properties":{"kind":"beacon",\
                \(Self.identity),"rssi":-60,"time":"2023-11-14T22:13:21.500000Z","horizontalAccuracy":5}},
                {"type":"Feature","geometry":{"type":"MultiLineString",\
                "coordinates":[[[179.9,47],[180,47]],[[-180,47],[-179.9,47]]]},\
                "properties":{"kind":"track","points":2}}
                ]}

                """)
    }

    @Test("what has no place has no geometry")
    func noPlace() throws {
        #expect(
            try map([(0, Packet.iBeacon(rssi: -70))], []) == """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","geometry":null,"properties":{"kind":"region","region":"door","transition":"enter",\
                "state":"inside","time":"2023-11-14T22:13:20.000000Z",\(Self.identity)}},
                {"type":"Feature","geometry":null,"properties":{"kind":"beacon",\(Self.identity),"rssi":-70,\
                "time":"2023-11-14T22:13:20.000000Z"}}
                ]}

                """)
        #expect(try map([], []) == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
    }
}
