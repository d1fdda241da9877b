import SkerryCore
import Testing

@Suite("Where gpsd is")
struct GPSDAddressTests {
    @Test(
        "addresses",
        arguments: [
            ("gpsd://localhost:2947", "gpsd://localhost:2947"), ("gpsd://rover.example", "gpsd://rover.example:2947"),
            ("gpsd://", "gpsd://localhost:2947"), ("gpsd://:3000", "gpsd://localhost:3000"),
            ("gpsd://10.0.0.7:1/", "gpsd://10.0.0.7:1"), ("gpsd://[::1]", "gpsd://[::1]:2947"),
            ("gpsd://[fe80::1%eth0]:65535", "gpsd://[fe80::1%eth0]:65535"),
        ])
    func addresses(text: String, expected: String) { #expect(GPSDAddress(text)?.description == expected) }

    @Test(
        "what is none",
        arguments: [
            "", "localhost:2947", "http://localhost", "gpsd:/x", "gpsd://x:", "gpsd://x:0", "gpsd://x:65536",
            "gpsd://x:+1",
            "gpsd://x:-1", "gpsd://x:y", "gpsd://::1", "gpsd://[::1", "gpsd://[::1]2947", "gpsd://[x]", "gpsd://-x",
            "gpsd://a b",
            "gpsd://x/dev/gps0", "gpsd://x\n", "gpsd://" + String(repeating: "x", count: 256),
        ])
    func none(text: String) { #expect(GPSDAddress(text) == nil) }
}
