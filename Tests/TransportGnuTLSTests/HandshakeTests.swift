import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportGnuTLS

/// Handshakes with `openssl s_server`.
@Suite(
    .bounded, .enabled(if: OpenSSL.isInstalled, "openssl is not installed: no server to shake hands with"))
struct HandshakeTests {
    private let transport = GnuTLSTransport()

    /// Returns one handshake with a server that presents `identity`.
    private func report(
        of identity: LabIdentityName, _ arguments: [String] = [], staple: [UInt8]? = nil, name: String = "good.test",
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, alpn: [String] = []
    ) async throws -> HandshakeReport {
        try await OpenSSL.serve(try Fixture.pki.identity(identity), arguments, staple: staple) { [transport] port in
            await transport.handshake(
                try Fixture.request(port: port, name: name, versions: versions, alpn: alpn))
        }
    }

    @Test func showsEverythingOfATLS13Handshake() async throws {
        // An OCSPResponse "malformedRequest": it only has to arrive byte for byte.
        let staple: [UInt8] = [0x30, 0x03, 0x0a, 0x01, 0x01]
        let report = try await report(
            of: .good,
            ["-tls1_3", "-alpn", "http/1.1", "-groups", "X25519", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"],
            staple: staple, alpn: ["h2", "http/1.1"])
        let identity = try Fixture.pki.identity(.good)
        #expect(report.failure == nil)
        #expect(report.peerAddress == "127.0.0.1")
        #expect(report.sniSent == "good.test")
        #expect(report.chain == identity.chain)
        #expect(report.keys.first == .spki(identity.key.spki))
        #expect(report.keys.count == 2)
        #expect(report.version == .tls13)
        #expect(report.cipherSuite == "TLS_CHACHA20_POLY1305_SHA256")
        #expect(report.group == "x25519")
        #expect(report.alpn == "http/1.1")
        #expect(report.ocspStaple == staple)
        #expect(report.clientCertificateRequested == false)
        // Like GnuTLS' ordinary client: an unusable staple is worse than none.
        #expect(report.nativeTrust?.problems.map(\.nativeCode) == ["GNUTLS_CERT_INVALID_OCSP_STATUS"])
        #expect(report.nativeTrust?.problems.first?.fix == "renew the stapled response on the server")
        #expect(report.timings.trust != nil)
    }

    @Test func showsEverythingOfATLS12Handshake() async throws {
        let report = try await report(
            of: .rsa2048,
            ["-tls1_2", "-groups", "P-384", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256", "-verify", "1"])
        #expect(report.failure == nil)
        #expect(report.chain == (try Fixture.pki.identity(.rsa2048).chain))
        #expect(report.version == .tls12)
        #expect(report.cipherSuite == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
        #expect(report.group == "secp384r1")
        #expect(report.alpn == nil)
        #expect(report.ocspStaple == nil)
        #expect(report.clientCertificateRequested == true)
    }

    @Test func seesAClientCertificateRequestInTLS13() async throws {
        #expect(try await report(of: .good, ["-tls1_3", "-verify", "1"]).clientCertificateRequested == true)
    }

    @Test(arguments: [("P-256", "secp256r1"), ("P-521", "secp521r1"), ("X448", "x448"), ("ffdhe2048", "ffdhe2048")])
    func namesGroupsAsTheRegistryDoes(_ theirs: String, _ iana: String) async throws {
        #expect(try await report(of: .good, ["-tls1_3", "-groups", theirs]).group == iana)
    }

    @Test func aKeyExchangeWithoutAGroupHasNone() async throws {
        let report = try await report(of: .rsa2048, ["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"])
        #expect(report.failure == nil)
        #expect(report.group == nil)
        #expect(report.cipherSuite == "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256")
    }

    @Test func theChainIsEvidenceWhereTheHandshakeFails() async throws {
        // The leaf's key usage does not allow the RSA key exchange, and GnuTLS insists.
        let report = try await report(of: .rsa2048, ["-tls1_2", "-cipher", "AES128-GCM-SHA256"])
        #expect(report.failure?.nativeCode == "GNUTLS_E_KEY_USAGE_VIOLATION")
        #expect(report.failure?.cause == .keyUsage)
        #expect(report.version == .tls12)
        #expect(report.chain.count == 2)
        #expect(report.nativeTrust?.isAccepted == true)
    }

    /// GnuTLS has one code for the key usage of both.
    @Test func theKeyUsageOfOurCertificateIsNotTheServers() async throws {
        let client = try Fixture.pki.identity(.enciphermentUsage).asClient
        let failure = try await OpenSSL.serve(
            try Fixture.pki.identity(.good), ["-tls1_2", "-verify", "1"], staple: nil
        ) { [transport] port in
            await transport.handshake(try Fixture.request(port: port, clientIdentity: client)).failure
        }
        #expect(
            failure?.nativeCode == "GNUTLS_E_KEY_USAGE_VIOLATION" && failure?.cause == nil,
            "\(String(describing: failure))")
    }

    /// GnuTLS writes its Certificate message before it finds that it can't sign, and drops it; in TLS 1.3 it sends an empty one.
    @Test(arguments: [(TLSVersion.tls12, "RSA+SHA256"), (.tls13, "rsa_pss_rsae_sha256")])
    func aCertificateThatTheRequestExcludesIsNotSent(version: TLSVersion, algorithms: String) async throws {
        let client = try Fixture.pki.identity(.clientPurpose).asClient
        let report = try await OpenSSL.serve(
            try Fixture.pki.identity(.good), ["-verify", "1", "-client_sigalgs", algorithms], staple: nil
        ) { [transport] port in
            await transport.handshake(
                try Fixture.request(port: port, versions: version...version, clientIdentity: client))
        }
        #expect(report.clientCertificateRequested == true && report.clientCertificateSent == false)
        #expect(report.certificateRequestAnswered == (version == .tls13))
        let cause: HandshakeFailure.Cause? = version == .tls12 ? .clientKeyExcluded : nil
        #expect(report.failure?.cause == cause, "\(String(describing: report.failure))")
    }

    /// Sessions share their credentials, and each shows the certificate that its own request has.
    @Test(arguments: [TLSVersion.tls12, .tls13])
    func eachSessionShowsItsOwnCertificate(over version: TLSVersion) async throws {
        let client = try Fixture.pki.identity(.clientPurpose).asClient
        let shown = try await OpenSSL.serve(try Fixture.pki.identity(.good), ["-verify", "1"], staple: nil) {
            [transport] port in
            try await withThrowingTaskGroup(of: (isOurs: Bool, report: HandshakeReport).self) { group in
                for number in 0..<12 {
                    let request = try Fixture.request(
                        port: port, versions: version...version,
                        clientIdentity: number.isMultiple(of: 2) ? client : nil)
                    group.addTask { (request.clientIdentity != nil, await transport.handshake(request)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(shown.count == 12)
        for (isOurs, report) in shown {
            #expect(report.failure == nil && report.clientCertificateRequested == true)
            #expect((report.clientCertificateSent == true) == isOurs && report.certificateRequestAnswered == true)
        }
    }

    @Test(arguments: TLSVersion.allCases)
    func offersOnlyTheVersionsItWasGiven(_ version: TLSVersion) async throws {
        let report = try await report(
            of: .rsa2048, ["-cipher", "DEFAULT@SECLEVEL=0"], versions: version...version)
        #expect(report.version == version)
        #expect(report.failure == nil)
    }

    @Test func anAlertIsReportedWithItsNumber() async throws {
        let report = try await report(of: .good, ["-tls1_3"], versions: .tls12 ... .tls12)
        #expect(report.failure?.code == .alertReceived)
        #expect(report.failure?.alert == .protocolVersion)
        #expect(report.failure?.nativeCode == "GNUTLS_E_FATAL_ALERT_RECEIVED")
        #expect(report.chain.isEmpty)
        #expect(report.version == nil)
        #expect(report.sniSent == "good.test")
    }

    @Test func addressesAreNeverSentAsSNI() async throws {
        let report = try await report(of: .address, name: "127.0.0.1")
        #expect(report.failure == nil)
        #expect(report.sniSent == nil)
        #expect(report.nativeTrust?.isAccepted == true)
    }

    @Test func aRefusedChainDoesNotEndTheHandshake() async throws {
        let report = try await report(of: .expired)
        #expect(report.failure == nil)
        #expect(report.nativeTrust?.problems.map(\.cause) == [.expired])
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func tooManyCertificatesAreTheirOwnFailure(_ version: TLSVersion) async throws {
        let report = try await report(of: .huge, versions: version...version)
        #expect(report.failure?.code == .chainTooLong)
        #expect(report.version == version)
        #expect(report.chain.isEmpty)
    }

    @Test func everyHandshakeOfManyIsAFullOne() async throws {
        let identity = try Fixture.pki.identity(.good)
        try await OpenSSL.serve(identity) { [transport] port in
            let request = try Fixture.request(port: port)
            await withTaskGroup(of: HandshakeReport.self) { group in
                for _ in 0..<50 { group.addTask { await transport.handshake(request) } }
                for await report in group {
                    #expect(report.failure == nil)
                    #expect(report.chain == identity.chain)
                    #expect(report.nativeTrust?.isAccepted == true)
                }
            }
        }
    }
}
