import Testing

@testable import SkerryCore

@Suite("gpsd's lines")
struct GPSDReportTests {
    /// A word for each kind of line, with what it says.
    private func describe(_ line: String) -> String {
        guard let (report, unreadable) = readLine(line) else { return "malformed" }
        let text =
            switch report {
            case .position(let tpv): "TPV \(tpv.mode) \(tpv.device ?? "-") \(tpv.time?.text ?? "-")"
            case .attitude(let att): "ATT \(att.device ?? "-") \(att.time?.text ?? "-")"
            case .version(let release, let major): "VERSION \(release) \(major.map(String.init) ?? "-")"
            case .devices(let devices): "DEVICES " + devices.map(describe).joined(separator: "; ")
            case .device(let device): "DEVICE " + describe(device)
            case .watch(let isEnabled, let isJSON): "WATCH \(isEnabled) \(isJSON)"
            case .error(let message): "ERROR \(message)"
            case .other(let name): "other \(name)"
            }
        return unreadable == 0 ? text : "\(text) !\(unreadable)"
    }

    private func describe(_ device: GPSDDevice) -> String {
        "\(device.path ?? "-") \(device.driver ?? "-") \(device.isActive)"
    }

    @Test(
        "classes",
        arguments: [
            (#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#, "VERSION 3.22 3"),
            (#"{"class":"VERSION","release":"3.22","remote":"gpsd://x"}"#, "VERSION 3.22 -"),
            (#"{"class":"DEVICES","devices":[]}"#, "DEVICES "),
            (
                #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"u-blox","activated":"2026-11-30T03:10:56.074Z","flags":1},{"class":"DEVICE","path":"/dev/b"}],"remote":"x"}"#,
                "DEVICES /dev/a u-blox true; /dev/b - false"
            ),
            (#"{"class":"DEVICES"}"#, "DEVICES "), (#"{"class":"DEVICES","devices":"none"}"#, "DEVICES "),
            (#"{"class":"DEVICES","devices":[7]}"#, "malformed"),
            (#"{"class":"DEVICE","path":"/dev/a","activated":0}"#, "DEVICE /dev/a - false"),
            (#"{"class":"DEVICE","path":"/dev/a","activated":1234567890.5}"#, "DEVICE /dev/a - true"),
            (#"{"class":"DEVICE","path":"/dev/a","activated":[]}"#, "DEVICE /dev/a - false !1"),
            (#"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0}"#, "WATCH true true"),
            (#"{"class":"WATCH","enable":false}"#, "WATCH false false"),
            (#"{"class":"WATCH","enable":1,"json":"yes"}"#, "WATCH false false !2"),
            (#"{"class":"ERROR","message":"Unrecognized request '?FOO;\n'"}"#, "ERROR Unrecognized request '?FOO;\n'"),
            (#"{"class":"TOFF","device":"x","real_sec":1717243200, "real_nsec":0}"#, "other TOFF"),
            (#"{"class":"SKY","satellites":[{"PRN":1,"el":5.0},{"PRN":2}],"hdop":0.9}"#, "other SKY"),
            (#"{"class":"XXX","text":"U can't touch dis."}"#, "other XXX"),
            (#"{"class":"TPV"}"#, "TPV unknown - -"),
            (
                #"{"mode":3,"device":"/dev/a","class":"TPV","time":"2024-06-01T12:00:00.000Z"}"#,
                "TPV threeDimensional /dev/a 2024-06-01T12:00:00.000000Z"
            ),
            (#"{"class":"TPV","mode":2,"time":1234567890.25}"#, "TPV twoDimensional - 2009-02-13T23:31:30.250000Z"),
            (
                #"{"class":"ATT","device":"/dev/c","time":"2022-03-29T00:38:32.000Z","heading":1.0}"#,
                "ATT /dev/c 2022-03-29T00:38:32.000000Z"
            ),
        ])
    func classes(line: String, expected: String) { #expect(describe(line) == expected) }

    @Test(
        "a bad member does not lose the line, a bad line is told",
        arguments: [
            (#"{"class":"TPV","mode":"3"}"#, "TPV unknown - - !1"),
            (#"{"class":"TPV","mode":3.5}"#, "TPV unknown - - !1"),
            (#"{"class":"TPV","mode":7}"#, "TPV unknown - - !1"), (#"{"class":"TPV","mode":-1}"#, "TPV unknown - - !1"),
            (#"{"class":"TPV","mode":1e300}"#, "TPV unknown - - !1"),
            (
                #"{"class":"TPV","mode":3,"time":"yesterday","lat":nan,"lon":[8],"eph":{"a":1},"device":null}"#,
                "TPV threeDimensional - - !4"
            ),
            (#"{"class":"TPV","mode":3,"time":1e300,"unknown":nan}"#, "TPV threeDimensional - - !1"),
            (#"{"class":"TPV","mode":1,"mode":3}"#, "TPV threeDimensional - -"),
            (#"{"class":7}"#, "malformed"), (#"{}"#, "malformed"), (#"{"class":"TPV","mode":3"#, "malformed"),
            (#"{"class":"TPV","mode":3}{"class":"TPV","mode":3}"#, "malformed"), ("$GPRMC,1*00", "malformed"),
            ("", "malformed"),
            (#"{"class":"SKY","satellites":[{"PRN":1"#, "malformed"),
        ])
    func lenience(line: String, expected: String) { #expect(describe(line) == expected) }
}
