import Foundation

/// The files of a new package, which builds and keeps every promise from the first day: a backend that declares no
/// capability is asked for nothing, and has only to refuse.
struct PackageTemplate {
    private let backend: BackendName
    private let kit: URL

    /// - Parameter kit: the folder of the package that has `ProbeKit`.
    init(_ backend: BackendName, kit: URL) {
        self.backend = backend
        self.kit = kit
    }

    /// The files of the package, by path.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest),
            ("Sources/\(backend.module)/\(backend.type).swift", source),
            ("Sources/probe-\(backend.option)/main.swift", main),
            ("Tests/\(backend.module)Tests/ConformanceTests.swift", test),
            ("README.md", readme),
            (".gitignore", ".build/\nPackage.resolved\n"),
        ]
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.3

        import PackageDescription

        let package = Package(
            name: "\(backend.module)",
            platforms: [.macOS(.v26)],
            products: [
                .library(name: "\(backend.module)", targets: ["\(backend.module)"]),
                .executable(name: "probe-\(backend.option)", targets: ["probe-\(backend.option)"]),
            ],
            dependencies: [
                .package(name: "ProbeKit", path: "\(kit.path)")
            ],
            targets: [
                .target(
                    name: "\(backend.module)",
                    dependencies: [
                        .product(name: "ProbeKit", package: "ProbeKit"),
                        .product(name: "ProbeNet", package: "ProbeKit"),
                    ]),
                .executableTarget(
                    name: "probe-\(backend.option)",
                    dependencies: [
                        "\(backend.module)",
                        .product(name: "ProbeCommand", package: "ProbeKit"),
                    ]),
                .testTarget(
                    name: "\(backend.module)Tests",
                    dependencies: [
                        "\(backend.module)",
                        .product(name: "ProbeConformanceTesting", package: "ProbeKit"),
                    ]),
            ]
        )

        """
    }

    private var source: String {
        switch backend.kind {
        case .transport: transport
        case .resolver: resolver
        }
    }

    private var transport: String {
        """
        public import ProbeKit

        /// \(backend.library) as a transport.
        public struct \(backend.type): Transport {
            /// `\(backend.option)`, with the version of the library as loaded.
            public let identity = BackendIdentity(name: "\(backend.option)", library: "\(backend.library)", version: "0")

            /// A capability that is not declared is never asked for.
            public let capabilities: Set<TransportCapability> = []

            public init() {}

            public func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
                HandshakeReport(failure: HandshakeFailure(.unsupported, "\(backend.option) does no handshakes"))
            }

            public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
                .unanswered("\(backend.option) does not decide on trust")
            }

            public func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
                .unanswered("\(backend.option) reads no keys")
            }
        }

        """
    }

    private var resolver: String {
        """
        public import ProbeKit

        /// \(backend.library) as a resolver.
        public struct \(backend.type): Resolver {
            /// `\(backend.option)`, with the version of the library as loaded.
            public let identity = BackendIdentity(name: "\(backend.option)", library: "\(backend.library)", version: "0")

            /// A capability that is not declared is never asked for.
            public let capabilities: Set<ResolverCapability> = []

            public init() {}

            public func resolve(_ query: DNSQuery) async -> DNSReport {
                DNSReport(attempts: [])
            }
        }

        """
    }

    private var main: String {
        let (transports, resolvers) =
            backend.kind == .transport ? ("[\(backend.type)()]", "[]") : ("[]", "[\(backend.type)()]")
        return """
            import ProbeCommand
            import \(backend.module)

            await ProbeCommand.main(transports: \(transports), resolvers: \(resolvers), digesters: [])

            """
    }

    private var test: String {
        let (requirement, function) =
            backend.kind == .transport
            ? ("TransportRequirement", "\(backend.option)Transport")
            : ("ResolverRequirement", "\(backend.option)Resolver")
        return """
            import ProbeConformanceTesting
            import Testing
            import \(backend.module)

            @Test(arguments: \(requirement).all)
            func \(function)(meets requirement: \(requirement)) async throws {
                try await requirement.verify(\(backend.type)())
            }

            """
    }

    private var readme: String {
        """
        # \(backend.module)

        \(backend.library) as a \(backend.kind.rawValue.lowercased()) of `probe`.

            swift test                                  hold it to every promise
            swift run probe-\(backend.option) backends              the command, with this backend in it
            swift run probe-\(backend.option) conformance           every promise as a matrix

        Declare one capability after the other; each brings cases that the test then holds the backend to.

        """
    }
}
