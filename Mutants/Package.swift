// swift-tools-version: 6.3

import PackageDescription

// A package of its own, so that nobody who uses ProbeKit builds swift-syntax.
let package = Package(
    name: "Mutants",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // Writes mutants into sources, runs the tests that reach each, and tells which noticed.
        .target(
            name: "Mutation",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftOperators", package: "swift-syntax"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        .executableTarget(
            name: "mutants",
            dependencies: ["Mutation", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .testTarget(name: "MutationTests", dependencies: ["Mutation"]),
    ],
    swiftLanguageModes: [.v6]
)
