import Foundation
import ProbeKit
import ProbeLab
import SwiftASN1
import Testing

@testable import ProbeTrust

/// Each rule of App Transport Security, kept and broken, and the boundaries of the lifetimes to the second.
@Suite struct ATSPolicyTests {
    private static let epoch = TestConnection.pki.epoch
    private static let day = 86_400

    private static func findings(_ evidence: Evidence, anchorsAreSystem: Bool? = nil) -> [Finding] {
        ATSPolicy(anchorsAreSystem: anchorsAreSystem).judge(evidence, at: epoch)
    }

    private static func complaints(_ evidence: Evidence, anchorsAreSystem: Bool? = nil) -> [String] {
        findings(evidence, anchorsAreSystem: anchorsAreSystem).filter { $0.severity != .note }.map {
            "\($0.severity.rawValue) \($0.code)"
        }
    }

    private static func complaints(_ leaf: LabCertificateRecipe) throws -> [String] {
        complaints(TestConnection.evidence(path: try TestConnection.path(leaf)))
    }

    @Test("[R52] A usual connection satisfies every rule, and that is noted.")
    func satisfied() throws {
        let findings = Self.findings(TestConnection.evidence(path: try TestConnection.path()))
        #expect(findings.map(\.code) == ["ats-satisfied"])
    }

    @Test(
        "[R52] TLS 1.2 or later.",
        arguments: [
            (TLSVersion.tls10, true), (.tls11, true), (.tls12, false), (.tls13, false),
        ])
    func versions(version: TLSVersion, isRefused: Bool) throws {
        let evidence = TestConnection.evidence(
            path: try TestConnection.path(), version: version, suite: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA")
        #expect(Self.complaints(evidence) == (isRefused ? ["error ats-tls-version"] : []))
    }

    @Test(
        "[R52] Forward secrecy by ECDHE, and a listed suite.",
        arguments: [
            ("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", nil), ("TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", nil),
            ("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", nil),
            ("TLS_RSA_WITH_AES_128_CBC_SHA256", "error ats-forward-secrecy"),
            ("TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", "error ats-forward-secrecy"),
            ("TLS_ECDH_RSA_WITH_AES_256_GCM_SHA384", "error ats-forward-secrecy"),
            ("TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", "error ats-cipher-suite"),
            ("TLS_ECDHE_ECDSA_WITH_AES_256_CCM", "error ats-cipher-suite"), (nil, "error cipher-suite-unread"),
        ] as [(String?, String?)])
    func suites(suite: String?, complaint: String?) throws {
        let evidence = TestConnection.evidence(path: try TestConnection.path(), version: .tls12, suite: suite)
        #expect(Self.complaints(evidence) == (complaint.map { [$0] } ?? []))
    }

    @Test(
        "[R52] RSA of 2048 bits or a curve of 256.",
        arguments: [
            (LabKeyID(.rsa2048, "leaf"), nil), (LabKeyID(.p256, "a"), nil), (LabKeyID(.p384, "a"), nil),
            (LabKeyID(.rsa1024, "leaf"), "error ats-key-size"), (LabKeyID(.ed25519, "a"), "warning ats-key-size"),
        ] as [(LabKeyID, String?)])
    func keys(key: LabKeyID, complaint: String?) throws {
        #expect(try Self.complaints(.leaf("key") { $0.key = key }) == (complaint.map { [$0] } ?? []))
    }

    @Test("[R52] A key of an algorithm or curve nobody measures is not long enough, whoever can read the rest.")
    func unknownKeys() throws {
        let leaf = try Self.complaints(.leaf("unknown") { $0.keyEncoding = .unknownAlgorithm })
        #expect(leaf == ["error ats-key-size"])
    }

    @Test("[R52] The issuers' keys and signatures count, the anchor's do not.")
    func issuers() throws {
        let weak = try Self.complaints(.leaf("below weak", issuer: .weakIntermediate))
        #expect(weak == ["error ats-key-size"])
        let pki = TestConnection.pki
        let root = LabCertificateRecipe.authority("Weak Root", issuer: nil) {
            $0.key = LabKeyID(.rsa1024, "leaf")
            $0.signature = .rsaSHA1
        }
        let evidence = TestConnection.evidence(
            path: [
                try pki.issue(.leaf("below weak root") { $0.signature = .rsaSHA256 }, by: root), try pki.issue(root),
            ])
        #expect(Self.complaints(evidence) == [])
        let anchored = TestConnection.evidence(
            path: [
                try pki.issue(.leaf("below weak", issuer: .weakIntermediate)),
                try pki.certificate(of: .weakIntermediate),
            ])
        #expect(Self.complaints(anchored) == [])
        let signed = try pki.issue(.leaf("signed weakly") { $0.signature = .rsaSHA1 }, by: root)
        #expect(
            Self.complaints(TestConnection.evidence(path: [signed, try pki.issue(root)])) == [
                "error ats-signature-digest"
            ])
    }

    @Test("[R52] Without a trusted path what was presented is judged, without roots that sign themselves.")
    func untrusted() throws {
        let pki = TestConnection.pki
        let path = [
            try pki.issue(.leaf("below weak", issuer: .weakIntermediate)),
            try pki.certificate(of: .weakIntermediate),
            try pki.issue(
                .authority("Presented Root", issuer: nil) {
                    $0.key = LabKeyID(.rsa1024, "leaf")
                    $0.signature = .rsaSHA1
                }), try pki.certificate(of: .root),
        ]
        let findings = Self.findings(TestConnection.evidence(path: path, isTrusted: false))
        #expect(findings.map(\.code) == ["ats-key-size"])
        #expect(findings.first?.message.contains("certificate 1") == true)
        #expect(findings.first?.message.contains("Presented Root") == false)
    }

    @Test(
        "[R52] Signatures over SHA-256 or better, RSASSA-PSS by its parameters.",
        arguments: [
            (LabSignature.rsaSHA256, []), (.rsaSHA384, []), (.rsaPSSSHA256, []),
            (.rsaSHA1, ["error ats-signature-digest"]),
        ] as [(LabSignature, [String])])
    func digests(signature: LabSignature, complaints: [String]) throws {
        let leaf = LabCertificateRecipe.leaf("digest", issuer: .rsaIntermediate) { $0.signature = signature }
        #expect(try Self.complaints(leaf) == complaints)
    }

    @Test("[R52] A subject alternative name and the purpose of a server.")
    func namesAndPurpose() throws {
        #expect(try Self.complaints(.leaf("unnamed") { $0.dnsNames = [] }) == ["error ats-alternative-name"])
        for purposes in [nil, [], [.any], [.client]] as [[LabPurpose]?] {
            #expect(try Self.complaints(.leaf("purpose") { $0.purposes = purposes }) == ["error ats-server-purpose"])
        }
        #expect(try Self.complaints(.leaf("purposes") { $0.purposes = [.client, .server] }) == [])
    }

    @Test(
        "[R52] Older leaves need no purpose.",
        arguments: [("2019-06-30T23:59:59Z", true), ("2019-07-01T00:00:00Z", false)])
    func purposeSince(start: String, isSatisfied: Bool) throws {
        let first = Int(try RFC3339.parse(start).timeIntervalSince(Self.epoch))
        let leaf = LabCertificateRecipe.leaf("old purpose") {
            $0.purposes = [.client]
            $0.validity = first...first + 300 * Self.day
        }
        #expect(try Self.complaints(leaf) == (isSatisfied ? [] : ["error ats-server-purpose"]))
    }

    @Test("[R52] A lifetime is reported in days, and the fix is a day less than the limit.")
    func lifetimeWords() throws {
        let start = try RFC3339.parse("2026-01-01T00:00:00Z").timeIntervalSince(Self.epoch)
        let words = try [(398, 2, true), (825, 3602, false)].map { days, beyond, system in
            let leaf = LabCertificateRecipe.leaf("words") {
                $0.validity = Int(start)...Int(start) + days * Self.day + beyond - 1
            }
            let findings = Self.findings(
                TestConnection.evidence(path: try TestConnection.path(leaf)), anchorsAreSystem: system)
            return try #require(findings.first { $0.severity == .error })
        }
        #expect(words[0].message == "the leaf is valid for 399 days: Apple's clients take 398")
        #expect(words[0].fix == "get a certificate for at most 397 days")
        #expect(words[1].message == "the leaf is valid for 826 days: Apple's clients take 825")
        #expect(words[1].fix == "get a certificate for at most 824 days")
        let scheduled = LabCertificateRecipe.leaf("scheduled") {
            let first = Int(start) + 90 * Self.day
            $0.validity = first...first + 201 * Self.day - 1
        }
        let findings = Self.findings(
            TestConnection.evidence(path: try TestConnection.path(scheduled)), anchorsAreSystem: true)
        #expect(findings.contains { $0.fix.hasSuffix("at most 199 days") })
    }

    /// RFC 5480 2.1.1.1, RFC 3279 2.3, RFC 8410 3, SEC 2: as they are written there.
    @Test(
        arguments: [
            ("1.2.840.10045.2.1", "1.2.840.10045.3.1.1", .ellipticCurve("P-192", bits: 192)),
            ("1.2.840.10045.2.1", "1.3.132.0.33", .ellipticCurve("P-224", bits: 224)),
            ("1.2.840.10045.2.1", "1.2.840.10045.3.1.7", .ellipticCurve("P-256", bits: 256)),
            ("1.2.840.10045.2.1", "1.3.132.0.34", .ellipticCurve("P-384", bits: 384)),
            ("1.2.840.10045.2.1", "1.3.132.0.35", .ellipticCurve("P-521", bits: 521)),
            ("1.2.840.10045.2.1", "1.3.132.0.10", .ellipticCurve("secp256k1", bits: 256)),
            ("1.2.840.10045.2.1", "1.2.3", .other("on a curve we do not know")),
            ("1.2.840.10045.2.1", nil, .other("on a curve we do not know")), ("1.2.840.10040.4.1", nil, .other("DSA")),
            ("1.3.101.112", nil, .other("Ed25519")), ("1.3.101.113", nil, .other("Ed448")),
            ("1.2.840.113549.1.1.1", nil, .other("a broken RSA key")),
            ("1.2.840.113549.1.1.10", nil, .other("for RSASSA-PSS alone")),
            // A curve means nothing to another algorithm.
            ("1.3.101.112", "1.2.840.10045.3.1.7", .other("Ed25519")), ("1.2.3", nil, .other("of the algorithm 1.2.3")),
        ] as [(String, String?, KeyStrength)])
    func strengths(key: String, curve: String?, strength: KeyStrength) throws {
        let key = try ASN1ObjectIdentifier(dotRepresentation: key)
        let curve = try curve.map { try ASN1ObjectIdentifier(dotRepresentation: $0) }
        #expect(KeyStrength(key: key, curve: curve, rsaBits: nil) == strength)
        #expect(KeyStrength(key: key, curve: curve, rsaBits: 2047) == .rsa(bits: 2047))
    }

    /// Returns a leaf that begins at an instant and lasts so many seconds, the last one counting.
    private static func lasting(_ seconds: Int, from start: String, system: Bool) throws -> [String] {
        let first = Int(try RFC3339.parse(start).timeIntervalSince(epoch))
        let leaf = LabCertificateRecipe.leaf("lasting") { $0.validity = first...first + seconds - 1 }
        return complaints(
            TestConnection.evidence(path: try TestConnection.path(leaf)), anchorsAreSystem: system)
    }

    private static let tooLong = ["error ats-certificate-lifetime"]
    private static let overlooked = ["warning ats-certificate-lifetime"]

    @Test(
        "[R52] 398 days below the system's anchors from 2020-09-01 on, 825 before.",
        arguments: [
            (398 * day, "2020-09-01T00:00:00Z", []), (398 * day + 1, "2020-09-01T00:00:00Z", overlooked),
            (398 * day + 2, "2020-09-01T00:00:00Z", tooLong), (826 * day, "2019-07-01T00:00:00Z", tooLong),
            (825 * day + 3601, "2019-07-01T00:00:00Z", overlooked),
            (825 * day + 3602, "2019-07-01T00:00:00Z", tooLong), (399 * day, "2020-08-31T23:59:59Z", []),
            (825 * day, "2020-08-31T23:59:59Z", []), (826 * day, "2020-08-31T23:59:59Z", tooLong),
            (826 * day, "2019-06-30T23:59:59Z", []),
        ] as [(Int, String, [String])])
    func systemLifetimes(seconds: Int, start: String, complaints: [String]) throws {
        #expect(try Self.lasting(seconds, from: start, system: true) == complaints)
    }

    @Test(
        "[R52] 825 days below anchors that were added, from 2019-07-01 on.",
        arguments: [
            (825 * day, "2019-07-01T00:00:00Z", []), (825 * day + 1, "2026-11-01T00:00:00Z", overlooked),
            (825 * day + 3601, "2026-11-01T00:00:00Z", overlooked),
            (825 * day + 3602, "2026-11-01T00:00:00Z", tooLong), (826 * day, "2019-07-01T00:00:00Z", tooLong),
            (5000 * day, "2019-06-30T23:59:59Z", []),
        ] as [(Int, String, [String])])
    func addedLifetimes(seconds: Int, start: String, complaints: [String]) throws {
        #expect(try Self.lasting(seconds, from: start, system: false) == complaints)
    }

    @Test(
        "[R52] The schedule of the public CAs: a warning, and only below the system's anchors.",
        arguments: [
            (200, "2026-03-15T00:00:00Z", false), (201, "2026-03-15T00:00:00Z", true),
            (201, "2026-03-14T23:59:59Z", false), (100, "2027-03-15T00:00:00Z", false),
            (101, "2027-03-15T00:00:00Z", true), (200, "2027-03-14T23:59:59Z", false),
            (47, "2029-03-15T00:00:00Z", false), (48, "2029-03-15T00:00:00Z", true),
            (100, "2029-03-14T23:59:59Z", false),
        ])
    func schedule(days: Int, start: String, warns: Bool) throws {
        let system = try Self.lasting(days * Self.day, from: start, system: true)
        #expect(system == (warns ? ["warning ats-certificate-lifetime-schedule"] : []))
        #expect(try Self.lasting(days * Self.day, from: start, system: false) == [])
    }

    @Test("[R52] Whose anchors they are is known where they come from the system, unless said.")
    func anchors() throws {
        let path = try TestConnection.path(.leaf("399") { $0.validity = 0...399 * Self.day - 1 })
        let system = TestConnection.evidence(path: path, anchorsAreSystem: true)
        #expect(Self.complaints(system).first == "error ats-certificate-lifetime")
        #expect(Self.complaints(system, anchorsAreSystem: false) == [])
        #expect(Self.complaints(TestConnection.evidence(path: path)) == [])
        #expect(try TrustAnchors.system().isSystem)
    }

    @Test("What never came about is another policy's matter.")
    func nothingSeen() {
        #expect(Self.findings(Evidence(connection: nil, model: nil)) == [])
        var report = HandshakeReport(failure: HandshakeFailure(.connectionRefused, "refused"))
        report.version = .tls10
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: nil, anchors: .none, instant: Self.epoch)
        #expect(Self.findings(Evidence(connection: connection, model: nil)) == [])
    }
}
