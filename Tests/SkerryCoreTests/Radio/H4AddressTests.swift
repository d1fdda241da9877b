import Testing

@testable import SkerryCore

@Suite struct H4AddressTests {
    @Test(
        "addresses",
        arguments: [
            ("/dev/ttyACM0", .serial(path: "/dev/ttyACM0", speed: 115_200, hasFlowControl: false), "/dev/ttyACM0"),
            ("/dev/ttyS1,1000000", .serial(path: "/dev/ttyS1", speed: 1_000_000, hasFlowControl: false), "/dev/ttyS1"),
            ("ttyS1,9600,crtscts", .serial(path: "ttyS1", speed: 9600, hasFlowControl: true), "ttyS1"),
            ("tcp:localhost:9001", .tcp(host: "localhost", port: 9001), "tcp:localhost:9001"),
            ("tcp:[::1]:7", .tcp(host: "::1", port: 7), "tcp:[::1]:7"),
        ] as [(String, H4Address, String)])
    func addresses(text: String, address: H4Address, description: String) {
        #expect(H4Address(text) == address)
        #expect(address.description == description)
    }

    @Test(
        "what is none",
        arguments: [
            "", ",115200", "/dev/ttyS0,", "/dev/ttyS0,0", "/dev/ttyS0,fast", "/dev/ttyS0,9600,", "/dev/ttyS0,9600,x",
            "/dev/ttyS0,9600,crtscts,", "tcp:", "tcp:host", "tcp::1", "tcp:host:", "tcp:host:0", "tcp:host:65536",
            "tcp:-h:1", "tcp:a b:1",
        ])
    func noAddresses(text: String) { #expect(H4Address(text) == nil) }
}
