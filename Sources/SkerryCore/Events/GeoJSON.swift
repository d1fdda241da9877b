/// A map: the track, where regions were entered and left, and for each iBeacon the place of its strongest sighting, as one
/// GeoJSON FeatureCollection (RFC 7946).
///
/// What has no place has the geometry `null`. The track is cut where the place was lost, and at the antimeridian.
public struct GeoJSON {
    /// Events that it needs.
    public static let wanted: EventKinds = [
        EventKinds(.advertisement), EventKinds(.location), EventKinds(.region), EventKinds(.error),
        EventKinds(.statistics),
    ]
    /// Points of the track, and beacons, that are kept; what comes beyond is counted.
    private static let limit = 1 << 20
    /// A fix says where a beacon was heard for so many microseconds.
    private static let validity = 10 * Int64.second

    private struct Sighting {
        var rssi: Int8?
        var time: Timestamp
        var fix: Fix?
    }

    /// Names of the regions, by number.
    private let regions: [String]
    private var hasBegun = false
    private var hasFeatures = false
    private var last: (fix: Fix, time: Timestamp)?
    private var track: [[Coordinate]] = []
    private var isTrackCut = true
    private var points = 0
    private var omittedPoints = 0
    private var beacons: [BeaconIdentity: Sighting] = [:]
    private var omittedSightings = 0

    /// - Parameter regions: Names of the regions, by number.
    public init(regions: [String]) { self.regions = regions }

    /// Takes in what happened, in order, and writes what is known for good; `statistics` end the collection.
    public mutating func write(_ events: [Event], to line: inout JSONLine) {
        if !hasBegun { line.literal("{\"type\":\"FeatureCollection\",\"features\":[") }
        hasBegun = true
        for event in events {
            switch event.content {
            case .location(let fix): if let time = event.time { move(to: fix, at: time) }
            case .region(let transition): write(transition, event.time, &line)
            case .error(let fault) where fault.name == .locationUnknown:
                last = nil
                isTrackCut = true
            case .statistics: finish(&line)
            default:
                if let advertisement = event.advertisement, let time = event.time { sight(advertisement, at: time) }
            }
        }
    }

    // MARK: What is gathered

    private mutating func move(to fix: Fix, at time: Timestamp) {
        last = (fix, time)
        guard points < Self.limit else {
            omittedPoints += 1
            return
        }
        points += 1
        if isTrackCut || track.isEmpty {
            track.append([])
        } else if let before = track[track.count - 1].last, abs(before.longitude - fix.coordinate.longitude) > 180 {
            crossAntimeridian(from: before, to: fix.coordinate)
        }
        isTrackCut = false
        track[track.count - 1].append(fix.coordinate)
    }

    /// Lines end at the antimeridian and go on at its other side (RFC 7946, section 3.1.9).
    private mutating func crossAntimeridian(from before: Coordinate, to after: Coordinate) {
        let side: Double = before.longitude > 0 ? 180 : -180
        let ahead = after.longitude + 2 * side - before.longitude
        let share = ahead == 0 ? 0 : (side - before.longitude) / ahead
        let latitude = before.latitude + share * (after.latitude - before.latitude)
        guard let here = Coordinate(latitude: latitude, longitude: side),
            let there = Coordinate(latitude: latitude, longitude: -side)
        else { return }
        track[track.count - 1].append(here)
        track.append([there])
    }

    private mutating func sight(_ advertisement: Advertisement, at time: Timestamp) {
        guard case .iBeacon(let frame) = advertisement.beacon else { return }
        let fix = last.flatMap { time - $0.time <= Self.validity ? $0.fix : nil }
        let rssi = advertisement.rssi.flatMap { $0 < 0 ? $0 : nil }
        if let known = beacons[frame.identity] {
            // A sighting with a place is worth more than a stronger one without.
            let isBetter =
                (fix != nil) != (known.fix != nil) ? fix != nil : (rssi ?? .min) > (known.rssi ?? .min)
            guard isBetter else { return }
        } else if beacons.count >= Self.limit {
            omittedSightings += 1
            return
        }
        beacons[frame.identity] = Sighting(rssi: rssi, time: time, fix: fix)
    }

    // MARK: What is written

    private mutating func begin(_ place: Coordinate?, _ line: inout JSONLine) {
        line.literal(hasFeatures ? ",\n{\"type\":\"Feature\",\"geometry\":" : "\n{\"type\":\"Feature\",\"geometry\":")
        hasFeatures = true
        if let place {
            line.literal("{\"type\":\"Point\",\"coordinates\":")
            Self.write(place, &line)
            line.literal("}")
        } else {
            line.literal("null")
        }
        line.literal(",\"properties\":{\"kind\":")
    }

    private static func write(_ place: Coordinate, _ line: inout JSONLine) {
        line.literal("[")
        line.decimal(place.longitude, decimals: 9)
        line.literal(",")
        line.decimal(place.latitude, decimals: 9)
        line.literal("]")
    }

    private mutating func write(_ transition: RegionTransition, _ time: Timestamp?, _ line: inout JSONLine) {
        begin(transition.geotag?.location?.fix.coordinate, &line)
        line.string("region")
        line.member("region", regions[transition.region])
        line.member("transition", transition.transition.name)
        line.member("state", transition.state.name)
        if let time { line.member("time", time) }
        if let by = transition.by {
            line.literal(",")
            line.writeIdentity(by)
        }
        line.literal("}}")
    }

    private mutating func finish(_ line: inout JSONLine) {
        for (identity, sighting) in beacons.sorted(by: { $0.key < $1.key }) {
            begin(sighting.fix?.coordinate, &line)
            line.string("beacon")
            line.literal(",")
            line.writeIdentity(identity)
            if let rssi = sighting.rssi { line.member("rssi", Int64(rssi)) }
            line.member("time", sighting.time)
            if let fix = sighting.fix { line.member("horizontalAccuracy", fix.horizontalAccuracy, decimals: 2) }
            line.literal("}}")
        }
        let lines = track.filter { $0.count > 1 }
        if !lines.isEmpty {
            line.literal(hasFeatures ? ",\n" : "\n")
            line.literal("{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[")
            for (number, part) in lines.enumerated() {
                line.literal(number == 0 ? "[" : ",[")
                for (number, place) in part.enumerated() {
                    if number > 0 { line.literal(",") }
                    Self.write(place, &line)
                }
                line.literal("]")
            }
            line.literal("]},\"properties\":{\"kind\":\"track\"")
            line.member("points", Int64(points))
            if omittedPoints > 0 { line.member("omittedPoints", Int64(omittedPoints)) }
            line.literal("}}")
        }
        line.literal("\n]")
        if omittedSightings > 0 { line.member("omittedSightings", Int64(omittedSightings)) }
        line.literal("}\n")
    }
}
