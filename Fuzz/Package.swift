// swift-tools-version: 6.3

import PackageDescription

func ours(_ name: String) -> Target.Dependency { .product(name: name, package: "ProbeKit") }

// A package of its own, so that nothing else is built for libFuzzer: `make fuzz` does, with its flags.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "ProbeKit", path: "..")],
    targets: [
        // The driver that `-sanitize=fuzzer` links.
        .systemLibrary(name: "CLibFuzzer"),
        .target(name: "FuzzDriver", dependencies: ["CLibFuzzer", ours("FuzzBytes")]),
        // libFuzzer looks at the counters of all code in the program after each run, so there are three.
        .executableTarget(name: "fuzz-bytes", dependencies: ["FuzzDriver", ours("FuzzBytes")]),
        .executableTarget(name: "fuzz-files", dependencies: ["FuzzDriver", ours("FuzzFiles")]),
        .executableTarget(name: "fuzz-command", dependencies: ["FuzzDriver", ours("FuzzCommand")]),
    ],
    swiftLanguageModes: [.v6]
)
