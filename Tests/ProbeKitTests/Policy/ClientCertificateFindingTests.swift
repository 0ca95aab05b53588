import ProbeKit
import ProbeLab
import ProbeRun
import SwiftASN1
import Testing

/// The findings about a client certificate that the server asked for, or did not.
@Suite struct ClientCertificateFindingTests {
    private static func findings(
        requested: Bool? = nil, late: Bool? = nil, sent: Bool? = nil, failure: HandshakeFailure? = nil,
        issuers: [[UInt8]] = [], version: TLSVersion = .tls12, status: Int? = nil, http: HTTPReport? = nil,
        trust: TrustReading? = nil, answered: Bool? = nil
    ) -> [Finding] {
        var report = failure.map { HandshakeReport(failure: $0) } ?? HandshakeReport()
        report.version = version
        report.clientCertificateRequested = requested
        report.clientCertificateRequestedLate = late
        report.http =
            http ?? status.map { HTTPReport(.response(HTTPReport.Response(version: "http/1.1", status: $0))) }
        report.nativeTrust = trust
        report.clientCertificateSent = sent
        report.certificateRequestAnswered = answered
        report.clientCertificateIssuers = issuers
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: nil, anchors: .none, instant: TestConnection.pki.epoch)
        let evidence = Evidence(connection: connection, model: nil)
        return HandshakeCompletes().judge(evidence, at: TestConnection.pki.epoch)
            + ClientCertificateAsked().judge(evidence, at: TestConnection.pki.epoch)
    }

    private static let closed = HandshakeFailure(.connectionClosed, "the peer closed the connection")

    @Test func aCertificateThatWasSentIsNoted() {
        #expect(Self.findings(requested: true, sent: true).map(\.code) == ["client-certificate-sent"])
        #expect(Self.findings(requested: true, sent: false).map(\.code) == ["client-certificate-requested"])
        #expect(Self.findings(requested: true).map(\.code) == ["client-certificate-requested"])
    }

    /// nginx completes the handshake whatever it was sent, and answers 400, or 495 where it is configured.
    @Test func anAnswerMayRefuseIt() {
        for (status, severity) in [
            (200, Finding.Severity.note), (404, .note), (400, .warning), (403, .warning), (495, .error),
        ] {
            let findings = Self.findings(requested: true, sent: true, status: status)
            #expect(findings.map(\.severity) == [severity], "\(status): \(findings)")
            #expect(findings.map(\.code) == [status == 495 ? "client-certificate-refused" : "client-certificate-sent"])
        }
    }

    @Test func oneThatNobodyAskedForIsNoted() {
        #expect(Self.findings(requested: false, sent: false).map(\.code) == ["client-certificate-not-sent"])
        // None was given.
        #expect(Self.findings(requested: false) == [])
        // Whether it would have asked isn't known.
        #expect(Self.findings(requested: false, sent: false, failure: Self.closed).map(\.code) == ["connection-closed"])
    }

    @Test func aRefusalNamesWhatWasRefused() {
        #expect(
            Self.findings(requested: true, sent: true, failure: Self.closed).map(\.code) == [
                "client-certificate-refused"
            ])
        #expect(
            Self.findings(requested: true, sent: false, failure: Self.closed).map(\.code)
                == ["client-certificate-required"])
        #expect(Self.findings(requested: true, failure: Self.closed).map(\.code) == ["client-certificate-required"])
        // Nothing was asked for, so that something else is wrong.
        #expect(Self.findings(requested: false, failure: Self.closed).map(\.code) == ["connection-closed"])
    }

    /// A server that is gone before the client's last flight did not refuse what it had not seen.
    @Test func anEndBeforeTheAnswerIsNotARefusal() {
        for (answered, code) in [(false, "connection-closed"), (true, "client-certificate-required")] {
            let findings = Self.findings(requested: true, failure: Self.closed, answered: answered)
            #expect(findings.first?.code == code, "\(findings)")
        }
    }

    /// Before the client's turn nothing is known of its certificate: neither that it was not sent, nor why.
    @Test func aFailureBeforeTheAnswerBlamesNoCertificate() throws {
        func asked(_ answered: Bool?, _ failure: HandshakeFailure) throws -> Finding {
            let findings = Self.findings(requested: true, sent: false, failure: failure, answered: answered)
            return try #require(findings.first { $0.code == "client-certificate-requested" })
        }
        let early = HandshakeFailure(.protocolError, "a message is broken")
        for answered in [false, nil] {
            let finding = try asked(answered, early)
            #expect(finding.message == "the server asked for a client certificate")
            #expect(finding.fix.hasPrefix("check that clients without a certificate are served"), "\(finding.fix)")
        }
        // With the answer, or after the handshake, it was the client's turn.
        let late = HandshakeFailure(.protocolError, "a record is broken", isAfterHandshake: true)
        for finding in [try asked(true, early), try asked(false, late), try asked(nil, late)] {
            #expect(finding.message.contains("(the one that was given was not sent"), "\(finding.message)")
            #expect(finding.fix.contains("signature algorithms"), "\(finding.fix)")
        }
    }

    /// A certificate that was given is not asked for again: the server's signature algorithms exclude its key.
    @Test func oneThatTheRequestExcludesIsNamed() throws {
        let unsent = "(the one that was given was not sent, as the server takes no signature by its key)"
        for failure in [Self.closed, nil] {
            let findings = Self.findings(requested: true, sent: false, failure: failure, answered: true)
            let finding = try #require(findings.first)
            #expect(finding.message.contains(unsent), "\(finding.message)")
            #expect(finding.fix.contains("signature algorithms"), "\(finding.fix)")
        }
        // Why a stack that reports less did not send it is not known.
        let silent = try #require(Self.findings(requested: true, sent: false, failure: Self.closed).first)
        #expect(silent.message.contains("(the one that was given was not sent)"), "\(silent.message)")
        // None was given.
        let none = try #require(Self.findings(requested: true, failure: Self.closed, answered: true).first)
        #expect(!none.message.contains("was given") && none.fix.contains("give a client certificate"), "\(none)")
    }

    @Test func aStackThatEndsTheHandshakeOverItSaysWhy() throws {
        let failure = HandshakeFailure(.protocolError, "no", nativeCode: "X", cause: .clientKeyExcluded)
        let findings = Self.findings(requested: true, sent: false, failure: failure)
        #expect(findings.map(\.code) == ["protocol-error", "client-certificate-requested"])
        let finding = try #require(findings.first)
        #expect(finding.message.hasSuffix("takes no signature by the key of the one that was given: no (X)"))
        #expect(finding.fix.contains("signature algorithms"), "\(finding.fix)")
    }

    /// The words claim no more than was seen: a request that failed was made, and a stack that refuses ends the connection.
    @Test func aServerWithoutAnAnswerIsDescribedAsSeen() {
        func message(_ http: HTTPReport? = nil, _ trust: TrustReading? = nil) -> String? {
            Self.findings(requested: true, http: http, trust: trust).first?.message
        }
        let asked = "the server asked for a client certificate"
        let unknown = "; whether it answers requests without one"
        #expect(message() == "\(asked) and went on without one\(unknown) was not asked")
        #expect(
            message(HTTPReport(.unavailable(reason: "no response before the deadline")))
                == "\(asked) and went on without one\(unknown) is not known: no response before the deadline")
        let refused = TrustReading.refused([.init(.hostnameMismatch, "another name")])
        #expect(message(nil, refused) == "\(asked)\(unknown) was not asked")
        #expect(message(nil, .accepted(path: [])) == message())
    }

    /// One that is asked for after the handshake.
    @Test func aLateRequestIsNamedAsSuch() throws {
        func text(_ sent: Bool?, _ status: Int?, _ failure: HandshakeFailure? = nil) throws -> String {
            let findings = Self.findings(
                requested: false, late: true, sent: sent, failure: failure, version: .tls13, status: status)
            #expect(findings.count == 1)
            let finding = try #require(findings.first)
            return "\(finding.code): \(finding.message)"
        }
        let asked = "the server asked for a client certificate after the handshake"
        #expect(
            try text(true, 200)
                == "client-certificate-sent: \(asked), and it was sent; the server answered with the HTTP status 200")
        #expect(
            try text(true, nil)
                == "client-certificate-sent: \(asked), and it was sent; the server did not answer the request")
        #expect(
            try text(nil, 403).hasPrefix(
                "client-certificate-requested: \(asked), went on without one and answered the request"))
        let refusal = HandshakeFailure(.alertReceived, "refused", alert: .certificateExpired, isAfterHandshake: true)
        #expect(try text(true, nil, refusal).hasPrefix("client-certificate-refused: "))
        #expect(try text(nil, nil, refusal).hasPrefix("client-certificate-required: "))
    }

    @Test func aServerThatMayNotAskLateIsNoted() {
        func note(_ late: Bool?, _ version: TLSVersion) -> String? {
            Self.findings(requested: false, late: late, sent: false, version: version).first?.message
        }
        let end = "; this ClientHello does not let it ask after the handshake"
        #expect(note(nil, .tls13)?.hasSuffix(end) == true)
        #expect(note(false, .tls13)?.hasSuffix("so it was not sent") == true)
        // Before TLS 1.3 a server asks later by renegotiation.
        #expect(note(nil, .tls12)?.hasSuffix("whether it asks by renegotiation later is not reported") == true)
    }

    @Test func theIssuersItAcceptsAreShown() throws {
        let name = try TestChain.name([("a.lab.test", .utf8String)])
        let refused = Self.findings(requested: true, sent: true, failure: Self.closed, issuers: [name])
        #expect(refused.first?.message.contains(" (it asks for one of 'CN=a.lab.test'): ") == true, "\(refused)")
        let silent = Self.findings(requested: true, sent: true, failure: Self.closed)
        #expect(silent.first?.message.contains("it asks for one") == false)
        for (count, mark) in [(3, false), (4, true)] {
            let many = Self.findings(requested: true, issuers: Array(repeating: name, count: count))
            #expect(many.first?.message.contains(", …") == mark)
        }
    }
}
