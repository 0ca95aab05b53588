import Foundation
import Testing

/// Imports go one way only: the module table, as a test.
@Suite struct LayeringTests {
    /// For each module, the modules of ours and of packages that it may import. Foundation and the standard library's
    /// modules are everybody's.
    static let allowed: [String: Set<String>] = {
        let nio: Set = ["NIOCore", "NIOPosix"]
        func backend(_ modules: String...) -> Set<String> { Set(["ProbeKit", "ProbeNet"] + modules) }
        return [
            // What a backend's or a policy's author reads asks for nothing.
            "ProbeKit": [],
            "ProbePlatform": ["FoundationEssentials", "Glibc", "Musl", "Darwin", "CProbeIDN2"],
            "ProbePins": ["ProbeKit", "Crypto"],
            "ProbePacking": ["ProbeKit", "CProbeZlib", "CProbeZstd"],
            "ProbeDNS": ["ProbeKit"],
            "ProbeTrust": ["ProbeKit", "ProbePins", "Crypto", "CryptoExtras", "X509", "SwiftASN1"],
            "ProbeRoots": ["ProbeKit", "ProbeTrust", "ProbePacking", "CProbeRoots", "SwiftASN1"],
            "ProbeClients": [
                "ProbeKit", "ProbePins", "ProbeTrust", "ProbeRoots", "ProbeRun", "ProbeProfiles", "ProbeYAML",
                "CProbeClients",
            ],
            "ProbeSignatures": ["ProbeKit", "ProbeTrust", "Crypto", "X509", "SwiftASN1"],
            "ProbeRun": ["ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "Logging"],
            "ProbeReport": ["ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeRun"],
            "ProbeSHA256": ["ProbeKit", "ProbePins", "CProbeSHA256"],
            "ProbeNet": nio.union(["ProbeKit", "ProbeDNS", "CProbeSettings", "NIOHTTP1", "NIOHTTP2"]),
            "ProbeYAML": ["ProbeKit", "Yams"],
            "ProbeProfiles": [
                "ProbeKit", "ProbePins", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbePacking", "ProbeYAML",
            ],
            "ProbeStore": ["ProbeKit", "ProbePins", "ProbeRun", "GRDB"],
            "ProbeScan": [
                "ProbeKit", "ProbePins", "ProbeRun", "ProbeReport", "ProbeNet", "ProbePacking", "ProbeStore",
            ],
            // The owners of OpenSSL's objects, its engine and its decision, which three backends share.
            "ProbeOpenSSL": ["ProbeKit", "ProbePins", "ProbeSHA256", "ProbeNet", "CProbeOpenSSL"],
            "TransportOpenSSL": backend("ProbeSignatures", "ProbeOpenSSL", "CProbeOpenSSL"),
            "TransportGnuTLS": backend("ProbePins", "ProbeSignatures", "CProbeGnuTLS"),
            // The owners of libcurl's objects and its one thread, which two backends share instead of having them twice.
            "ProbeCurl": ["ProbeKit", "ProbeTrust", "CProbeCurl"],
            // libcurl's OpenSSL flavour hands out OpenSSL's own objects.
            "TransportCurl": backend("ProbePins", "ProbeCurl", "CProbeCurl", "ProbeOpenSSL", "CProbeOpenSSL"),
            "ResolverDoH": backend("ProbeCurl", "CProbeCurl", "ProbeOpenSSL", "CProbeOpenSSL"),
            "TransportNIOSSL": backend(
                "ProbePins", "ProbeSHA256", "CNIOBoringSSL", "CNIOBoringSSLShims", "NIOSSL", "CProbeBoringSSL"),
            "ResolverLDNS": backend("ProbeDNS", "CProbeLDNS"),
            "ResolverCAres": backend("ProbeDNS", "CProbeCAres"),
            "ResolverUnbound": backend("ProbeDNS", "CProbeUnbound"),
            "ProbeLab": nio.union([
                "ProbeKit", "ProbePins", "ProbeDNS", "NIOHTTP1", "NIOHTTP2", "NIOSSL", "CProbeBoringSSL", "Crypto",
                "CryptoExtras", "X509", "SwiftASN1",
            ]),
            "ProbeConformance": [
                "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbeReport",
                "ProbeNet", "ProbeLab",
            ],
            "ProbeExternal": ["ProbeKit", "ProbePins", "Subprocess", "SystemPackage"],
            "ProbeConformanceTesting": ["ProbeKit", "ProbeLab", "ProbeConformance", "Testing"],
            // The exporter, and the server under it.
            "ProbeServe": [
                "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeRun", "ProbeReport", "ProbeNet",
                "ProbeProfiles", "ProbeYAML", "ProbeClients",
                "CProbeCrypt", "Crypto", "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "NIOPosix", "NIOSSL",
                "NIOHTTP1", "HTTPTypes",
                "NIOCore", "Logging", "ServiceLifecycle", "Metrics", "UnixSignals",
            ],
            "ProbeMatch": ["ProbeKit", "ProbePins", "ProbeSHA256", "ProbePacking"],
            "ProbeSurvey": ["ProbeKit"],
            "ProbeBench": ["ProbeKit", "ProbePins", "ProbeTrust", "ProbeRun", "ProbeSHA256", "ProbeLab"],
            "ProbeCommand": [
                "ProbeKit", "ProbePins", "ProbeDNS", "ProbeTrust", "ProbeSignatures", "ProbeRun", "ProbeReport",
                "ProbeNet", "ProbeProfiles", "ProbeStore", "ProbeScan", "ProbeLab", "ProbeConformance", "ProbeExternal",
                "ProbeBench", "ProbeMatch", "ProbePacking", "ProbeRoots", "ProbeClients", "ProbeServe", "ProbeSurvey",
                "ArgumentParser", "Logging", "Subprocess", "SystemPackage",
            ],
            "probe": [
                "ProbeKit", "ProbePins", "ProbeNet", "ProbeCommand", "ProbeBench", "TransportOpenSSL",
                "TransportGnuTLS",
                "TransportNIOSSL", "ResolverLDNS", "ResolverCAres", "ResolverUnbound", "ResolverDoH", "TransportCurl",
            ],
        ]
    }()

    static let everybodys: Set<String> = [
        "Swift", "Synchronization", "Dispatch", "Foundation", "FoundationXML", "CoreFoundation", "ProbePlatform",
    ]

    @Test(arguments: allowed.keys.sorted())
    func importsStayWithinTheTable(module: String) throws {
        let allowed = try #require(Self.allowed[module]).union(Self.everybodys)
        let files = try SourceTree.files(of: module)
        #expect(!files.isEmpty, "\(module) has no sources")
        for file in files {
            for name in try SourceTree.imports(of: file) {
                #expect(allowed.contains(name), "\(file.lastPathComponent) imports \(name)")
            }
        }
    }

    @Test func everyModuleIsInTheTable() throws {
        #expect(Set(try SourceTree.modules()) == Set(Self.allowed.keys))
    }

    static let backends = allowed.keys.filter { $0.hasPrefix("Transport") || $0.hasPrefix("Resolver") }.sorted()

    /// Code that two backends share is in a module of its own, like `ProbeOpenSSL`: siblings stay apart.
    @Test(arguments: backends)
    func noBackendImportsAnother(module: String) throws {
        let imports = Set(try SourceTree.files(of: module).flatMap(SourceTree.imports))
        #expect(imports.intersection(Self.backends) == [])
    }

    /// An allowed import that is never used would permit the next mistake.
    @Test(arguments: allowed.keys.sorted())
    func everyAllowanceIsUsed(module: String) throws {
        let used = Set(try SourceTree.files(of: module).flatMap(SourceTree.imports))
        #expect(try #require(Self.allowed[module]).subtracting(used) == [])
    }

    /// Modules that a package has and does not offer, by package. They may change in any release, so that release is
    /// pinned.
    private static let privateModules = ["CNIOBoringSSL": "swift-nio-ssl", "CNIOBoringSSLShims": "swift-nio-ssl"]

    @Test("a package whose private modules are imported is pinned exactly") func privateModulesArePinned() throws {
        let manifest = try String(contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
        let offered = Set(manifest.matches(of: #/\.product\(\s*name: "(\w+)"/#).map { String($0.1) })
        let imported = Set(Self.allowed.filter { $0.key != "ProbePlatform" }.values.joined())
            .subtracting(Self.allowed.keys)
        let notOffered = imported.subtracting(offered).filter { !$0.hasPrefix("CProbe") && $0 != "Testing" }
        #expect(notOffered == Set(Self.privateModules.keys))
        for package in Set(Self.privateModules.values) {
            #expect(
                manifest.contains("/\(package)\", exact: \""),
                "\(package) is not pinned, and a module it does not offer is imported")
        }
    }

    /// C types never leave their backend: no public declaration's file may import a C module publicly.
    @Test(arguments: allowed.keys.sorted())
    func noCModuleIsImportedPublicly(module: String) throws {
        for file in try SourceTree.files(of: module) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(#/public import C(?:Probe|NIO)/#), "\(file.lastPathComponent)")
        }
    }
}
