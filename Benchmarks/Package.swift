// swift-tools-version: 6.2

import PackageDescription

// What is counted rather than timed: heap allocations and instructions of the hash path, held to `thresholds.json`.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "ProbeKit", path: "..")],
    targets: [
        .executableTarget(
            name: "counted",
            dependencies: [
                .product(name: "ProbeKit", package: "ProbeKit"),
                .product(name: "ProbeSHA256", package: "ProbeKit"),
                .product(name: "ProbeAllocations", package: "ProbeKit"),
                .product(name: "ProbeBench", package: "ProbeKit"),
                .product(name: "ProbeLab", package: "ProbeKit"),
                .product(name: "TransportOpenSSL", package: "ProbeKit"),
                .product(name: "TransportGnuTLS", package: "ProbeKit"),
                .product(name: "TransportNIOSSL", package: "ProbeKit"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
