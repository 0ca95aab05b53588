import ProbeKit
import ProbeLab
import ProbePins
import ProbeTrust
import Testing

/// Which certificate of a chain is compared with the expected ones, and shown as the nearest.
@Suite struct CertificateMatchesTests {
    private let path: [[UInt8]]

    init() throws { path = try TestConnection.path() }

    private func judge(
        _ certificates: [[UInt8]], at position: PinPosition = .any, chain: PinChain = .validated
    ) throws -> Finding {
        let expectation = CertificateExpectation(
            name: "a.pem", certificates: certificates, position: position, chain: chain)
        let findings = CertificateMatches([expectation]).judge(
            TestConnection.evidence(path: path), at: TestConnection.pki.epoch)
        return try #require(findings.first)
    }

    @Test func thePositionCounts() throws {
        for (depth, certificate) in path.enumerated() {
            #expect(try judge([certificate]).code == "certificate-matched")
            let isLeaf = depth == 0
            #expect(
                try judge([certificate], at: .leaf).code == (isLeaf ? "certificate-matched" : "certificate-differs"))
            #expect(try judge([certificate], at: .ca).code == (isLeaf ? "certificate-differs" : "certificate-matched"))
            // The root was not presented.
            let presented = try judge([certificate], chain: .presented).code
            #expect(presented == (depth == 2 ? "certificate-differs" : "certificate-matched"))
        }
    }

    @Test func anyOfTheAlternativesIsEnough() throws {
        let stranger = try TestConnection.pki.certificate(of: .otherRoot)
        #expect(try judge([stranger, path[1]]).message.hasPrefix("certificate 1, "))
        #expect(try judge([path[1], stranger]).message.hasPrefix("certificate 1, "))
    }

    /// The one with the most attributes in common, and the first of several.
    @Test func theNearestIsShown() throws {
        let stranger = try TestConnection.pki.certificate(of: .otherRoot)
        #expect(try judge([stranger]).message.contains("; the nearest is certificate 0, "))
        var recipe = LabAuthority.intermediate.recipe
        recipe.validity = LabCertificateRecipe.days(-2, 2)
        let renewed = try TestConnection.pki.issue(recipe)
        #expect(try judge([stranger, renewed]).message.contains("; the nearest is certificate 1, "))
        #expect(try judge([renewed, stranger]).message.contains("; the nearest is certificate 1, "))
    }

    /// It is equal to no certificate, itself included (requirement 88), and expecting it again changes nothing.
    @Test(arguments: [true, false]) func withoutAKeyIdentifierNothingIsEqual(isTrusted: Bool) throws {
        let leaf = try TestConnection.path(
            .leaf("unmarked") { $0.omittedExtensions = [LabExtension.subjectKeyIdentifier] })
        func judge(_ certificate: [UInt8]) throws -> Finding {
            let expectation = CertificateExpectation(name: "a.pem", certificates: [certificate])
            return try #require(
                CertificateMatches([expectation]).judge(
                    TestConnection.evidence(path: leaf, isTrusted: isTrusted), at: TestConnection.pki.epoch
                ).first)
        }
        let pin = "pin cert@any:sha256:\(PinDigest.sha256(of: leaf[0]).base64)"
        let same = try judge(leaf[0])
        #expect(same.code == "certificate-differs" && same.severity == .error)
        #expect(same.message.contains("is that of a.pem, byte for byte"), "\(same.message)")
        #expect(same.fix == "issue the certificate with one, or \(pin)")
        guard isTrusted else { return }
        let other = try judge(path[0])
        #expect(other.message.hasPrefix("no certificate at any is that of a.pem"))
        #expect(other.fix.contains("issue the new one with a subject key identifier") && other.fix.hasSuffix(pin))
    }

    @Test func withoutAPathACAIsNotComparedWithTheLeaf() throws {
        let expectation = CertificateExpectation(name: "root.pem", certificates: [path[2]])
        let finding = try #require(
            CertificateMatches([expectation]).judge(
                TestConnection.evidence(path: path, isTrusted: false), at: TestConnection.pki.epoch
            ).first)
        #expect(finding.code == "certificate-differs" && !finding.message.contains("nearest"))
        #expect(finding.fix.hasPrefix("have the chain accepted first"))
    }

    @Test func whatCannotBeReadIsNoMatch() throws {
        let finding = try judge([[1, 2, 3]])
        #expect(finding.code == "certificate-differs")
        #expect(finding.message.hasPrefix("no readable certificate at any to compare with a.pem"))
    }
}
