// swift-tools-version: 6.2
import PackageDescription

// Two groups of settings: every target gets `shared`; the pure cores add strict memory safety, so that each
// unsafe expression is spelled `unsafe` and can be searched for.
let shared: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
let core: [SwiftSetting] = shared + [.strictMemorySafety()]

let package = Package(
    name: "chalkline",
    products: [.executable(name: "chalkline", targets: ["chalkline"])],
    targets: [
        // C libraries: module map and shim only.
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Pure: no clock, randomness, sockets, files or Dispatch.
        .target(name: "WireCore", dependencies: ["CZlib"], swiftSettings: core),
        .target(name: "TutorProtocol", swiftSettings: core),
        .target(name: "ScreenCore", dependencies: ["TutorProtocol"], swiftSettings: core),
        .target(name: "TutorCore", dependencies: ["ScreenCore", "TutorProtocol"], swiftSettings: core),

        // One outside thing each.
        .target(name: "Telemetry", swiftSettings: shared),
        .target(name: "NetIO", dependencies: ["CLinux", "COpenSSL"], swiftSettings: shared),
        .target(
            name: "ModelIO", dependencies: ["CCurl", "TutorCore", "TutorProtocol", "WireCore"], swiftSettings: shared),
        .target(name: "StoreIO", dependencies: ["CSQLite", "TutorCore", "TutorProtocol"], swiftSettings: shared),

        // Composition.
        .target(
            name: "TutorServer",
            dependencies: [
                "COpenSSL", "ModelIO", "NetIO", "ScreenCore", "StoreIO", "Telemetry", "TutorCore", "TutorProtocol",
                "WireCore",
            ],
            swiftSettings: shared),
        .executableTarget(name: "chalkline", dependencies: ["TutorServer"], swiftSettings: shared),

        // Measuring: the load generator and the micro-benchmarks.
        .executableTarget(
            name: "bench",
            dependencies: [
                "CLinux", "ModelIO", "NetIO", "ScreenCore", "Telemetry", "TutorCore", "TutorProtocol", "TutorServer",
                "WireCore",
            ],
            swiftSettings: shared),

        // The floor that `bench` compares with: plain C, nothing checked.
        .executableTarget(name: "epoll-echo"),

        .testTarget(name: "WireCoreTests", dependencies: ["WireCore"], swiftSettings: shared),
        .testTarget(name: "TutorProtocolTests", dependencies: ["TutorProtocol"], swiftSettings: shared),
        .testTarget(name: "ScreenCoreTests", dependencies: ["ScreenCore", "TutorProtocol"], swiftSettings: shared),
        .testTarget(
            name: "TutorCoreTests", dependencies: ["ScreenCore", "TutorCore", "TutorProtocol"], swiftSettings: shared),
        .testTarget(name: "NetIOTests", dependencies: ["COpenSSL", "NetIO"], swiftSettings: shared),
        .testTarget(
            name: "ModelIOTests", dependencies: ["ModelIO", "TutorCore", "TutorProtocol", "WireCore"],
            swiftSettings: shared),
        .testTarget(
            name: "StoreIOTests", dependencies: ["CSQLite", "StoreIO", "TutorCore", "TutorProtocol"],
            swiftSettings: shared),
        .testTarget(
            name: "TutorServerTests",
            dependencies: ["ModelIO", "NetIO", "TutorCore", "TutorProtocol", "TutorServer", "WireCore"],
            swiftSettings: shared),
    ]
)

// Fuzzing builds a package of its own: the cores, instrumented, and one binary around them. Everyday builds have
// neither. `make fuzz` sets the variable and a build folder of its own.
if Context.environment["CHALKLINE_FUZZ"] != nil {
    let instrumented: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer,address"])]
    let cores: Set<String> = ["CZlib", "WireCore", "TutorProtocol", "ScreenCore", "TutorCore"]
    package.products = []
    package.targets = package.targets.filter { cores.contains($0.name) }
    for target in package.targets where target.type == .regular {
        target.swiftSettings = (target.swiftSettings ?? []) + instrumented
        // The rest of it reads nothing raw and would be most of the build's time.
        if target.name == "TutorCore" {
            target.exclude = ["Builtin", "Checking", "Model", "Prompt", "Records", "Session"]
        }
    }
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["ScreenCore", "TutorCore", "TutorProtocol", "WireCore"],
            swiftSettings: shared + instrumented + [.enableExperimentalFeature("Extern")],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]))
}
