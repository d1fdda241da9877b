// libFuzzer's entry. All targets are in one binary; SKERRY_FUZZ names the one to run.

import Glibc

private let targets: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
    ("btsnoop", { bytes in Containers.run(Containers.btsnoop, bytes) }),
    ("pcap", { bytes in Containers.run(Containers.pcap, bytes) }),
    ("pcapng", { bytes in Containers.run(Containers.pcapng, bytes) }),
    ("packetlogger", { bytes in Containers.run(Containers.packetLogger, bytes) }),
    ("hcidump", { bytes in Containers.run(Containers.hcidump, bytes) }),
    ("hci", Payloads.hci),
    ("h4", Payloads.h4),
    ("linklayer", Payloads.linkLayer),
    ("ad", Payloads.advertisingData),
    ("gpsd", Receivers.gpsd),
]

private let target: @Sendable ([UInt8]) -> Void = {
    let name = getenv("SKERRY_FUZZ").map { String(cString: $0) } ?? ""
    guard let found = targets.first(where: { $0.name == name }) else {
        fatalError("SKERRY_FUZZ must be one of: " + targets.map(\.name).joined(separator: " "))
    }
    return found.run
}()

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    target([UInt8](UnsafeBufferPointer(start: data, count: size)))
    return 0
}
