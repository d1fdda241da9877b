import Foundation
import Testing

extension EndToEndTests {
    @Suite struct MapTests {
        private func features(_ arguments: [String]) throws -> [[String: Any]] {
            let run = try Program.run(["replay", "--format", "geojson"] + arguments)
            #expect(run.status == 0 && run.errors == "")
            let map = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            #expect(map["type"] as? String == "FeatureCollection")
            return try #require(map["features"] as? [[String: Any]])
        }

        @Test func aWalkIsAMap() throws {
            let captures = Program.captures
            let found = try features([
                captures.appendingPathComponent("walk.btsnoop").path, "--gps",
                captures.appendingPathComponent("walk.json").path, "--fence", "path=47.05,8.3008,40", "--region",
                "a=6F1C1B8E-3D52-4B7A-9C40-51A2D6E0A001",
            ])
            let kinds = found.map { ($0["properties"] as? [String: Any])?["kind"] as? String ?? "" }
            #expect(kinds == ["region", "region", "region", "region", "region", "beacon", "beacon", "track"])
            for feature in found {
                let geometry = try #require(feature["geometry"] as? [String: Any])
                let isTrack = (feature["properties"] as? [String: Any])?["kind"] as? String == "track"
                #expect(geometry["type"] as? String == (isTrack ? "MultiLineString" : "Point"))
            }
        }

        @Test func whatHasNoPlaceHasNoGeometry() throws {
            let found = try features([Program.captures.appendingPathComponent("walk.btsnoop").path])
            #expect(found.count == 2 && found.allSatisfy { $0["geometry"] is NSNull })
        }
    }
}
