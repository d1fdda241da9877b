import Testing

@testable import SkerryCore

/// AD structures as `decode` explains them.
@Suite struct ExplanationTests {
    private func structures(_ hex: String) -> String {
        var line = JSONLine(capacity: 64)
        let bytes = [UInt8](hex: hex)
        line.writeStructures(bytes.rawSpan)
        return line.takeString()
    }

    @Test(
        arguments: [
            (
                "020106",
                #""type":1,"name":"Flags","value":"06","flags":["LE General Discoverable Mode","BR/EDR Not Supported"]"#
            ),
            ("020100", #""type":1,"name":"Flags","value":"00","flags":[]"#),
            ("0101", #""type":1,"name":"Flags","value":"""#),
            (
                "0503 0f18 0a18",
                #""type":3,"name":"Complete List of 16-bit Service or Service Class UUIDs","value":"0f180a18","uuids":["180F","180A"]"#
            ),
            (
                "0403 0f180a",
                #""type":3,"name":"Complete List of 16-bit Service or Service Class UUIDs","value":"0f180a""#
            ),
            (
                "1107 9ecadc240ee5a9e093f3a3b50100406e",
                #""type":7,"name":"Complete List of 128-bit Service or Service Class UUIDs","value":"9ecadc240ee5a9e093f3a3b50100406e","uuids":["6E400001-B5A3-F393-E0A9-E50E24DCCA9E"]"#
            ),
            ("0409 c3b661", #""type":9,"name":"Complete Local Name","value":"c3b661","text":"öa""#),
            ("0308 2222", #""type":8,"name":"Shortened Local Name","value":"2222","text":"\"\"""#),
            ("020af4", #""type":10,"name":"Tx Power Level","value":"f4","txPower":-12"#),
            (
                "0512 0600 800c",
                #""type":18,"name":"Peripheral Connection Interval Range","value":"0600800c","minimumInterval":0.0075,"maximumInterval":4"#
            ),
            ("0319 4103", #""type":25,"name":"Appearance","value":"4103","appearance":833"#),
            ("031a a000", #""type":26,"name":"Advertising Interval","value":"a000","interval":0.1"#),
            (
                "081b 060504030201 01",
                #""type":27,"name":"LE Bluetooth Device Address","value":"06050403020101","address":"01:02:03:04:05:06","addressType":"random""#
            ),
            (
                "0416 0f18 64",
                #""type":22,"name":"Service Data - 16-bit UUID","value":"0f1864","uuid":"180F","data":"64""#
            ),
            (
                "0620 78563412 99",
                #""type":32,"name":"Service Data - 32-bit UUID","value":"7856341299","uuid":"12345678","data":"99""#
            ),
            (
                "04ff 5900 aa",
                #""type":255,"name":"Manufacturer Specific Data","value":"5900aa","company":89,"data":"aa""#
            ),
            ("02ff 59", #""type":255,"name":"Manufacturer Specific Data","value":"59""#),
            ("02ee01", #""type":238,"value":"01""#),
        ])
    func oneStructure(hex: String, members: String) {
        #expect(structures(hex) == ",\"structures\":[{\"offset\":0,\(members)}]")
    }

    /// Where the walk ends before the data do, and which byte is wrong.
    @Test(
        arguments: [
            ("", "[]"),
            ("02ee01 02ee02", #"[{"offset":0,"type":238,"value":"01"},{"offset":3,"type":238,"value":"02"}]"#),
            ("02ee01 0000", #"[{"offset":0,"type":238,"value":"01"}],"stopped":{"offset":3,"reason":"zeroLength"}"#),
            (
                "02ee01 04ee02",
                #"[{"offset":0,"type":238,"value":"01"}],"stopped":{"offset":3,"reason":"adLengthOverrun"}"#
            ),
            (
                "02ee01 000005",
                #"[{"offset":0,"type":238,"value":"01"}],"stopped":{"offset":5,"reason":"adNonzeroAfterZeroLength"}"#
            ),
        ])
    func theEnd(hex: String, rest: String) {
        #expect(structures(hex) == ",\"structures\":" + rest)
    }

    /// After the members that were there before; manufacturer data alone have no place in an advertisement.
    @Test func eachReportHasItsStructures() {
        for (hex, rest) in [
            (
                "02ee01",
                #""reports":[{"beacons":[],"structures":[{"offset":0,"type":238,"value":"01"}]}],"malformed":{}}"#
            ),
            (
                "4c000112",
                #""reports":[{"beacons":[],"structures":[{"type":255,"name":"Manufacturer Specific Data","value":"4c000112","company":76,"data":"0112"}]}],"malformed":{}}"#
            ),
            (
                "043e0f020103000102030405060302ee01c8",
                #""beacons":[],"structures":[{"offset":0,"type":238,"value":"01"}]}],"malformed":{}}"#
            ),
        ] {
            let text = explanation([UInt8](hex: hex))
            #expect(text.hasSuffix(rest), "\(text)")
        }
    }
}
