import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

@Suite struct CertificateComparisonTests {
    private static let pki = TestConnection.pki

    private static func compare(
        _ seen: LabCertificateRecipe, _ expected: LabCertificateRecipe
    ) throws -> CertificateComparison {
        try CertificateComparison(seen: try pki.issue(seen), expected: try pki.issue(expected))
    }

    @Test("[R88] The same bytes are equal in all four attributes.")
    func same() throws {
        let certificate = try Self.pki.identity(.good).leaf
        let comparison = try CertificateComparison(seen: certificate, expected: certificate)
        #expect(comparison.isEqual)
        #expect(comparison.equalCount == 4)
    }

    @Test("[R88] A certificate issued again for the same key shares its key and its key's identifier.")
    func reissued() throws {
        let comparison = try Self.compare(.leaf("one"), .leaf("one"))
        #expect(!comparison.isEqual)
        #expect(comparison.equalCount == 2)
        #expect(comparison.results[.publicKey] == .equal)
        #expect(comparison.results[.subjectKeyIdentifier] == .equal)
        #expect(try Self.compare(.leaf("one"), .leaf("two")).equalCount == 0)
    }

    /// Returns a recipe with an explicit identifier, which no longer follows from the key.
    private static func identified(_ bytes: [UInt8]) -> LabCertificateRecipe {
        .leaf("identified") {
            $0.extensions = [
                LabExtension(oid: [2, 5, 29, 14], isCritical: false, value: [4, UInt8(bytes.count)] + bytes)
            ]
        }
    }

    @Test("[R88] The subject key identifier alone may differ, and says what is there.")
    func identifier() throws {
        let comparison = try Self.compare(Self.identified([1, 2]), Self.identified([3]))
        #expect(comparison.results[.subjectKeyIdentifier] == .different(seen: "0102", expected: "03"))
        #expect(comparison.results[.publicKey] == .equal)
    }

    @Test("[R88] A missing subject key identifier is not equal, not even to another missing one.")
    func missingIdentifier() throws {
        let without = LabCertificateRecipe.leaf("without") { $0.isVersionOne = true }
        let bytes = try Self.pki.issue(without)
        let comparison = try CertificateComparison(seen: bytes, expected: bytes)
        #expect(!comparison.isEqual)
        #expect(comparison.equalCount == 3)
        #expect(comparison.results[.subjectKeyIdentifier] == .missing(seen: nil, expected: nil))
        #expect(comparison.text.contains("subject key identifier missing in both"))
        let one = try CertificateComparison(seen: bytes, expected: try Self.pki.issue(Self.identified([9])))
        #expect(one.results[.subjectKeyIdentifier] == .missing(seen: nil, expected: "09"))
        let other = try CertificateComparison(seen: try Self.pki.issue(Self.identified([9])), expected: bytes)
        #expect(other.results[.subjectKeyIdentifier] == .missing(seen: "09", expected: nil))
    }

    @Test("[R88] Keys are compared as they stand, whoever can read them.")
    func unreadableKeys() throws {
        let bytes = try Self.pki.certificate(of: .unreadableKey)
        #expect(try CertificateComparison(seen: bytes, expected: bytes).isEqual)
    }

    @Test("Bytes that are no certificate are not compared.")
    func garbage() throws {
        let certificate = try Self.pki.identity(.good).leaf
        #expect(throws: (any Error).self) {
            try CertificateComparison(seen: Array(certificate.dropLast()), expected: certificate)
        }
    }

    @Test("[R88, R89] A file names certificates, with or without a position; the nearest one is described.")
    func expectations() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-expect@any-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "chain.pem").path
        try Self.pki.identity(.good).chainPEM.write(toFile: path, atomically: true, encoding: .utf8)
        let any = try CertificateExpectation(path)
        #expect(any.certificates.count == 2)
        #expect(any.position == .any && any.chain == .validated)
        #expect(try CertificateExpectation(path + "@first-3").position == .first(3))
        #expect(throws: InputError.self) { try CertificateExpectation(path + "@nowhere") }
        let renewed = try Self.pki.identity(.renewedSameKey)
        let evidence = TestConnection.evidence(path: renewed.chain + [try Self.pki.certificate(of: .root)])
        let leaf = CertificateExpectation(
            name: "leaf.pem", certificates: [try Self.pki.identity(.good).leaf], position: .any)
        let finding = try #require(CertificateMatches([leaf]).judge(evidence, at: Self.pki.epoch).first)
        #expect(finding.code == "certificate-differs" && finding.outcome == .pinMismatch)
        #expect(finding.message.contains("the nearest is certificate 0"))
        #expect(CertificateMatches([any]).judge(evidence, at: Self.pki.epoch).map(\.code) == ["certificate-matched"])
    }
}
