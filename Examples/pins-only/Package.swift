// swift-tools-version: 6.3

import PackageDescription

// Pins and nothing else: without traits no SwiftNIO, no swift-certificates, no GRDB and no Yams is resolved or built.
let package = Package(
    name: "pins-only",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "ProbeKit", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "pins-only",
            dependencies: [
                .product(name: "ProbeKit", package: "ProbeKit"),
                .product(name: "ProbePins", package: "ProbeKit"),
            ])
    ]
)
