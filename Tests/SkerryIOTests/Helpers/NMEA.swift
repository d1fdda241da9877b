/// Sentences of a receiver (NMEA 0183).
enum NMEA {
    /// One second of a receiver in the north-east: position, mode and date.
    static func epoch(second: Int, latitude: Double, hasFix: Bool = true) -> String {
        let time = "\(two(second / 3600 % 24))\(two(second / 60 % 60))\(two(second % 60)).00"
        let minutes = String(Int(((latitude - latitude.rounded(.down)) * 60 * 10_000).rounded()) + 1_000_000)
        let north = "\(two(Int(latitude)))\(minutes.dropFirst().prefix(2)).\(minutes.suffix(4)),N,00800.0000,E"
        let position = hasFix ? north : ",,,"
        return [
            "GPGGA,\(time),\(position),\(hasFix ? 1 : 0),08,0.8,500.0,M,48.0,M,,",
            "GPGSA,A,\(hasFix ? 3 : 1),01,02,03,04,05,06,07,08,,,,,1.4,0.8,1.2",
            "GPRMC,\(time),\(hasFix ? "A" : "V"),\(position),0.0,0.0,010624,,,A",
        ].map(sentence).joined()
    }

    private static func sentence(_ text: String) -> String {
        let sum = text.utf8.reduce(0, ^)
        return "$\(text)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
