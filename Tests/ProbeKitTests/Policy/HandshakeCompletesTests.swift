import ProbeKit
import ProbeLab
import ProbeRun
import Testing

/// The words for a handshake that came to nothing.
@Suite struct HandshakeCompletesTests {
    private static func finding(
        _ failure: HandshakeFailure, name: String? = "good.test", change: (inout HandshakeReport) -> Void = { _ in }
    ) throws -> Finding {
        var report = HandshakeReport(failure: failure)
        report.sniSent = name
        change(&report)
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: nil, anchors: .none, instant: TestConnection.pki.epoch)
        let findings = HandshakeCompletes().judge(
            Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
        return try #require(findings.first)
    }

    @Test(
        arguments: [
            (.protocolVersion, "accepts none of the TLS versions", "TLS 1.2 or 1.3"),
            (.unrecognizedName, "does not know the name 'good.test'", "check the name"),
            (.certificateRequired, "requires a client certificate", "client"),
            (.noApplicationProtocol, "none of the application protocols", "offer a protocol"),
        ] as [(HandshakeFailure.Alert, String, String)])
    func alertsSayWhatTheyMean(alert: HandshakeFailure.Alert, words: String, fix: String) throws {
        let finding = try Self.finding(HandshakeFailure(.alertReceived, "alert \(alert)", alert: alert))
        #expect(finding.message.contains(words) && finding.message.hasSuffix(": alert \(alert)"), "\(finding.message)")
        #expect(finding.fix.contains(fix), "\(finding.fix)")
        #expect(finding.code == "alert-received")
    }

    @Test("without a server name, the name is what the server wants") func noServerName() throws {
        let finding = try Self.finding(
            HandshakeFailure(.alertReceived, "alert 112", alert: .unrecognizedName), name: nil)
        #expect(finding.message.hasPrefix("the server wants a server name, and none was sent"), "\(finding.message)")
        #expect(finding.fix.contains("probe the server's name"), "\(finding.fix)")
    }

    @Test("a certificate that was given is not asked for again") func certificateNotAskedFor() throws {
        let finding = try Self.finding(HandshakeFailure(.alertReceived, "alert 116", alert: .certificateRequired)) {
            $0.clientCertificateSent = false
        }
        #expect(finding.message.contains("did not ask for the one that was given"), "\(finding.message)")
        #expect(!finding.fix.contains("client certificate"), "\(finding.fix)")
    }

    @Test("a version that was not offered is explained as alert 70 is") func versionNotOffered() throws {
        let failure = HandshakeFailure(.protocolError, "unsupported", nativeCode: "X", cause: .versionNotOffered)
        let finding = try Self.finding(failure)
        let alert = try Self.finding(HandshakeFailure(.alertReceived, "alert 70", alert: .protocolVersion))
        #expect(finding.code == "protocol-error" && finding.fix == alert.fix)
        #expect(
            finding.message == "the server accepts none of the TLS versions that were offered: unsupported (X)",
            "\(finding.message)")
    }

    @Test("a server without secure renegotiation is to support it") func legacyRenegotiation() throws {
        let failure = HandshakeFailure(.protocolError, "unsafe", nativeCode: "X", cause: .legacyRenegotiation)
        let finding = try Self.finding(failure)
        #expect(
            finding.message == "the server does not support secure renegotiation (RFC 5746): unsafe (X)",
            "\(finding.message)")
        #expect(finding.code == "protocol-error" && finding.fix.contains("RFC 5746"), "\(finding.fix)")
    }

    @Test(
        "a key usage that is violated asks for the bit that is missing",
        arguments: [
            ("TLS_RSA_WITH_AES_128_GCM_SHA256", "keyEncipherment"),
            ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "digitalSignature"),
            ("TLS_AES_128_GCM_SHA256", "digitalSignature"),
        ]) func keyUsage(suite: String, bit: String) throws
    {
        let finding = try Self.finding(HandshakeFailure(.protocolError, "no", cause: .keyUsage)) {
            $0.cipherSuite = suite
        }
        #expect(finding.code == "protocol-error" && finding.fix.contains(bit), "\(finding.fix)")
    }

    @Test("a temporary refusal to start TLS is asked for again, and another is not") func temporaryRefusal() throws {
        let refused = try Self.finding(HandshakeFailure(.startTLSRefused, "454 later", cause: .temporary))
        #expect(refused.code == "starttls-refused" && refused.fix.hasPrefix("try later"), "\(refused.fix)")
        #expect(Verdict([refused]).outcome == .handshakeFailed && Verdict([refused]).outcomeClass == .transient)
        #expect(Verdict([refused]).hasNoAnswer)
        let final = try Self.finding(HandshakeFailure(.startTLSRefused, "554 no"))
        #expect(Verdict([final]).outcomeClass == .configuration && !Verdict([final]).hasNoAnswer)
    }

    @Test func otherAlertsStayAsTheStackSaysThem() throws {
        #expect(
            try Self.finding(HandshakeFailure(.alertReceived, "alert 40", alert: .handshakeFailure)).message
                == "alert 40")
    }

    @Test(arguments: [
        (
            "220 mail.example ESMTP Postfix\r\n", "SMTP",
            "start TLS with smtp, or name a port that speaks TLS from its first byte, usually 465"
        ), ("220-ftp.example FTP server\r\n", "FTP", "990"),
        ("220 ready\r\n", "SMTP or FTP", "465"), ("220 m", "SMTP or FTP", "990"),
        ("SSH-2.0-OpenSSH_9.2\r\n", "SSH", "SSH"),
        ("HTTP/1.1 400 Bad Request\r\n", "HTTP", "443"), ("HTTP/", "HTTP", "443"),
        ("* OK IMAP4rev1\r\n", "IMAP", "start TLS with imap"),
        ("+OK POP3 ready\r\n", "POP3", "995"),
    ])
    func aGreetingInClearTextIsRecognised(greeting: String, name: String, fix: String) throws {
        let finding = try Self.finding(.notTLS(Array(greeting.utf8)))
        #expect(finding.message.hasPrefix("the peer speaks \(name), not TLS: it began with \""), "\(finding.message)")
        #expect(finding.code == "not-tls")
        #expect(finding.fix.contains(fix), "\(finding.fix)")
    }

    @Test(arguments: ["", "220", "hello", "\u{0}\u{1}", "SSH"])
    func otherBytesAreNotGuessed(bytes: String) throws {
        let finding = try Self.finding(.notTLS(Array(bytes.utf8)))
        #expect(finding.message.hasPrefix("the peer does not speak TLS: it began with \""), "\(finding.message)")
    }

    /// A proxy that asks for credentials gets them; any other refusal is its operator's to change. The native code is for
    /// people, and decides nothing.
    @Test(
        arguments: [
            (.proxyRefused, "HTTP 407", .proxyCredentials, "give the credentials"),
            (.proxyRefused, "HTTP 407", nil, "have the proxy's operator"),
            (.proxyRefused, "HTTP 429", .temporary, "try later; if the proxy"),
            (.startTLSRefused, "554", .clientRefused, "why it refused this client"),
            (.startTLSRefused, "host-unknown", .nameNotServed, "check the name"),
            (.startTLSRefused, "483", nil, "configure the server to offer TLS"),
            (.nameLookupFailed, "timeout", .recordLookup, "the DNS servers that were asked"),
            (.nameLookupFailed, "timeout", nil, "this machine's resolver"),
            (.nameNotFound, "NXDOMAIN", .recordLookup, "dial the name itself"),
            (.nameNotFound, "NXDOMAIN", nil, "say where to dial"),
            (.unsupported, "E1", .zoneBehindProxy, "without the proxy"),
            (.networkUnreachable, "errno 2", .noSocket, "check the path"),
            (.networkUnreachable, "errno 2", nil, "check the route"),
            (.backendError, "program-hung", .programHung, "run the program by itself"),
            (.backendError, "program-ended", .programFault, "run the program by itself"),
            (.backendError, "program-not-asked", .programBusy, "the program's other failures"),
            (.backendError, "E1", .programReport, "report this to the author of the backend's program"),
            (.backendError, "program-hung", nil, "report this, with"),
        ] as [(HandshakeFailure.Code, String, HandshakeFailure.Cause?, String)])
    func theCauseDecidesTheRemedy(
        code: HandshakeFailure.Code, nativeCode: String, cause: HandshakeFailure.Cause?, fix: String
    ) throws {
        let finding = try Self.finding(HandshakeFailure(code, "no", nativeCode: nativeCode, cause: cause))
        #expect(finding.fix.contains(fix), "\(finding.fix)")
        #expect(finding.message == "no (\(nativeCode))")
    }
}
