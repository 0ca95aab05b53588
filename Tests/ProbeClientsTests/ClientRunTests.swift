import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Synchronization
import Testing
import TransportOpenSSL

@testable import ProbeClients

/// Clients against servers of the lab: connections, verdicts, and the words for what breaks.
@Suite(.bounded) struct ClientRunTests {
    private static let pki = LabPKI(epoch: .now)

    /// Counts the handshakes of another transport.
    private final class Counting: Transport {
        let stack: OpenSSLTransport
        let count = Mutex(0)

        init() throws { stack = OpenSSLTransport() }

        var identity: BackendIdentity { stack.identity }
        var capabilities: Set<TransportCapability> { stack.capabilities }

        func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
            count.withLock { $0 += 1 }
            return await stack.handshake(request)
        }

        @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
            await stack.evaluateTrust(question)
        }

        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
            await stack.readKey(ofCertificate: certificate)
        }
    }

    /// Returns shipped clients that trust the lab's root.
    private static func clients(_ names: [String]) throws -> [Client] {
        let path = FileManager.default.temporaryDirectory.appending(path: "probe-clients-\(UUID()).pem").path
        try pki.rootPEM().write(toFile: path, atomically: true, encoding: .utf8)
        var catalogue = try ClientCatalogue.shipped()
        return try catalogue.named(names).map { client in
            var own = client
            own.roots = nil
            own.rootsFile = path
            return own
        }
    }

    private static func results(
        _ recipe: LabTLSRecipe, _ clients: [Client], through given: (any Transport)? = nil
    ) async throws -> [String: ClientResult] {
        defer { for file in Set(clients.compactMap(\.rootsFile)) { try? FileManager.default.removeItem(atPath: file) } }
        let transport: any Transport = if let given { given } else { OpenSSLTransport() }
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference, transports: [transport],
            clock: .system)
        let server = try await LabServer.start(.tls(recipe), pki: pki)
        let target = Target(name: try ServerName("good.test"), connect: server.endpoint)
        let results: [ClientResult]
        do {
            results = try await run.results(
                Check(target: target, anchors: .none, timeout: .seconds(60)), clients: clients)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        #expect(results.map(\.client.name) == clients.map(\.name))
        return Dictionary(uniqueKeysWithValues: results.map { ($0.client.name, $0) })
    }

    private static func finding(_ result: ClientResult?) -> String {
        let verdict = result?.result.verdict
        let finding = verdict?.decidingFinding
        return
            "\(verdict?.outcome.rawValue ?? "none") \(finding?.code ?? "") \(finding?.message ?? "") fix: \(finding?.fix ?? "")"
    }

    @Test("the reduced offer of every client that has one is what OpenSSL sends") func offersAreSent() async throws {
        let clients = try Self.clients(["all"]).filter { $0.offer != ClientOffer() }
        #expect(clients.count > 50)
        let results = try await Self.results(LabTLSRecipe(.rsa2048, versions: .tls10 ... .tls13), clients)
        for client in clients where client.sendsName {
            let result = try #require(results[client.name])
            #expect(result.connects, "\(client.name): \(Self.finding(result))")
            let report = try #require(result.result.evidence.connection?.report)
            #expect(report.version == client.offer.versionRange?.upperBound, "\(client.name)")
            let offered = ReducedOffer(client.offer).offer?.cipherSuites ?? []
            #expect(offered.isEmpty || offered.contains(report.cipherSuite ?? ""), "\(client.name)")
        }
    }

    @Test("one connection serves the clients that send the same ClientHello") func connections() async throws {
        let counting = try Counting()
        let clients = try Self.clients([
            "android-7.0", "android-7.1", "okhttp-4.9-android-7.0", "gnutls-3.3", "gnutls-3.8", "go-1.8",
        ])
        let results = try await Self.results(LabTLSRecipe(.good), clients, through: counting)
        for (name, result) in results { #expect(result.connects, "\(name): \(Self.finding(result))") }
        // OkHttp offers TLS 1.2 alone.
        #expect(counting.count.withLock { $0 } == 3)
        let note = results["android-7.0"]?.result.verdict.findings.first { $0.code == "client-emulated" }
        #expect(note?.message.contains("its offer, sent by openssl") == true, "\(String(describing: note))")
        let other = results["gnutls-3.3"]?.result.verdict.findings.first { $0.code == "client-emulated" }
        #expect(other?.message.contains("for its own is not known") == true, "\(String(describing: other))")
        #expect(results["android-7.0"]?.result.evidence.connection?.transport.name == "android-7.0")
    }

    @Test("a leaf with a common name alone is enough for GnuTLS and OpenSSL, and not for Go since 1.15")
    func commonName() async throws {
        let clients = try Self.clients([
            "gnutls-3.3", "gnutls-3.7", "gnutls-3.8", "openssl-1.0.2e", "go-1.15", "go-1.22",
        ])
        let results = try await Self.results(LabTLSRecipe(.commonNameOnly), clients)
        for (name, result) in results {
            #expect(result.connects == !name.hasPrefix("go-"), "\(name): \(Self.finding(result))")
        }
    }

    @Test("a common name alone is enough for those before iOS 13, Android 9 and OkHttp 3.10, and for curl")
    func oldCommonName() async throws {
        let accepting = [
            "ios-9", "ios-12", "macos-10.14", "android-8.1", "okhttp-3.8-android-5.0", "curl-7.38-debian-8",
            "curl-7.88-debian-12",
        ]
        let refusing = ["ios-13", "macos-12", "android-9", "okhttp-4.9-android-7.0"]
        let results = try await Self.results(LabTLSRecipe(.commonNameOnly), try Self.clients(accepting + refusing))
        for (name, result) in results {
            #expect(result.connects == accepting.contains(name), "\(name): \(Self.finding(result))")
        }
    }

    @Test("a leaf without the server's purpose is enough for those before iOS 13 and macOS 10.15") func noPurpose()
        async throws
    {
        let (accepting, refusing) = (["ios-12", "macos-10.14", "chrome-101"], ["ios-13", "ios-18", "macos-12"])
        let results = try await Self.results(LabTLSRecipe(.noPurpose), try Self.clients(accepting + refusing))
        for (name, result) in results {
            #expect(result.connects == accepting.contains(name), "\(name): \(Self.finding(result))")
        }
        #expect(Self.finding(results["macos-12"]).hasPrefix("trust-failed wrong-purpose"))
    }

    @Test("a demanded staple is not asked for by a client, and not missed") func demandedStaple() async throws {
        let names = ["android-7.0", "ios-12", "macos-12", "okhttp-4.9-android-7.0", "go-1.22", "openssl-3.0"]
        let results = try await Self.results(LabTLSRecipe(.mustStaple), try Self.clients(names))
        for (name, result) in results {
            let codes = result.result.verdict.findings.map(\.code)
            #expect(result.connects && !codes.contains("staple-not-asked"), "\(name): \(codes)")
        }
    }

    @Test("those that judge staples miss a demanded one, and hear of one that came") func judgedStaples() async throws {
        for staples in [false, true] {
            let results = try await Self.results(
                LabTLSRecipe(.mustStaple, staples: staples),
                try Self.clients(["gnutls-3.3", "gnutls-3.7", "firefox-100", "firefox-31-esr"]))
            for (name, result) in results {
                let isStrict = ["gnutls-3.7", "firefox-100"].contains(name)
                #expect(result.connects == (staples || !isStrict), "\(name), \(staples): \(Self.finding(result))")
            }
        }
        // Without a connection nobody asked.
        let judging = try #require(try Self.clients(["gnutls-3.7"]).first)
        defer {
            for file in [judging.rootsFile].compactMap(\.self) { try? FileManager.default.removeItem(atPath: file) }
        }
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference,
            transports: [OpenSSLTransport()],
            clock: .system)
        let results = try await run.results(
            Check(target: try Target("good.test"), anchors: .none), clients: [judging],
            chain: try Self.pki.identity(.mustStaple).chain)
        #expect(results.first?.result.verdict.findings.map(\.code).contains("staple-not-asked") == true)
    }

    @Test("TLS 1.2 alone loses Android 4.4, and TLS 1.0 alone OkHttp 4.9 but not its platform") func versions()
        async throws
    {
        let newer = try await Self.results(
            LabTLSRecipe(.rsa2048, versions: .tls12 ... .tls12),
            try Self.clients(["android-4.4", "okhttp-3.12-android-4.4", "android-5.0", "okhttp-4.9-android-7.0"]))
        for (name, result) in newer {
            #expect(result.connects == !name.hasSuffix("android-4.4"), "\(name): \(Self.finding(result))")
        }
        let older = try await Self.results(
            LabTLSRecipe(.rsa2048, versions: .tls10 ... .tls10),
            try Self.clients(["android-4.4", "android-7.0", "okhttp-4.9-android-7.0", "okhttp-4.9-java-8u161"]))
        for (name, result) in older {
            #expect(result.connects == !name.hasPrefix("okhttp-4.9"), "\(name): \(Self.finding(result))")
        }
        // It also offers 3DES, which no stack here has; the version is reason enough.
        #expect(
            older["okhttp-4.9-java-8u161"]?.result.verdict.outcome == .handshakeFailed,
            "\(Self.finding(older["okhttp-4.9-java-8u161"]))")
    }

    @Test("a client whose own program is given is judged by it, with its own roots") func real() async throws {
        var client = try #require(try Self.clients(["openssl-3.0"]).first)
        client.program = "openssl"
        var other = client
        other.program = "openssl-0-9-8"
        let (counting, store) = (try Counting(), client.rootsFile)
        let results = try await Self.results(LabTLSRecipe(.good), [client], through: counting)
        let result = try #require(results["openssl-3.0"])
        #expect(result.connects && !result.isEmulated, "\(Self.finding(result))")
        let connection = try #require(result.result.evidence.connection)
        #expect(connection.transport.name == "openssl-3.0")
        #expect(connection.transport.version == counting.identity.version)
        let note = result.result.verdict.findings.first { $0.code == "client-real" }
        #expect(note?.message.contains("roots \(store ?? "-")") == true, "\(String(describing: note))")
        // Another root is not one of its own.
        try LabPKI(epoch: .now).rootPEM().write(toFile: store ?? "-", atomically: true, encoding: .utf8)
        let stranger = try await Self.results(LabTLSRecipe(.good), [client], through: counting)
        #expect(stranger["openssl-3.0"]?.result.verdict.outcome == .trustFailed)
        // Without its program it is emulated.
        try Self.pki.rootPEM().write(toFile: store ?? "-", atomically: true, encoding: .utf8)
        let emulated = try await Self.results(LabTLSRecipe(.good), [other], through: counting)
        #expect(emulated["openssl-3.0"]?.isEmulated == true && emulated["openssl-3.0"]?.connects == true)
    }

    @Test("TLS 1.3 only breaks those before it, and another connection shows that they could have had it")
    func onlyTLS13() async throws {
        let results = try await Self.results(
            LabTLSRecipe(.good, versions: .tls13 ... .tls13),
            try Self.clients(["android-9", "android-7.0", "openssl-1.0.2e", "java-8u161", "go-1.22"]))
        #expect(results["android-9"]?.connects == true && results["go-1.22"]?.connects == true)
        for name in ["android-7.0", "openssl-1.0.2e", "java-8u161"] {
            #expect(
                results[name]?.result.verdict.outcome == .handshakeFailed, "\(name): \(Self.finding(results[name]))")
            #expect(Self.finding(results[name]).contains("accept TLS 1.2 beside the newer versions"))
        }
    }

    /// The server has an elliptic key, and the client no suite for it.
    @Test("a client that sends no server name goes on to the next server, as the others do") func alternates()
        async throws
    {
        let clients = try Self.clients(["java-6u45"])
        defer { for file in clients.compactMap(\.rootsFile) { try? FileManager.default.removeItem(atPath: file) } }
        #expect(clients.map(\.sendsName) == [false])
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference,
            transports: [OpenSSLTransport()], clock: .system)
        try await LabServer.run(.dead, pki: Self.pki) { dead in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let targets = try ["good.test", "www.good.test"].map { try ServerName($0) }
                let check = Check(
                    target: Target(name: targets[0], connect: dead.endpoint),
                    alternates: [Target(name: targets[1], connect: server.endpoint)], anchors: .none,
                    timeout: .seconds(600))
                let result = try #require(try await run.results(check, clients: clients).first).result
                let attempts = result.evidence.connection?.attempts ?? []
                #expect(attempts.map(\.target.name) == targets)
                #expect(result.verdict.outcome != .unreachable)
            }
        }
    }

    @Test("a client that sends no server name is lost where the server wants one") func noServerName() async throws {
        let clients = try Self.clients(["java-6u45"])
        defer { for file in clients.compactMap(\.rootsFile) { try? FileManager.default.removeItem(atPath: file) } }
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference,
            transports: [OpenSSLTransport()], clock: .system)
        try await LabServer.run(.alert(.unrecognizedName), pki: Self.pki) { server in
            let target = Target(name: try ServerName("good.test"), connect: server.endpoint)
            let result = try #require(
                try await run.results(
                    Check(target: target, anchors: .none, timeout: .seconds(600)), clients: clients
                ).first)
            #expect(result.result.verdict.outcome == .handshakeFailed && !result.isUndecided)
            let found = Self.finding(result)
            #expect(found.contains("it sends no server name, and the server wants one"), "\(found)")
            #expect(found.contains("a default certificate for clients without SNI"), "\(found)")
        }
    }

    @Test("an elliptic key alone breaks those without it, and is not held against what can't be offered")
    func onlyECDSA() async throws {
        var without = try #require(try Self.clients(["android-7.0"]).first)
        without.offer.cipherSuites = ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"]
        let modern = try #require(try Self.clients(["android-9"]).first)
        without.rootsFile = modern.rootsFile
        let results = try await Self.results(LabTLSRecipe(.good), [without, modern])
        #expect(results["android-9"]?.connects == true)
        #expect(results["android-7.0"]?.result.verdict.outcome == .handshakeFailed)
        #expect(
            Self.finding(results["android-7.0"]).contains("keep RSA beside ECDSA"),
            "\(results.values.map(Self.finding))")
        // It could have had RC4, which nobody offers any more: no verdict.
        without.offer.cipherSuites?.append("TLS_ECDHE_ECDSA_WITH_RC4_128_SHA")
        let modernAgain = try #require(try Self.clients(["android-9"]).first)
        without.rootsFile = modernAgain.rootsFile
        let again = try await Self.results(LabTLSRecipe(.good), [without, modernAgain])
        #expect(again["android-7.0"]?.isUndecided == true, "\(again.values.map(Self.finding))")
        #expect(Self.finding(again["android-7.0"]).hasPrefix("unsupported client-not-emulated"))
        #expect(Self.finding(again["android-7.0"]).contains("TLS_ECDHE_ECDSA_WITH_RC4_128_SHA"))
    }

    @Test("a missing intermediate breaks those that look nowhere else, and those that find no address of it")
    func missingIntermediate() async throws {
        let results = try await Self.results(
            LabTLSRecipe(.missingIntermediate),
            try Self.clients(["android-9", "openssl-3.0", "windows-11", "firefox-71"]))
        for name in ["android-9", "openssl-3.0", "windows-11"] {
            let finding = Self.finding(results[name])
            #expect(results[name]?.result.verdict.outcome == .trustFailed, "\(finding)")
            #expect(finding.contains("configure the server to send its intermediates"))
            #expect(finding.contains("names no address") == (name == "windows-11"), "\(finding)")
        }
        // It may know the intermediate from elsewhere.
        #expect(results["firefox-71"]?.isUndecided == true, "\(Self.finding(results["firefox-71"]))")
    }

    @Test("all connections have the time of one target, and silence refuses nobody") func silence() async throws {
        let clients = try Self.clients(["android", "ios", "openssl"])
        let reference = ReferenceVerifier()
        let silent = AnsweringTransport { _ in
            HandshakeReport(failure: HandshakeFailure(.handshakeTimeout, "nothing was heard"))
        }
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference, transports: [silent],
            clock: .system)
        let target = Target(name: try ServerName("good.test"), connect: try Endpoint("127.0.0.1:1"))
        let results = try await run.results(
            Check(target: target, anchors: .none, timeout: .seconds(60)), clients: clients)
        #expect(Set(results.map(\.result.verdict.outcome)) == [.handshakeFailed])
        #expect(results.contains { !ReducedOffer($0.client.offer).leftOut.isEmpty }, "some are not offered whole")
        let deadlines = silent.requests.withLock { $0.map(\.deadline) }
        #expect(deadlines.count > 8 && Set(deadlines).count == 1, "\(deadlines.count)")
    }

    @Test("a server that is not there says nothing about any client") func unreachable() async throws {
        let clients = try Self.clients(["android-9", "openssl-3.0"])
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference,
            transports: [OpenSSLTransport()], clock: .system)
        let server = try await LabServer.start(.tls(LabTLSRecipe(.good)), pki: Self.pki)
        let endpoint = server.endpoint
        await server.stop()
        let target = Target(name: try ServerName("good.test"), connect: endpoint)
        let results = try await run.results(
            Check(target: target, anchors: .none, timeout: .seconds(60)), clients: clients)
        #expect(results.allSatisfy { $0.isUndecided && $0.result.verdict.outcome == .unreachable })
    }
}
