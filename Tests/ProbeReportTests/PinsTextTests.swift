import ProbeKit
import ProbeReport
import Testing

/// The pins of certificates as text.
@Suite struct PinsTextTests {
    private static func certificate(
        _ name: String, _ source: CertificateEvidence.Source = .presented
    ) throws -> CertificateEvidence {
        func digest(_ seed: UInt8) throws -> PinDigest {
            try #require(PinDigest([UInt8](repeating: seed, count: 31) + [UInt8(name.utf8.count)]))
        }
        return CertificateEvidence(
            supposed: name,
            digests: CertificateDigests(cert: try digest(1), spki: try digest(2), rawKey: try digest(3)),
            source: source)
    }

    /// A record for a CA matches only what is sent (RFC 7671 section 5.2), and a leaf is one wherever it is sent.
    @Test func recordsAreOfWhatIsSent() throws {
        let leaf = try Self.certificate("leaf")
        let certificates = [leaf, leaf, try Self.certificate("the root", .anchor)]
        let text = PinsText.text(certificates, of: "good.test", idle: [])
        let records = text.split(separator: "\n").filter { $0.hasSuffix("(TLSA)") }
        #expect(records.map { $0.drop { $0 == " " }.prefix(5) } == ["3 1 1", "3 1 1"], "\(text)")
        #expect(text.contains("certificate 1  leaf  (leaf, once more)"), "\(text)")
        #expect(text.contains("certificate 2  the root  (anchor, not sent by the server)"), "\(text)")
    }

    @Test func aFilesNameHasNoControlCharacters() {
        #expect(PinsText.text([], of: "a\u{1b}[2Jb.pem", idle: []) == "a\\u{1b}[2Jb.pem")
    }
}
