import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeSurvey

/// Refusals, and handshakes that fail after the server's choices.
@Suite(.bounded) struct SurveyRefusalTests {
    private static let suites = ["TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256"]
    private static let oldSuites = [
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA",
    ]
    private static let server = SimulatedServer(
        versions: [
            .tls13: .init(cipherSuites: suites), .tls12: .init(cipherSuites: oldSuites),
            .tls10: .init(cipherSuites: ["TLS_RSA_WITH_AES_128_CBC_SHA"]),
        ], alpn: ["http/1.1", "h2"])

    private func survey(_ stack: any Transport, maximum: Int = 60) async throws -> Survey {
        await Surveyor(transports: [stack]).survey(
            SurveyRequest(
                target: try Target("good.test"), maximum: maximum, timeout: .seconds(600),
                instant: Date(timeIntervalSince1970: 0)))
    }

    private func suites(of version: TLSVersion, _ survey: Survey) -> [String]? {
        survey.versions.first { $0.version == version }?.cipherSuites.names
    }

    @Test("an offer that ends in a close or reset is put once more", arguments: [1, 2, 3, 6])
    func aLostConnectionIsNotARefusal(number: Int) async throws {
        for failure in [HandshakeFailure.closed(didReceive: true), .reset()] {
            var server = Self.server
            server.lost = [number: failure]
            let survey = try await survey(SimulatedStack("one", server))
            #expect(survey.isComplete && survey.versions.map(\.isOffered) == [true, true, false, true])
            #expect(suites(of: .tls13, survey) == Self.suites)
            #expect(suites(of: .tls12, survey).map(Set.init) == Set(Self.oldSuites))
        }
    }

    @Test("two ends in a row are a refusal, within the number of handshakes") func aServerThatCloses() async throws {
        var server = Self.server
        server.refusal = .closed(didReceive: false)
        let survey = try await survey(SimulatedStack("one", server))
        #expect(survey.isComplete && survey.versions.map(\.isOffered) == [true, true, false, true])
        #expect(survey.handshakes <= 60, "\(survey.handshakes)")
        server.versions = [:]
        let stack = SimulatedStack("one", server)
        let short = try await self.survey(stack, maximum: 1)
        #expect(short.handshakes == 1 && stack.offers.count == 1)
        #expect(short.versions.allSatisfy { $0.isOffered == nil })
        #expect(short.stops.contains { $0.code == "handshakes-used-up" })
    }

    @Test("of a server that has accepted nothing, an end of the connection is not known to be a refusal")
    func nothingAccepted() async throws {
        var server = Self.server
        server.versions = [:]
        for refusal in [HandshakeFailure.closed(didReceive: false), .reset()] {
            server.refusal = refusal
            let none = try await survey(SimulatedStack("one", server))
            #expect(none.versions.allSatisfy { $0.isOffered == nil && !$0.cipherSuites.isComplete })
            #expect(none.refusal == nil && none.outcome == .handshakeFailed)
            #expect(none.stops.map(\.part) == none.versions.map(\.version.rawValue))
            #expect(none.stops.allSatisfy { $0.code == refusal.code.rawValue && $0.message.hasSuffix(refusal.message) })
        }
        server.refusal = HandshakeFailure(.alertReceived, "alert 40", alert: .handshakeFailure)
        server.fault = (2, .reset())
        let mixed = try await survey(SimulatedStack("one", server))
        #expect(mixed.versions.map(\.isOffered) == [false, nil, nil, nil] && mixed.refusal == server.refusal)
    }

    @Test(
        "a server that stops taking what it had accepted refuses nothing from there on",
        arguments: [HandshakeFailure.closed(didReceive: false), .reset(), Self.internalError], [2, 7, 12])
    func aLimitIsNotARefusal(failure: HandshakeFailure, first: Int) async throws {
        var server = Self.server
        server.fault = (first, failure)
        let stack = SimulatedStack("one", server)
        let survey = try await survey(stack)
        #expect(!survey.isComplete && survey.outcome == .handshakeFailed)
        #expect(survey.versions.allSatisfy { $0.isOffered != false }, "a version is called refused")
        #expect(survey.versions.first?.isOffered == true && survey.refusal != failure)
        #expect(survey.stops.count == 1 && survey.stops.first?.code == failure.code.rawValue)
        #expect(survey.stops.first?.message.contains("no longer takes what it had accepted") == true)
        #expect(stack.offers.count == first + (failure == Self.internalError ? 1 : 2), "\(stack.offers.count)")
        #expect(stack.offers.last == stack.offers.first, "the control is what was accepted")
    }

    @Test("a server that closes and is silent afterwards is gone, whatever it answered before")
    func silenceAfterARefusal() async throws {
        var server = Self.server
        server.lost = [7: .reset(), 8: .reset(), 9: .silent(didReceive: false)]
        let stack = SimulatedStack("one", server)
        let survey = try await survey(stack)
        #expect(stack.offers.count == 9 && survey.outcome == .handshakeFailed && !survey.isComplete)
        #expect(survey.stops.map(\.code) == ["handshake-timeout"])
    }

    @Test("an internal error is a refusal where the server goes on taking the rest") func internalErrors() async throws
    {
        var server = Self.server
        server.refusal = Self.internalError
        let survey = try await survey(SimulatedStack("one", server))
        #expect(survey.isComplete && survey.versions.map(\.isOffered) == [true, true, false, true])
        #expect(survey.handshakes <= 60 && survey.refusal == server.refusal, "\(survey.handshakes)")
    }

    private static let internalError = HandshakeFailure(.alertReceived, "alert 80", alert: .internalError)

    @Test("a server that sends too many certificates is surveyed by the choices it made before them")
    func tooManyCertificates() async throws {
        let survey = try await survey(alwaysFailing: .tooManyCertificates(101)) { $0.chain = [] }
        #expect(survey.isComplete && survey.versions.map(\.isOffered) == [true, true, false, true])
        #expect(suites(of: .tls12, survey)?.count == 4 && !survey.wantsClientCertificate)
    }

    @Test("the tickets of a server that wants a client certificate are not known")
    func noTicketsForThoseWhoWereRefused() async throws {
        let refusal = HandshakeFailure(.alertReceived, "alert 116", alert: .certificateRequired, isAfterHandshake: true)
        let survey = try await survey(alwaysFailing: refusal) {
            $0.clientCertificateRequested = true
            $0.sessionTicket = false
        }
        #expect(survey.isComplete && survey.wantsClientCertificate)
        #expect(survey.versions.allSatisfy { $0.sessionTickets == nil })
    }

    /// Surveys a server whose every accepted handshake fails after its choices.
    private func survey(
        alwaysFailing failure: HandshakeFailure, changing change: @escaping @Sendable (inout HandshakeReport) -> Void
    ) async throws -> Survey {
        final class Failing: Transport {
            let real: SimulatedStack
            let failure: HandshakeFailure
            let change: @Sendable (inout HandshakeReport) -> Void
            init(
                _ real: SimulatedStack, _ failure: HandshakeFailure,
                _ change: @escaping @Sendable (inout HandshakeReport) -> Void
            ) { (self.real, self.failure, self.change) = (real, failure, change) }
            var identity: BackendIdentity { real.identity }
            var capabilities: Set<TransportCapability> { real.capabilities }
            func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
                var report = await real.handshake(request)
                guard report.failure == nil else { return report }
                report.failure = failure
                change(&report)
                return report
            }
            func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .accepted(path: nil) }
            func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("none") }
        }
        return try await survey(Failing(SimulatedStack("one", Self.server), failure, change))
    }
}
