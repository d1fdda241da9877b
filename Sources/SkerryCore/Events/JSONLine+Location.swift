// The members that tell of places and directions.
extension JSONLine {
    /// Where the device was and pointed: the objects `location` and `heading`, where known.
    mutating func members(of geotag: Geotag) {
        if let (fix, age) = geotag.location {
            literal(",\"location\":{\"age\":")
            decimal(Double(age) / 1e6, decimals: 6)
            members(of: fix)
            literal("}")
        }
        if let (heading, age) = geotag.heading {
            literal(",\"heading\":{\"age\":")
            decimal(Double(age) / 1e6, decimals: 6)
            members(of: heading)
            literal("}")
        }
    }

    /// The members of a `location` event.
    mutating func members(of fix: Fix) {
        member("latitude", fix.coordinate.latitude, decimals: 9)
        member("longitude", fix.coordinate.longitude, decimals: 9)
        accuracy("horizontalAccuracy", fix.horizontalAccuracy)
        if let altitude = fix.altitude { member("altitude", altitude, decimals: 2) }
        if let altitude = fix.ellipsoidalAltitude { member("ellipsoidalAltitude", altitude, decimals: 2) }
        if let accuracy = fix.verticalAccuracy { self.accuracy("verticalAccuracy", accuracy) }
        if let speed = fix.speed { member("speed", speed, decimals: 3) }
        if let accuracy = fix.speedAccuracy { member("speedAccuracy", accuracy, decimals: 3) }
        if let course = fix.course { direction("course", course) }
        if let accuracy = fix.courseAccuracy { member("courseAccuracy", accuracy, decimals: 3) }
        if fix.isSimulated { literal(",\"simulated\":true") }
    }

    /// The members of a `heading` event.
    mutating func members(of heading: Heading) {
        if let magnetic = heading.magneticHeading { direction("magneticHeading", magnetic) }
        if let geographic = heading.trueHeading { direction("trueHeading", geographic) }
        if let accuracy = heading.headingAccuracy { member("headingAccuracy", accuracy, decimals: 3) }
        if let declination = heading.declination { member("declination", declination, decimals: 3) }
        if let x = heading.x { member("x", x, decimals: 3) }
        if let y = heading.y { member("y", y, decimals: 3) }
        if let z = heading.z { member("z", z, decimals: 3) }
        if heading.isDateClamped { literal(",\"flags\":[\"declinationDateClamped\"]") }
    }

    /// The members of a `guidance` event.
    mutating func members(of step: Guidance.Step) {
        member("distance", step.distance, decimals: 2)
        if let bearing = step.bearing { direction("bearing", bearing) }
        // To three decimals, -180 is 180.
        if let angle = step.relativeAngle { member("relativeAngle", angle > -179.9995 ? angle : 180, decimals: 3) }
        if let arrow = step.arrow { member("arrow", arrow.rawValue) }
        literal(step.hasArrived ? ",\"arrived\":true" : ",\"arrived\":false")
    }

    /// What `statistics` counts of them.
    mutating func members(of gps: GPSStatistics) {
        member("fixes", Int64(gps.fixes))
        member("headings", Int64(gps.headings))
        member("gpsLines", Int64(gps.lines))
        member("gpsErrors", Int64(gps.errors))
        if gps.headingsWithoutTime > 0 { member("headingsWithoutTime", Int64(gps.headingsWithoutTime)) }
        if gps.headingsRejected > 0 { member("headingsRejected", Int64(gps.headingsRejected)) }
        if gps.rejected > 0 { member("fixesRejected", Int64(gps.rejected)) }
        if gps.overtaken > 0 { member("fixesOvertaken", Int64(gps.overtaken)) }
        if gps.clockCorrections > 0 { member("clockCorrections", Int64(gps.clockCorrections)) }
    }

    /// Degrees on the circle: to three decimals, 360 is 0.
    private mutating func direction(_ name: StaticString, _ degrees: Double) {
        member(name, degrees < 359.9995 ? degrees : 0, decimals: 3)
    }

    /// Metres; a good accuracy is not written as none.
    private mutating func accuracy(_ name: StaticString, _ metres: Double) {
        member(name, max(metres, 0.01), decimals: 2)
    }
}
