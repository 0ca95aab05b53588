import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeSurvey

/// A survey of simulated servers finds their settings, all of them and nothing else.
@Suite(.bounded) struct SurveyorTests {
    private static let new = ["TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256"]
    private static let usual = [
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA",
    ]
    private static let old = ["TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_RC4_128_SHA"]
    /// No stack of these tests' has the others.
    private static let known = Set(ClientOffer.Registry.cipherSuites.allNames.filter { !$0.contains("RC4") })

    private static let server = SimulatedServer(
        versions: [
            .tls13: .init(
                cipherSuites: new, groups: ["x25519", "secp384r1", "ffdhe2048"],
                signatureAlgorithms: ["rsa_pss_rsae_sha512", "rsa_pss_rsae_sha256"]),
            .tls12: .init(
                cipherSuites: usual, groups: ["secp256r1"],
                signatureAlgorithms: ["rsa_pkcs1_sha256", "rsa_pss_rsae_sha256", "rsa_pkcs1_sha1"]),
            .tls10: .init(cipherSuites: old),
        ], alpn: ["http/1.1", "h2"])

    private func survey(
        _ stacks: [SimulatedStack], maximum: Int = 60, timeout: Duration = .seconds(600),
        lateness: (any LatenessMeter)? = nil
    ) async throws -> Survey {
        await Surveyor(transports: stacks, lateness: lateness).survey(
            SurveyRequest(
                target: try Target("good.test"), maximum: maximum, timeout: timeout,
                instant: Date(timeIntervalSince1970: 0)))
    }

    private func version(_ version: TLSVersion, of survey: Survey) throws -> Survey.Version {
        try #require(survey.versions.first { $0.version == version })
    }

    @Test(arguments: [true, false]) func allSettingsAreFound(prefersItsOrder: Bool) async throws {
        var server = Self.server
        server.prefersItsOrder = prefersItsOrder
        let survey = try await survey([SimulatedStack("one", server)])
        #expect(survey.isComplete && survey.outcome == .pass && survey.handshakes <= 60)
        #expect(survey.versions.map(\.version) == [.tls13, .tls12, .tls11, .tls10])
        #expect(survey.versions.map(\.isOffered) == [true, true, false, true])
        for (version, settings) in server.versions {
            let found = try self.version(version, of: survey)
            #expect(Set(found.cipherSuites.names) == Set(settings.cipherSuites))
            guard version >= .tls12 else { continue }
            #expect(found.order == (prefersItsOrder ? .server : .client))
            #expect(Set(found.groups.names) == Set(settings.groups))
            #expect(Set(found.signatureAlgorithms.names) == Set(settings.signatureAlgorithms))
            #expect(found.cipherSuites.isComplete && found.groups.isComplete && found.signatureAlgorithms.isComplete)
            #expect(found.sessionTickets == true)
            // The choices come in the order of the side that decides.
            if prefersItsOrder { #expect(found.cipherSuites.names == settings.cipherSuites) }
        }
        #expect(Set(survey.alpn.names) == ["h2", "http/1.1"])
    }

    @Test func aServerOfTwentySuitesIsDoneInSixtyHandshakes() async throws {
        var server = Self.server
        let all = ClientOffer.Registry.cipherSuites.allNames
        server.versions[.tls12]?.cipherSuites = all.filter { $0.contains("RSA_WITH_AES") && $0.hasPrefix("TLS_") }
            .filter { $0.hasPrefix("TLS_ECDHE_RSA") || $0.hasPrefix("TLS_DHE_RSA") || $0.hasPrefix("TLS_RSA") }
        let count = server.versions[.tls12]?.cipherSuites.count ?? 0
        #expect(count > 20)
        let survey = try await survey([SimulatedStack("one", server)])
        #expect(try version(.tls12, of: survey).cipherSuites.names.count == count)
        #expect(survey.isComplete && survey.handshakes <= 60, "\(survey.handshakes)")
    }

    @Test("what the first stack lacks another is asked for, and what all lack is not called refused")
    func severalStacks() async throws {
        let first = SimulatedStack("first", Self.server, suites: Self.known)
        let alone = try await survey([first])
        let found = try version(.tls10, of: alone)
        #expect(found.cipherSuites.names == ["TLS_RSA_WITH_AES_128_CBC_SHA"])
        #expect(found.cipherSuites.notAsked.contains("TLS_RSA_WITH_RC4_128_SHA") && found.cipherSuites.isComplete)
        let rc4 = Set(ClientOffer.Registry.cipherSuites.allNames.filter { $0.contains("RC4") })
        for isClumsy in [false, true] {
            let second = SimulatedStack("second", Self.server, suites: rc4, isClumsy: isClumsy)
            let both = try await survey([SimulatedStack("first", Self.server, suites: Self.known), second])
            let entries = try version(.tls10, of: both).cipherSuites
            #expect(entries.names == ["TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_RC4_128_SHA"])
            #expect(entries.accepted.map(\.transport) == ["first", "second"])
            #expect(entries.notAsked.isEmpty)
            #expect(both.notAsked.contains("SSL 3.0"))
        }
    }

    @Test func aServerOfOneOldSuiteAloneIsFound() async throws {
        let server = SimulatedServer(versions: [.tls12: .init(cipherSuites: ["TLS_RSA_WITH_RC4_128_SHA"])])
        let stacks = [SimulatedStack("first", server, suites: Self.known), SimulatedStack("second", server)]
        let found = try version(.tls12, of: try await survey(stacks))
        #expect(found.isOffered == true && found.cipherSuites.names == ["TLS_RSA_WITH_RC4_128_SHA"])
        #expect(!found.groups.isComplete, "groups were not asked beside that suite")
    }

    @Test("lists that are asked for alone are asked beside cipher suites that need them", arguments: [2, 4])
    func separateLists(together lists: Int) async throws {
        let settings = SimulatedServer.Settings(
            cipherSuites: ["TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"])
        let stack = SimulatedStack("one", SimulatedServer(versions: [.tls12: settings]), lists: lists)
        let found = try version(.tls12, of: try await survey([stack]))
        #expect(found.cipherSuites.names == settings.cipherSuites)
        #expect(Set(found.groups.names) == Set(settings.groups) && found.groups.notAsked.isEmpty)
        #expect(Set(found.signatureAlgorithms.names) == Set(settings.signatureAlgorithms))
        #expect(found.signatureAlgorithms.notAsked.isEmpty)
    }

    @Test func handshakesAreCounted() async throws {
        let stack = SimulatedStack("one", Self.server)
        let short = try await survey([stack], maximum: 7)
        #expect(short.handshakes == 7 && stack.offers.count == 7)
        #expect(!short.isComplete && short.stops.contains { $0.code == "handshakes-used-up" })
        #expect(try !version(.tls12, of: short).cipherSuites.isComplete)
        #expect(short.outcome == .pass)
        let none = try await survey([SimulatedStack("one", Self.server)], timeout: .zero)
        #expect(none.handshakes == 0 && none.stops.contains { $0.code == "time-used-up" })
        #expect(none.versions.allSatisfy { $0.isOffered == nil })
    }

    @Test(
        "no answer is not a refusal",
        arguments: [
            (HandshakeFailure.Code.handshakeTimeout, Outcome.handshakeFailed),
            (.connectionRefused, .unreachable), (.nameNotFound, .unreachable), (.localOverload, .localOverload),
            (.backendError, .internalError), (.notTLS, .handshakeFailed), (.startTLSRefused, .handshakeFailed),
            (.chainTooLong, .handshakeFailed),
        ])
    func faults(code: HandshakeFailure.Code, outcome: Outcome) async throws {
        for first in [1, 9] {
            var server = Self.server
            server.fault = (first, HandshakeFailure(code, "it is so"))
            let stack = SimulatedStack("one", server)
            let survey = try await survey([stack])
            #expect(survey.outcome == outcome && !survey.isComplete)
            #expect(survey.stops.first?.code == code.rawValue && survey.stops.first?.transport == "one")
            // A server that goes silent between two versions may be silent to these alone, and one whose chain is too long
            // speaks: each version is asked for once.
            let asksOn = code == .handshakeTimeout && first > 1 || code == .chainTooLong
            #expect(stack.offers.count <= first + (asksOn ? 3 : 1), "it goes on asking")
            #expect(survey.versions.allSatisfy { $0.isOffered != false }, "a version is called refused")
        }
    }

    @Test(
        "a server that is silent to some versions is surveyed in the others",
        arguments: [
            ([TLSVersion.tls13], [nil, true, false, true]), ([.tls11, .tls10], [true, true, nil, nil]),
            ([.tls13, .tls10], [nil, true, false, nil]),
        ] as [([TLSVersion], [Bool?])])
    func aSilenceEndsOneVersion(of silent: [TLSVersion], offered: [Bool?]) async throws {
        final class Picky: Transport {
            let real: SimulatedStack
            let silent: [TLSVersion]
            init(_ real: SimulatedStack, silent: [TLSVersion]) { (self.real, self.silent) = (real, silent) }
            var identity: BackendIdentity { real.identity }
            var capabilities: Set<TransportCapability> { real.capabilities }
            func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
                silent.contains(request.versions.upperBound)
                    ? HandshakeReport(failure: HandshakeFailure(.handshakeTimeout, "silence"))
                    : await real.handshake(request)
            }
            func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .accepted(path: nil) }
            func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("none") }
        }
        let survey = await Surveyor(transports: [Picky(SimulatedStack("one", Self.server), silent: silent)]).survey(
            SurveyRequest(
                target: try Target("good.test"), timeout: .seconds(600), instant: Date(timeIntervalSince1970: 0)))
        #expect(survey.versions.map(\.isOffered) == offered)
        #expect(survey.stops.map(\.part) == silent.map(\.rawValue))
        let found = try version(.tls12, of: survey)
        // The silence leaves nothing else out and does not count as a failure: the server answered.
        #expect(found.cipherSuites.names.count == 4 && found.cipherSuites.isComplete && found.order == .server)
        #expect(survey.outcome == .pass && !survey.isComplete)
    }

    @Test func ownLatenessIsNotTheServers() async throws {
        var server = Self.server
        server.fault = (1, HandshakeFailure(.handshakeTimeout, "silence"))
        let survey = try await survey([SimulatedStack("one", server)], lateness: GivenLateness([.seconds(9)]))
        #expect(survey.outcome == .localOverload)
    }

    @Test func aServerThatWantsACertificateIsSurveyed() async throws {
        /// Refuses after its choices, as servers of TLS 1.2 do.
        final class Strict: Transport {
            let real: SimulatedStack
            init(_ real: SimulatedStack) { self.real = real }
            var identity: BackendIdentity { real.identity }
            var capabilities: Set<TransportCapability> { real.capabilities }
            func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
                var report = await real.handshake(request)
                report.failure =
                    report.failure ?? HandshakeFailure(.alertReceived, "alert 116", alert: .certificateRequired)
                return report
            }
            func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .accepted(path: nil) }
            func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("none") }
        }
        let survey = await Surveyor(transports: [Strict(SimulatedStack("one", Self.server))]).survey(
            SurveyRequest(
                target: try Target("good.test"), timeout: .seconds(600), instant: Date(timeIntervalSince1970: 0)))
        #expect(survey.versions.map(\.isOffered) == [true, true, false, true])
        #expect(try version(.tls12, of: survey).cipherSuites.names.count == 4)
    }
}
