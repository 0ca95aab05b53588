// swift-tools-version: 6.3

import PackageDescription

/// Every target of ours is built with these: what Swift 7 will make the default, strict memory safety, and no warning let
/// through.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .treatWarning("ExplicitSendable", as: .error),
]

// A dependency under a trait is neither resolved nor built for a package that turns the trait off. Without any trait there
// are `ProbeKit`, `ProbePins`, `ProbeDNS`, `ProbeSHA256` and `ProbeMatch`.
let trust: TargetDependencyCondition? = .when(traits: ["Trust"])
let probing: TargetDependencyCondition? = .when(traits: ["Probing"])
let files: TargetDependencyCondition? = .when(traits: ["Files"])
let command: TargetDependencyCondition? = .when(traits: ["Command"])
let serve: TargetDependencyCondition? = .when(traits: ["Serve"])

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto", condition: trust)
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates", condition: trust)
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1", condition: trust)
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio", condition: probing)
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio", condition: probing)
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio", condition: probing)
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio", condition: probing)
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio", condition: probing)
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: probing)
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl", condition: probing)
let arguments: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: command)
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system", condition: probing)
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log", condition: probing)
let yams: Target.Dependency = .product(name: "Yams", package: "Yams", condition: files)
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: files)
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess", condition: probing)

let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird", condition: serve)
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird", condition: serve)
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird", condition: serve)
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: serve)
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: serve)
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics", condition: serve)
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types", condition: serve)

/// The header of a C library, and its functions, which open it (`CProbeLibrary`).
func opened(_ name: String, _ libraries: [String], besides others: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: ["CProbeLibrary"] + others,
        linkerSettings: libraries.map { .linkedLibrary($0, .when(platforms: [.macOS])) })
}

let package = Package(
    name: "ProbeKit",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "ProbeKit", targets: ["ProbeKit"]),
        .library(name: "ProbePins", targets: ["ProbePins"]),
        .library(name: "ProbeDNS", targets: ["ProbeDNS"]),
        .library(name: "ProbeTrust", targets: ["ProbeTrust"]),
        .library(name: "ProbeRoots", targets: ["ProbeRoots"]),
        .library(name: "ProbeClients", targets: ["ProbeClients"]),
        .library(name: "ProbeSignatures", targets: ["ProbeSignatures"]),
        .library(name: "ProbeRun", targets: ["ProbeRun"]),
        .library(name: "ProbeReport", targets: ["ProbeReport"]),
        .library(name: "ProbeScan", targets: ["ProbeScan"]),
        .library(name: "ProbeSHA256", targets: ["ProbeSHA256"]),
        .library(name: "ProbeMatch", targets: ["ProbeMatch"]),
        .library(name: "ProbeSurvey", targets: ["ProbeSurvey"]),
        .library(name: "ProbeNet", targets: ["ProbeNet"]),
        .library(name: "TransportOpenSSL", targets: ["TransportOpenSSL"]),
        .library(name: "TransportGnuTLS", targets: ["TransportGnuTLS"]),
        .library(name: "TransportCurl", targets: ["TransportCurl"]),
        .library(name: "TransportNIOSSL", targets: ["TransportNIOSSL"]),
        .library(name: "ResolverLDNS", targets: ["ResolverLDNS"]),
        .library(name: "ResolverCAres", targets: ["ResolverCAres"]),
        .library(name: "ResolverUnbound", targets: ["ResolverUnbound"]),
        .library(name: "ResolverDoH", targets: ["ResolverDoH"]),
        .library(name: "ProbeExternal", targets: ["ProbeExternal"]),
        .library(name: "ProbeProfiles", targets: ["ProbeProfiles"]),
        .library(name: "ProbeStore", targets: ["ProbeStore"]),
        .library(name: "ProbeLab", targets: ["ProbeLab"]),
        .library(name: "ProbeConformance", targets: ["ProbeConformance"]),
        .library(name: "ProbeConformanceTesting", targets: ["ProbeConformanceTesting"]),
        .library(name: "ProbeBench", targets: ["ProbeBench"]),
        .library(name: "ProbeServe", targets: ["ProbeServe"]),
        .library(name: "ProbeCommand", targets: ["ProbeCommand"]),
        // For the package in `Fuzz`.
        .library(name: "FuzzBytes", targets: ["FuzzBytes"]),
        .library(name: "FuzzFiles", targets: ["FuzzFiles"]),
        .library(name: "FuzzCommand", targets: ["FuzzCommand"]),
        .executable(name: "probe", targets: ["probe"]),
        .plugin(name: "NewBackend", targets: ["NewBackend"]),
    ],
    // Each enables at most one other: the compiler's arguments have the traits in the order in which they are found, and
    // an order that changes builds everything anew.
    traits: [
        .trait(name: "Trust", description: "Chains and signatures judged offline: swift-certificates."),
        .trait(name: "Probing", description: "Backends and the prober: SwiftNIO.", enabledTraits: ["Trust"]),
        .trait(
            name: "Files", description: "Files of pins, and what is kept between runs: Yams, GRDB.",
            enabledTraits: ["Probing"]),
        .trait(name: "Command", description: "The command line as a library.", enabledTraits: ["Files"]),
        .trait(name: "Serve", description: "The exporter: Hummingbird.", enabledTraits: ["Command"]),
        .default(enabledTraits: ["Serve"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        // Exactly: TransportNIOSSL imports its BoringSSL, a module that the package does not offer and may change in any
        // release (docs/backends.md).
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // Foundation, the C library of the platform, and the conversion of host names outside ASCII, for every other target.
        .systemLibrary(name: "CProbeIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .target(
            name: "ProbePlatform",
            dependencies: [
                .target(name: "CProbeIDN2", condition: .when(platforms: [.linux], traits: ["Probing"]))
            ]),
        // The contract: what the author of a backend or a policy reads.
        .target(name: "ProbeKit"),
        // Packed bytes: gzip, ZIP's and Zstandard; the lines of files, packed or not.
        .systemLibrary(name: "CProbeZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CProbeZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "ProbePacking", dependencies: ["ProbeKit", "CProbeZlib", "CProbeZstd"]),
        // From the bytes of a certificate to the answer of a pin.
        .target(name: "ProbePins", dependencies: ["ProbeKit", crypto]),
        // What a DNS reply says, and whether a model is on the list in it.
        .target(name: "ProbeDNS", dependencies: ["ProbeKit"]),
        // Who vouches for a chain: the reference verifier, files of certificates, and the policies about trust.
        .target(name: "ProbeTrust", dependencies: ["ProbeKit", "ProbePins", crypto, cryptoExtras, x509, asn1]),
        // Root stores by name and day; the shipped ones are text in the program itself, written by Scripts/roots.
        .target(name: "CProbeRoots", exclude: ["roots.txt"]),
        .target(
            name: "ProbeRoots",
            dependencies: ["ProbeKit", "ProbeTrust", "ProbePacking", "CProbeRoots", asn1]),
        // Detached CMS signatures.
        .target(
            name: "ProbeSignatures", dependencies: ["ProbeKit", "ProbeTrust", crypto, x509, asn1]),
        // The doing of it: the prober, its checks, its caches and its watch.
        .target(
            name: "ProbeRun", dependencies: ["ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", logging]),
        // What people and scripts are shown.
        .target(
            name: "ProbeReport", dependencies: ["ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeRun"]),
        // SHA-256 of many messages at once, and the padded end of one.
        .target(name: "CProbeSHA256"),
        .target(name: "ProbeSHA256", dependencies: ["ProbeKit", "ProbePins", "CProbeSHA256"]),
        // Sets aside the settings that libraries would take from the environment.
        .target(name: "CProbeSettings"),
        .target(
            name: "ProbeNet",
            dependencies: ["ProbeKit", "CProbeSettings", "ProbeDNS", nioCore, nioPosix, nioHTTP1, nioHTTP2]),
        // YAML files within bounds, with errors that name the place.
        .target(name: "ProbeYAML", dependencies: ["ProbeKit", yams]),
        // Existing files of pins: reading, writing, checking and comparing them.
        .target(
            name: "ProbeProfiles",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbePacking", "ProbeYAML",
            ]),
        // Clients as they were shipped; their facts are text in the program itself, from the files in Clients.
        .target(name: "CProbeClients"),
        .target(
            name: "ProbeClients",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeTrust", "ProbeRoots", "ProbeRun", "ProbeProfiles", "ProbeYAML",
                "CProbeClients",
            ]),
        // What a server offers, by ClientHellos of our choice.
        .target(name: "ProbeSurvey", dependencies: ["ProbeKit"]),
        // Pins in any number of certificates.
        .target(name: "ProbeMatch", dependencies: ["ProbeKit", "ProbePins", "ProbeSHA256", "ProbePacking"]),
        // What is kept between runs and asked in SQL, in SQLite files.
        .target(name: "ProbeStore", dependencies: ["ProbeKit", "ProbePins", "ProbeRun", grdb]),
        // Long lists of targets, some at a time: reading them, probing, lines, and going on with an earlier run.
        .target(
            name: "ProbeScan",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeRun", "ProbeReport", "ProbeNet", "ProbePacking", "ProbeStore",
            ]),

        // A shared library that is opened when one of its functions is first called: a run asks few backends.
        .target(name: "CProbeLibrary"),
        // The connection of the bare clients that handshakes are measured against.
        .target(name: "CProbeFloor"),
        opened("CProbeOpenSSL", ["ssl", "crypto"], besides: ["CProbeFloor"]),
        // The owners of OpenSSL's objects, its engine and its decision, for its own backend and the two over libcurl.
        .target(
            name: "ProbeOpenSSL", dependencies: ["ProbeKit", "ProbePins", "ProbeSHA256", "ProbeNet", "CProbeOpenSSL"]),
        .target(
            name: "TransportOpenSSL",
            dependencies: ["ProbeKit", "ProbeSignatures", "ProbeNet", "ProbeOpenSSL", "CProbeOpenSSL"]),
        opened("CProbeGnuTLS", ["gnutls"], besides: ["CProbeFloor"]),
        .target(
            name: "TransportGnuTLS",
            dependencies: ["ProbeKit", "ProbePins", "ProbeSignatures", "ProbeNet", "CProbeGnuTLS"]),
        opened("CProbeCurl", ["curl"]),
        // The owners of libcurl's objects and the thread of its multi interface, for the two backends that use it.
        .target(name: "ProbeCurl", dependencies: ["ProbeKit", "ProbeTrust", "CProbeCurl"]),
        // libcurl's OpenSSL flavour hands out OpenSSL's own objects.
        .target(
            name: "TransportCurl",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeNet", "ProbeOpenSSL", "ProbeCurl", "CProbeCurl", "CProbeOpenSSL",
            ]),
        .target(
            name: "ResolverDoH",
            dependencies: ["ProbeKit", "ProbeNet", "ProbeOpenSSL", "ProbeCurl", "CProbeCurl", "CProbeOpenSSL"]),
        .target(name: "CProbeBoringSSL", dependencies: ["CProbeFloor", nioSSL]),
        .target(
            name: "TransportNIOSSL",
            dependencies: ["ProbeKit", "ProbePins", "ProbeSHA256", "ProbeNet", "CProbeBoringSSL", nioSSL]),
        opened("CProbeLDNS", ["ldns"]),
        .target(name: "ResolverLDNS", dependencies: ["ProbeKit", "ProbeDNS", "ProbeNet", "CProbeLDNS"]),
        opened("CProbeCAres", ["cares"]),
        .target(name: "ResolverCAres", dependencies: ["ProbeKit", "ProbeDNS", "ProbeNet", "CProbeCAres"]),
        opened("CProbeUnbound", ["unbound"]),
        .target(name: "ResolverUnbound", dependencies: ["ProbeKit", "ProbeDNS", "ProbeNet", "CProbeUnbound"]),

        // Backends that are programs in any language.
        .target(name: "ProbeExternal", dependencies: ["ProbeKit", "ProbePins", subprocess, systemPackage]),

        .target(
            name: "ProbeLab",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeDNS", "CProbeBoringSSL", nioCore, nioPosix, nioHTTP1, nioHTTP2, nioSSL,
                crypto, cryptoExtras, x509, asn1,
            ]),
        .target(
            name: "ProbeConformance",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbeReport",
                "ProbeNet", "ProbeLab",
            ]),
        // The same for Swift Testing, which no program of ours links.
        .target(name: "ProbeConformanceTesting", dependencies: ["ProbeKit", "ProbeLab", "ProbeConformance"]),
        // What `probe bench` measures, and how.
        .target(
            name: "ProbeBench",
            dependencies: ["ProbeKit", "ProbePins", "ProbeTrust", "ProbeRun", "ProbeSHA256", "ProbeLab"]),
        // crypt(3), for the passwords of the exporter.
        .systemLibrary(name: "CProbeCrypt", providers: [.apt(["libcrypt-dev"])]),
        // The exporter: what Prometheus scrapes.
        .target(
            name: "ProbeServe",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeRun", "ProbeReport", "ProbeNet",
                "ProbeProfiles", "ProbeYAML", "ProbeClients", "CProbeCrypt", crypto, hummingbird, hummingbirdCore,
                hummingbirdTLS, nioPosix, nioHTTP1, nioSSL, lifecycle, signals, metrics, httpTypes, nioCore, logging,
            ]),
        // Ends a program that may have too little memory for its threads, with a reason.
        .target(name: "CProbeLimits"),
        .target(
            name: "ProbeCommand",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbeReport",
                "ProbeNet", "ProbeProfiles", "ProbeStore", "ProbeScan", "ProbeLab", "ProbeConformance", "ProbeExternal",
                "ProbeBench", "ProbeMatch", "ProbePacking", "ProbeRoots", "ProbeClients", "ProbeSurvey", "CProbeLimits",
                .target(name: "ProbeServe", condition: serve), arguments, logging, subprocess, systemPackage,
            ]),
        .executableTarget(
            name: "probe",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeNet", "ProbeCommand", "ProbeBench", "TransportOpenSSL",
                "TransportGnuTLS", "TransportNIOSSL", "ResolverLDNS", "ResolverUnbound",
                // These use eventfd(2) and prctl(2).
                .target(name: "ResolverCAres", condition: .when(platforms: [.linux])),
                .target(name: "ResolverDoH", condition: .when(platforms: [.linux])),
                .target(name: "TransportCurl", condition: .when(platforms: [.linux])),
            ]),

        .plugin(
            name: "NewBackend",
            capability: .command(
                intent: .custom(
                    verb: "new-backend",
                    description: "Write a package for a TLS or DNS backend, with its conformance test."))),

        // Programs that link one module each, for the test that asks the loader what came along.
        .executableTarget(
            name: "linkage-kit", dependencies: ["ProbeKit", "ProbePins"], path: "Tests/Linkage/KitAlone"),
        .executableTarget(
            name: "linkage-gnutls", dependencies: ["ProbeKit", "TransportGnuTLS"], path: "Tests/Linkage/GnuTLSAlone"),
        .executableTarget(
            name: "linkage-openssl", dependencies: ["ProbeKit", "TransportOpenSSL"], path: "Tests/Linkage/OpenSSLAlone"),
        .executableTarget(
            name: "linkage-nio", dependencies: ["ProbeKit", "TransportNIOSSL"], path: "Tests/Linkage/NIOSSLAlone"),
        // A program that is killed over its cache, and what it does.
        .target(
            name: "StoreWorkload", dependencies: ["ProbeKit", "ProbeDNS", "ProbeRun"], path: "Tests/StoreWorkload"),
        .executableTarget(
            name: "store-writer", dependencies: ["ProbeKit", "ProbeRun", "ProbeStore", "StoreWorkload"],
            path: "Tests/StoreWriter"),
        // What libFuzzer runs in the package `Fuzz`, and the tests on every kept input. They are apart because a program
        // that has less code in it runs more often.
        .target(
            name: "FuzzBytes", dependencies: ["ProbeKit", "ProbePins", "ProbeDNS"], path: "Tests/Fuzzing/Bytes"),
        .target(
            name: "FuzzFiles",
            dependencies: [
                "FuzzBytes", "ProbeKit", "ProbePins", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbeNet",
                "ProbeCurl", "ProbeProfiles", "ProbeStore", "ProbeExternal", "ProbeYAML", x509, asn1,
            ],
            path: "Tests/Fuzzing/Files"),
        .target(
            name: "FuzzCommand", dependencies: ["FuzzBytes", "ProbeScan", "ProbePacking", "ProbeKit"],
            path: "Tests/Fuzzing/Command"),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["FuzzBytes", "FuzzFiles", "FuzzCommand", subprocess]),
        // What the tests share.
        .target(
            name: "ProbeTestSupport", dependencies: ["ProbeKit", "ProbeNet", "ProbeLab", subprocess],
            path: "Tests/Support"),
        .testTarget(
            name: "ArchitectureTests",
            dependencies: [
                "linkage-kit", "linkage-gnutls", "linkage-openssl", "linkage-nio", "ProbeTestSupport", subprocess,
            ]),

        .testTarget(
            name: "ProbeMatchTests",
            dependencies: ["ProbeMatch", "ProbeKit", "ProbePins", "ProbePacking", "ProbeLab", "ProbeTestSupport"]),
        .testTarget(
            name: "ProbePackingTests", dependencies: ["ProbePacking", "ProbeKit", "ProbeTestSupport", subprocess]),
        .testTarget(
            name: "ProbeReportTests", dependencies: ["ProbeReport", "ProbeKit", "ProbeRun", "ProbeTestSupport"]),
        .testTarget(name: "ProbeSurveyTests", dependencies: ["ProbeSurvey", "ProbeKit", "ProbeTestSupport"]),
        .testTarget(name: "ProbeYAMLTests", dependencies: ["ProbeYAML", "ProbeKit", "ProbeTestSupport"]),
        .testTarget(
            name: "ProbeProfilesTests",
            dependencies: [
                "ProbeProfiles", "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeSignatures", "ProbeRun",
                "ProbeLab", "ProbeTestSupport", yams,
            ]),
        .testTarget(
            name: "ProbeRootsTests",
            dependencies: ["ProbeRoots", "ProbeKit", "ProbePins", "ProbeTrust", "ProbeLab", "ProbeTestSupport"]),
        .testTarget(
            name: "ProbeClientsTests",
            dependencies: [
                "ProbeClients", "ProbeKit", "ProbePins", "ProbeTrust", "ProbeRoots", "ProbeRun", "ProbeLab",
                "ProbeTestSupport", "TransportOpenSSL",
            ]),
        .testTarget(
            name: "ProbeStoreTests",
            dependencies: [
                "ProbeStore", "ProbeKit", "ProbePins", "ProbeRun", "ProbeLab", "ProbeTestSupport", "StoreWorkload",
                "store-writer", grdb,
            ]),
        .testTarget(
            name: "ProbeScanTests",
            dependencies: [
                "ProbeScan", "ProbeKit", "ProbeNet", "ProbePacking", "ProbeRun", "ProbeTestSupport", nioCore, nioPosix,
            ]),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "ProbeKit", "ProbeSignatures", "ProbeRun", "ProbeProfiles", "ProbeLab", "ProbeTestSupport",
                "TransportOpenSSL", "TransportGnuTLS", "TransportCurl", "TransportNIOSSL", "ResolverLDNS", yams,
            ]),
        .testTarget(
            name: "PluginTests",
            dependencies: [
                "ProbeExternal", "ProbeConformance", "ProbeClients", "ProbeTrust", "ProbeLab", "ProbePins",
                "ProbeProfiles", "ProbeKit", "ProbeTestSupport", "TransportOpenSSL", "TransportGnuTLS", subprocess,
            ]),
        // Followed with the built command at hand.
        .testTarget(name: "GuideTests", dependencies: ["probe"]),
        .testTarget(name: "RequirementsTests", dependencies: ["ProbeConformance"]),
        .testTarget(
            name: "ProbeExternalTests", dependencies: ["ProbeExternal", "ProbeKit", "ProbeTestSupport", subprocess]),
        .testTarget(
            name: "ProbeServeTests",
            dependencies: [
                "ProbeServe", "ProbeClients", "ProbeKit", "ProbePins", "ProbeTrust", "ProbeRun", "ProbeLab",
                "ProbeTestSupport", "TransportOpenSSL",
                "TransportGnuTLS", "ResolverLDNS", "ResolverUnbound", x509, asn1, httpTypes, metrics,
            ]),
        .testTarget(
            name: "ProbeSHA256Tests",
            dependencies: ["ProbeSHA256", "ProbeKit", "ProbePins", "ProbeLab", "ProbeTestSupport", "TransportOpenSSL"]),
        .testTarget(
            name: "ProbeKitTests",
            dependencies: [
                "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbeReport",
                "ProbeLab", "ProbeConformance", "ProbeTestSupport", x509, asn1, crypto, cryptoExtras,
            ]),
        .testTarget(
            name: "ProbeCommandTests",
            dependencies: [
                "probe", "ProbeCommand", "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeRun", "ProbeLab",
                "ProbePacking", "ProbeScan", "ProbeReport", "ProbeProfiles", "ProbeTestSupport", "ProbeNet", arguments,
                subprocess, systemPackage, grdb,
            ]),
        .testTarget(
            name: "ProbeLabTests",
            dependencies: ["ProbeLab", "ProbeKit", "ProbeDNS", "ProbeTrust", "ProbeTestSupport", nioCore, nioPosix]),
        .testTarget(
            name: "ProbeNetTests",
            dependencies: [
                "ProbeNet", "ProbeKit", "ProbeDNS", "ProbeLab", "ProbeTestSupport", nioCore, nioEmbedded, nioPosix,
            ]),
        .testTarget(
            name: "ProbeOpenSSLTests",
            dependencies: [
                "ProbeOpenSSL", "CProbeOpenSSL", "ProbeKit", "ProbeNet", "ProbePins", "ProbeLab", "ProbeTestSupport",
                crypto,
            ]),
        .testTarget(
            name: "TransportOpenSSLTests", dependencies: ["TransportOpenSSL", "ProbeKit", "ProbeRun", "ProbeLab"]),
        .testTarget(
            name: "TransportGnuTLSTests",
            dependencies: [
                "TransportGnuTLS", "CProbeGnuTLS", "ProbeKit", "ProbeNet", "ProbeLab", "ProbeTestSupport", subprocess,
            ]),
        .testTarget(
            name: "TransportCurlTests",
            dependencies: [
                "TransportCurl", "ProbeCurl", "ProbeKit", "ProbePins", "ProbeRun", "ProbeLab", "ProbeTestSupport",
            ]),
        .testTarget(
            name: "TransportNIOSSLTests",
            dependencies: [
                "TransportNIOSSL", "ProbeKit", "ProbePins", "ProbeNet", "ProbeLab", "ProbeTestSupport", nioSSL, nioCore,
                nioPosix, nioTLS,
            ]),
        .testTarget(
            name: "ResolverUnboundTests",
            dependencies: ["ResolverUnbound", "ProbeKit", "ProbeDNS", "ProbeRun", "ProbeLab", "ProbeTestSupport"]),
        .testTarget(
            name: "ResolverDoHTests",
            dependencies: ["ResolverDoH", "ProbeKit", "ProbeDNS", "ProbeRun", "ProbeLab", "ProbeTestSupport"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "probe",
                "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbeReport",
                "ProbeNet", "ProbeLab", "ProbeConformance", "ProbeConformanceTesting", "ProbeStore", "ProbeScan",
                "ProbeCommand", "ProbeSurvey", .target(name: "ProbeServe", condition: serve),
                "TransportOpenSSL", "TransportGnuTLS", "TransportNIOSSL", "ResolverLDNS", "ProbeTestSupport",
                subprocess, "ResolverCAres", "ResolverUnbound", "ResolverDoH", "TransportCurl", nioCore, nioPosix,
            ]),
        .testTarget(
            name: "ResolverCAresTests",
            dependencies: ["ResolverCAres", "ProbeKit", "ProbeLab", "ProbeTestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where [.regular, .test, .executable].contains(target.type) {
    target.swiftSettings = settings
    if target.name != "ProbePlatform" { target.dependencies.append("ProbePlatform") }
}
