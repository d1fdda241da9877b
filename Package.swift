// swift-tools-version: 6.2
import PackageDescription

let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]
// Swift 6.2 wants its `unsafe` marks elsewhere, and is not asked for them.
#if compiler(>=6.3)
    let tests = common + [.treatAllWarnings(as: .error)]
    // Not for tests: #expect expands to code that cannot carry `unsafe` marks.
    let sources = tests + [.strictMemorySafety()]
#else
    let tests = common
    let sources = common
#endif

let package = Package(
    name: "skerry",
    products: [.executable(name: "skerry", targets: ["skerry"])],
    targets: [
        // The archive, so that the program that is installed needs no further library.
        .target(
            name: "CGeographic", cxxSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary(":libGeographicLib.a")]),
        .target(
            name: "CDBus", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary(":libdbus-1.a")]),
        .target(name: "SkerryCore", dependencies: ["CGeographic"], swiftSettings: sources),
        .target(name: "CBluetooth", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CLinux", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "SkerryIO", dependencies: ["SkerryCore", "CBluetooth", "CDBus", "CLinux"], swiftSettings: sources),
        .executableTarget(
            name: "skerry", dependencies: ["SkerryIO", "SkerryCore"], exclude: ["skerry.1"], swiftSettings: sources),
        .testTarget(name: "SkerryCoreTests", dependencies: ["SkerryCore"], swiftSettings: tests),
        .testTarget(name: "SkerryIOTests", dependencies: ["SkerryIO", "SkerryCore"], swiftSettings: tests),
        .testTarget(name: "SkerryTests", dependencies: ["skerry", "SkerryCore"], swiftSettings: tests),
        .testTarget(
            name: "EndToEnd", dependencies: ["skerry"], exclude: ["goldens.txt", "regenerate-goldens"],
            swiftSettings: tests),
    ]
)
