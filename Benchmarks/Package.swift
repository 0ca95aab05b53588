// swift-tools-version: 6.3

import PackageDescription

func ours(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "ProbeKit") } }

// The programs that count: they replace malloc, which the shipped command must not.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "ProbeKit", path: ".."), .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // Counts the process's allocations, in the programs that link it.
        .target(name: "CProbeAllocations"),
        .target(name: "ProbeAllocations", dependencies: ["CProbeAllocations"] + ours("ProbeBench")),
        // `probe bench` with the figures that need the counter.
        .executableTarget(
            name: "probe-bench",
            dependencies: ["ProbeAllocations"]
                + ours(
                    "ProbeKit", "ProbeCommand", "ProbeBench", "TransportOpenSSL", "TransportGnuTLS", "TransportCurl",
                    "TransportNIOSSL", "ResolverLDNS", "ResolverCAres", "ResolverUnbound", "ResolverDoH")),
        // The handshake against a bare client whose socket SwiftNIO has as well.
        .target(name: "CLoopFloor"),
        .executableTarget(
            name: "loop-bench",
            dependencies: [
                "CLoopFloor", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ] + ours("ProbeKit", "ProbeCommand", "ProbeBench", "TransportOpenSSL")),
        // Counted rather than timed: heap allocations and instructions of the hash path, checked against
        // `thresholds.json`.
        .executableTarget(
            name: "counted",
            dependencies: ["ProbeAllocations"]
                + ours(
                    "ProbeKit", "ProbeSHA256", "ProbeBench", "ProbeLab", "TransportOpenSSL", "TransportGnuTLS",
                    "TransportNIOSSL")),
    ],
    swiftLanguageModes: [.v6]
)
