import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeRun
import Testing

/// The policies that report how a check was made, and fail nothing by themselves.
@Suite struct RunPoliciesTests {
    private static let now = TestConnection.pki.epoch

    private static func evidence(
        _ report: HandshakeReport = HandshakeReport(), missing: Set<TransportCapability> = [],
        time: ServerTime? = nil, remembered: Date? = nil, attempts: [ConnectionAttempt] = []
    ) -> Evidence {
        var connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: missing,
            certificates: [], referenceTrust: nil, anchors: .none, instant: now, serverTime: time,
            remembered: remembered)
        connection.attempts = attempts
        return Evidence(connection: connection, model: nil)
    }

    private static func text(_ policy: some Policy, _ evidence: Evidence) -> [String] {
        policy.judge(evidence, at: now).map { "\($0.severity.rawValue) \($0.code): \($0.message)" }
    }

    @Test(
        arguments: [
            (nil, nil), (.known(now, skew: 0), "note server-date: the server's time is DATE, as ours"),
            (.known(now, skew: 1), "note server-date: the server's time is DATE, 1 s behind ours"),
            (.known(now, skew: -1), "note server-date: the server's time is DATE, 1 s ahead of ours"),
            (.unknown("it slept"), "warning server-date-unknown: the server's time is not known: it slept"),
            (
                .notOffered("smtp has no Date"),
                "warning server-date-unknown: the server's time is not known: smtp has no Date"
            ),
        ] as [(ServerTime?, String?)])
    func theServersClockIsReported(time: ServerTime?, expected: String?) {
        let text = Self.text(ReportServerClock(), Self.evidence(time: time))
        #expect(text == [expected?.replacing("DATE", with: RFC3339.format(Self.now))].compactMap(\.self))
    }

    @Test func theAgeOfAMemoryIsReported() {
        func text(_ seconds: TimeInterval?) -> [String] {
            Self.text(RememberedConnection(), Self.evidence(remembered: seconds.map(Self.now.addingTimeInterval)))
        }
        #expect(text(nil).isEmpty)
        #expect(text(-59.5).first?.contains(", 59 s ago; ") == true)
        #expect(text(5).first?.contains(", 0 s ago; ") == true)
    }

    @Test func onlyASuppliedChainIsReportedAsOne() {
        var report = HandshakeReport()
        #expect(Self.text(ChainSupplied(), Self.evidence(report)).isEmpty)
        report.isSupplied = true
        #expect(Self.text(ChainSupplied(), Self.evidence(report)).first?.hasPrefix("note no-connection: ") == true)
    }

    @Test func theAlternatesAreNamed() throws {
        let (first, second) = (try Target("a.test"), try Target("b.test"))
        let refused = HandshakeFailure(.connectionRefused, "nobody listens")
        func text(_ attempts: ConnectionAttempt...) -> [String] {
            Self.text(AlternateUsed(), Self.evidence(attempts: attempts))
        }
        #expect(text(ConnectionAttempt(target: first, failure: refused)).isEmpty)
        #expect(
            text(ConnectionAttempt(target: first, failure: refused), ConnectionAttempt(target: second, failure: nil))
                == ["note alternate-used: \(second) stands in: no answer from \(first) (connection-refused)"])
        #expect(
            text(
                ConnectionAttempt(target: first, failure: refused), ConnectionAttempt(target: second, failure: refused))
                == [
                    "note alternates-failed: no answer from any: \(first) (connection-refused), \(second) (connection-refused)"
                ])
    }

    /// The first three issuers are named; nginx says by its status what it does without a certificate.
    @Test(
        arguments: [
            (nil, "warning", "was not asked"), (200, "warning", "with the HTTP status 200"),
            (399, "warning", "with the HTTP status 399"), (400, "warning", "status 400: nginx answers 400"),
            (499, "warning", "no text that would say so"), (500, "warning", "with the HTTP status 500"),
            (496, "error", "496, SSL certificate required"),
        ] as [(Int?, String, String)])
    func aRequestForACertificateIsReported(status: Int?, severity: String, ending: String) {
        var report = HandshakeReport()
        report.clientCertificateRequested = true
        report.http = status.map { HTTPReport(.response(HTTPReport.Response(version: "HTTP/1.1", status: $0))) }
        let text = Self.text(ClientCertificateAsked(), Self.evidence(report))
        #expect(text.count == 1 && text[0].hasPrefix(severity), "\(text)")
        #expect(text[0].contains(ending), "\(text)")
        if status.map({ (400..<500).contains($0) }) != true { #expect(!text[0].contains("nginx answers")) }
        report.clientCertificateRequested = false
        #expect(Self.text(ClientCertificateAsked(), Self.evidence(report)).isEmpty)
        report.clientCertificateRequested = nil
        #expect(Self.text(ClientCertificateAsked(), Self.evidence(report)).isEmpty)
    }

    @Test(arguments: 0...4) func threeIssuersAreNamed(count: Int) throws {
        // A common name of one letter each.
        func name(_ letter: UInt8) -> [UInt8] {
            [0x30, 0x0c, 0x31, 0x0a, 0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0c, 0x01, letter]
        }
        var report = HandshakeReport()
        report.clientCertificateRequested = true
        report.clientCertificateIssuers = (0..<count).map { name(UInt8(ascii: "A") + UInt8($0)) }
        let names = ["'CN=A'", "'CN=B'", "'CN=C'"].prefix(count).joined(separator: ", ")
        let expected = (count == 0 ? "" : " of \(names)") + (count > 3 ? ", …" : "")
        let text = try #require(Self.text(ClientCertificateAsked(), Self.evidence(report)).first)
        #expect(
            text.hasPrefix(
                "warning client-certificate-requested: the server asked for a client certificate\(expected) and went on"
            ),
            "\(text)")
    }

    @Test func aMissingCapabilityIsTheOnlyFinding() {
        let report = HandshakeReport(failure: HandshakeFailure(.unsupported, "nothing was sent"))
        let text = Self.text(HandshakeCompletes(), Self.evidence(report, missing: [.sni, .alpn]))
        #expect(text == ["error unsupported: test can't do alpn, sni, so nothing was sent"])
        #expect(Self.text(HandshakeCompletes(), Self.evidence()).isEmpty)
        #expect(HandshakeCompletes().judge(Evidence(connection: nil, model: nil), at: Self.now).isEmpty)
    }

    /// The outcome and stage of each failure, and a remedy that fits it.
    @Test(arguments: HandshakeFailure.Code.allCases) func failuresHaveAnOutcome(code: HandshakeFailure.Code) throws {
        let failure = HandshakeFailure(code, "it failed", nativeCode: "E_IT")
        let findings = HandshakeCompletes().judge(Self.evidence(HandshakeReport(failure: failure)), at: Self.now)
        let finding = try #require(findings.first)
        let expected: Outcome =
            switch code {
            case .backendError: .internalError
            case .unsupported: .unsupported
            case .localOverload: .localOverload
            case .nameNotFound, .nameLookupFailed, .noAddressOfFamily, .serviceNotOffered, .recordsUnusable,
                .connectionRefused, .networkUnreachable, .connectTimeout, .proxyUnreachable, .proxyTLSFailed,
                .proxyRefused, .proxyConnectFailed,
                .proxyProtocolError:
                .unreachable
            default: .handshakeFailed
            }
        #expect(finding.outcome == expected && finding.code == code.rawValue)
        #expect(finding.stage == (expected == .unreachable ? .connect : .tls))
        #expect(finding.message == "it failed (E_IT)")
        #expect(!finding.fix.isEmpty)
    }

    @Test func policiesHaveNamesOfTheirOwn() throws {
        #expect(try NamedPolicies.named(["ats"]).count == 1)
        #expect(try NamedPolicies.named(["ats", "ats"]).count == 1)
        #expect(try NamedPolicies.named([]).isEmpty)
        let error = #expect(throws: InputError.self) { () throws in try NamedPolicies.named(["ats", "x"]) }
        #expect(error?.remedy == "choose among ats")
        #expect(try NamedPolicies.all.adding(["mine": ChainSupplied()]).keys.sorted() == ["ats", "mine"])
        #expect(throws: InputError.self) { try NamedPolicies.all.adding(["ats": ChainSupplied()]) }
    }

    /// The alerts of RFC 8446 and RFC 5246 that may refuse a certificate; before TLS 1.3 they come in the handshake.
    @Test func alertsThatRefuseACertificate() {
        func isRefusal(_ alert: HandshakeFailure.Alert?, _ version: TLSVersion, isAfter: Bool) -> Bool {
            var report = HandshakeReport(
                failure: HandshakeFailure(.alertReceived, "refused", alert: alert, isAfterHandshake: isAfter))
            report.version = version
            report.clientCertificateRequested = true
            return HandshakeCompletes().judge(Self.evidence(report), at: Self.now).first?.code
                == "client-certificate-required"
        }
        let refusing: Set<UInt8> = [40, 41, 42, 43, 44, 45, 46, 48, 49, 116]
        for number in UInt8.min...UInt8.max {
            let alert = HandshakeFailure.Alert(rawValue: number)
            #expect(isRefusal(alert, .tls13, isAfter: true) == refusing.contains(number), "\(alert)")
            #expect(isRefusal(alert, .tls12, isAfter: false) == refusing.contains(number), "\(alert)")
            #expect(!isRefusal(alert, .tls13, isAfter: false), "\(alert)")
        }
        #expect(!isRefusal(nil, .tls13, isAfter: true))
    }

    private struct Says: Policy {
        let code: String
        func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
            [.error(.modelAbsent, code: code, stage: .dns, "said", fix: "fix")]
        }
    }

    @Test func policiesAreComposedInOrder() {
        func codes(_ isThere: Bool) -> [String] {
            let erased: any Policy = Says(code: "any")
            let policy = AllOf {
                Says(code: "some")
                erased
                if isThere { Says(code: "optional") }
                if isThere { Says(code: "first") } else { Says(code: "second") }
                for code in ["a", "b"] { Says(code: code) }
            }
            return policy.judge(Self.evidence(), at: Self.now).map(\.code)
        }
        #expect(codes(true) == ["some", "any", "optional", "first", "a", "b"])
        #expect(codes(false) == ["some", "any", "second", "a", "b"])
    }

    /// Without a connection nothing is left to prove.
    @Test func aListAloneNeedsNoHandshake() {
        let findings = ProvenEvidence { Says(code: "said") }.judge(Evidence(connection: nil, model: nil), at: Self.now)
        #expect(findings.map(\.outcome) == [.modelAbsent])
    }
}
