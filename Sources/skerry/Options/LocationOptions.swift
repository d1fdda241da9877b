import SkerryCore

/// What the user wants of location and heading, from the configuration file and the command line; `nil` is left open.
struct LocationOptions {
    var gpsOffset: Double?
    var distanceFilter: Double?
    var isSignificantOnly: Bool?
    var headingFilter: Double?
    var headingAccuracy: Double?
    var mounting: Double?
    var fieldFactor: Double?
    var fieldOffset: SIMD3<Double>?
    var geotags: Bool?
    var destination: Coordinate?
    var arrivalRadius: Double?

    /// Fills what is open.
    mutating func complete(from file: LocationOptions) {
        gpsOffset = gpsOffset ?? file.gpsOffset
        distanceFilter = distanceFilter ?? file.distanceFilter
        isSignificantOnly = isSignificantOnly ?? file.isSignificantOnly
        headingFilter = headingFilter ?? file.headingFilter
        headingAccuracy = headingAccuracy ?? file.headingAccuracy
        mounting = mounting ?? file.mounting
        fieldFactor = fieldFactor ?? file.fieldFactor
        fieldOffset = fieldOffset ?? file.fieldOffset
        geotags = geotags ?? file.geotags
        destination = destination ?? file.destination
        arrivalRadius = arrivalRadius ?? file.arrivalRadius
    }

    /// The defaults with what was set.
    var settings: LocationSettings {
        var settings = LocationSettings()
        settings.distanceFilter = distanceFilter ?? settings.distanceFilter
        settings.isSignificantOnly = isSignificantOnly ?? settings.isSignificantOnly
        settings.compass.headingFilter = headingFilter ?? settings.compass.headingFilter
        settings.compass.accuracy = headingAccuracy ?? settings.compass.accuracy
        settings.compass.mounting = mounting ?? settings.compass.mounting
        settings.compass.fieldFactor = fieldFactor
        settings.compass.fieldOffset = fieldOffset ?? settings.compass.fieldOffset
        settings.geotags = geotags ?? settings.geotags
        settings.destination = destination
        settings.arrivalRadius = arrivalRadius ?? settings.arrivalRadius
        return settings
    }
}

// The values that options and configuration keys share. Each error says what would be right.
extension LocationOptions {
    static let offsets = -10_000_000_000...10_000_000_000
    static let distances = 0...20_000_000
    static let angles = 0...180
    static let radii = 1...1_000_000

    static func mounting(_ text: String) throws(UsageError) -> Double {
        if let side = HeadingOrientation(rawValue: text) { return side.degrees }
        guard let degrees = Double(decimal: text), abs(degrees) <= 360 else {
            let known = HeadingOrientation.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("mounting '\(text)' is none of \(known), and no number from -360 to 360 (degrees)")
        }
        return degrees
    }

    static func fieldFactor(_ text: String) throws(UsageError) -> Double {
        guard let factor = Double(decimal: text), factor > 0, factor <= 1_000_000 else {
            throw UsageError("field-factor '\(text)' is not a number above 0 to 1000000 (microtesla a unit)")
        }
        return factor
    }

    static func fieldOffset(_ text: String) throws(UsageError) -> SIMD3<Double> {
        let numbers = Self.numbers(text)
        guard numbers.count == 3, numbers.allSatisfy({ abs($0) <= 1_000_000_000 }) else {
            throw UsageError("field-offset '\(text)' is not X,Y,Z in the compass's own unit")
        }
        return SIMD3(numbers[0], numbers[1], numbers[2])
    }

    static func coordinate(_ text: String) throws(UsageError) -> Coordinate {
        let numbers = Self.numbers(text)
        guard numbers.count == 2, let place = Coordinate(latitude: numbers[0], longitude: numbers[1]) else {
            throw UsageError("'\(text)' is not LAT,LON in degrees, south and west negative")
        }
        return place
    }

    /// Numbers with commas between; none where one is no number.
    private static func numbers(_ text: String) -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in Double(decimal: part.drop { $0 == " " }) }
        return numbers.count == parts.count ? numbers : []
    }
}

extension LocationOptions {
    /// The options of a command that knows places.
    ///
    /// - Parameter place: Where the command keeps them.
    static func table<Arguments>(
        _ place: any WritableKeyPath<Arguments, LocationOptions> & Sendable
    ) -> [Option<Arguments>] {
        [
            Option(
                name: "--distance-filter", value: "METRES", help: "tell a location only so far from the last one told"
            ) {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].distanceFilter = try Settings.number(
                    value, "distance-filter", distances, " (m)")
            },
            Option(
                name: "--significant", value: nil,
                help: "tell locations only 500 m apart, at most every 5 minutes, whatever a distance filter says"
            ) { (arguments, _) in arguments[keyPath: place].isSignificantOnly = true },
            Option(
                name: "--heading-filter", value: "DEGREES",
                help: "tell a heading only so far from the last one told (default: 1)"
            ) {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].headingFilter = try Settings.number(
                    value, "heading-filter", angles, " (degrees)")
            },
            Option(name: "--geotag", value: nil, help: "put location and heading into advertisement and ranging too") {
                (arguments, _) in arguments[keyPath: place].geotags = true
            },
            Option(name: "--destination", value: "LAT,LON", help: "tell the way there, in degrees, as guidance events")
            {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].destination = try coordinate(value)
            },
            Option(
                name: "--arrival-radius", value: "METRES",
                help: "from the destination, that count as there (default: 500)"
            ) {
                (arguments, value) throws(UsageError) in
                arguments[keyPath: place].arrivalRadius = try Settings.number(value, "arrival-radius", radii, " (m)")
            },
        ]
    }
}
