import Crypto
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTrust
import SwiftASN1
import Testing
import X509

/// Forms that were decided on because the standards are silent or every stack accepts them: the accepted ones, their
/// remarks, and the refused ones.
@Suite struct AcceptedFormTests {
    private static let pki = TestChain.pki

    /// Zero bits at the end of a key usage are read, with a warning; below the anchor alone.
    @Test(
        arguments: [
            // digitalSignature and keyCertSign with cRLSign, written with all eight bits, nine and sixteen.
            [0x03, 0x02, 0x00, 0x86], [0x03, 0x03, 0x07, 0x86, 0x00], [0x03, 0x03, 0x00, 0x86, 0x00],
        ] as [[UInt8]])
    func aPaddedKeyUsageIsRead(_ value: [UInt8]) async throws {
        let usage = LabExtension(oid: [2, 5, 29, 15], isCritical: true, value: value)
        let reading = try await TestChain.reading(below: [.middle.with(usage), .root])
        #expect(reading.isAccepted, "\(reading.problems)")
        #expect(reading.remarks.map(\.code) == ["key-usage-padding"])
        #expect(reading.remarks.first?.severity == .warning)
        #expect(try await TestChain.reading(below: [.middle, .root.with(usage)]).remarks.isEmpty)
    }

    /// The values of the bits count, and a bit without a name is refused.
    @Test(
        arguments: [
            ([0x03, 0x02, 0x00, 0x04], nil), ([0x03, 0x02, 0x00, 0x80], .constraintViolated),
            ([0x03, 0x02, 0x07, 0x00], .constraintViolated), ([0x03, 0x01, 0x00], .constraintViolated),
            ([0x03, 0x03, 0x06, 0x04, 0x40], .malformed), ([0x03, 0x02, 0x00, 0x04, 0x00], .malformed),
        ] as [([UInt8], TrustCause?)])
    func keyUsageBits(value: [UInt8], cause: TrustCause?) async throws {
        let usage = LabExtension(oid: [2, 5, 29, 15], isCritical: true, value: value)
        let reading = try await TestChain.reading(below: [.middle.with(usage), .root])
        #expect(reading.cause == cause, "\(reading.problems)")
    }

    /// Unique identifiers are read, with ECDSA and with a signature that the library does not decode.
    @Test func uniqueIdentifiersAreRead() async throws {
        let leaf = LabCertificateRecipe.leaf("test").changed { $0.uniqueIdentifier = [1, 2, 3] }
        let middle = LabCertificateRecipe.middle.changed { $0.uniqueIdentifier = [4] }
        #expect(try await TestChain.reading(leaf: leaf, below: [middle, .root]).isAccepted)
        let rsa = LabCertificateRecipe.root.changed { $0.key = LabKeyID(.rsa2048, "authority") }
        let pss = try Self.pki.issue(leaf.changed { $0.signature = .rsaPSSSHA256 }, by: rsa)
        #expect(try await TestChain.reading(chain: [pss], anchors: [Self.pki.issue(rsa)]).isAccepted)
        // They are signed as everything else is.
        let chain = try [Self.pki.issue(leaf, by: .root), Self.pki.issue(.root)]
        let identifier = try #require(chain[0].firstRange(of: [0x82, 0x04, 0x00, 1, 2, 3]))
        var changed = chain[0]
        changed[identifier.upperBound - 1] ^= 1
        #expect(try await TestChain.reading(chain: [chain[0]], anchors: [chain[1]]).isAccepted)
        #expect(try await TestChain.reading(chain: [changed], anchors: [chain[1]]).cause == .badSignature)
        // Version 1 has none.
        let old = LabCertificateRecipe.root.changed { ($0.isVersionOne, $0.uniqueIdentifier) = (true, [1]) }
        #expect(try await TestChain.reading(below: [old]).cause == .malformed)
    }

    @Test func aLeadingPeriodIsNoted() async throws {
        let constraint = try TestChain.constraints(permitted: [.dnsName(".good.test"), .dnsName("good.test")])
        let reading = try await TestChain.reading(below: [.middle.with(constraint), .root])
        #expect(reading.isAccepted, "\(reading.problems)")
        #expect(reading.remarks.map(\.code) == ["name-constraint-leading-period"])
        #expect(reading.remarks.first?.severity == .note)
        // Below it alone, and the anchor's binds as well.
        let below = try TestChain.constraints(permitted: [.dnsName(".good.test")])
        #expect(try await TestChain.reading(below: [.middle, .root.with(below)]).cause == .constraintViolated)
        let www = LabCertificateRecipe.leaf("test").changed { $0.dnsNames = ["www.good.test"] }
        #expect(
            try await TestChain.reading(leaf: www, below: [.middle, .root.with(below)], name: "www.good.test")
                .isAccepted)
    }

    /// A constraint in a leaf, a signing usage without the role, an authority without a name.
    @Test func rolesFitTogether() async throws {
        let constraint = try TestChain.constraints(permitted: [.dnsName("good.test")])
        #expect(try await TestChain.reading(leaf: .leaf("test").with(constraint)).cause == .constraintViolated)
        let signing = LabCertificateRecipe.leaf("test").changed {
            $0.keyUsage = [.digitalSignature, .certificateSigning]
        }
        #expect(try await TestChain.reading(leaf: signing).cause == .constraintViolated)
        let nameless = LabCertificateRecipe.middle.changed { $0.encodedSubject = [0x30, 0x00] }
        #expect(try await TestChain.reading(below: [nameless, .root]).cause == .malformed)
        #expect(
            try await TestChain.reading(below: [.root.changed { $0.encodedSubject = [0x30, 0x00] }]).cause == .malformed
        )
        // A leaf needs no subject.
        let leaf = LabCertificateRecipe.leaf("test").changed { $0.encodedSubject = [0x30, 0x00] }
        #expect(try await TestChain.reading(leaf: leaf).isAccepted)
    }

    /// A negative serial number is malformed, whatever the key.
    @Test(arguments: [LabKeyID(.p256, "test"), LabKeyID(.rsa2048, "leaf"), LabKeyID(.ed25519, "test")])
    func negativeSerials(key: LabKeyID) async throws {
        let leaf = LabCertificateRecipe.leaf("test").changed { ($0.serial, $0.key) = ([0x80, 0x01], key) }
        let reading = try await TestChain.reading(leaf: leaf)
        #expect(reading.problems.map(\.cause) == [.malformed], "\(reading.problems)")
        #expect(reading.problems.first?.message.contains("serial number") == true)
    }

    /// A wildcard over a public suffix is a warning if a list is available; a company's own suffix is not checked.
    @Test(arguments: [("*.co.test", true), ("*.other.test", false), ("www.co.test", false)])
    func wildcardsOverPublicSuffixes(name: String, isWarned: Bool) async throws {
        let leaf = try Self.pki.issue(.leaf("test") { $0.dnsNames = [name, "good.test"] }, by: .root)
        let question = TrustQuestion(
            chain: [leaf], anchors: TrustAnchors(name: "test", certificates: [try Self.pki.issue(.root)]),
            name: try ServerName("good.test"), instant: Self.pki.epoch)
        let reading = await ReferenceVerifier { $0 == "co.test" }.evaluate(question)
        #expect(reading.isAccepted)
        #expect(reading.remarks.map(\.code) == (isWarned ? ["wildcard-public-suffix"] : []))
        #expect(await ReferenceVerifier().evaluate(question).remarks.isEmpty)
    }

    /// Remarks of an accepted chain are findings of the same severity; a refused one has none.
    @Test func remarksAreFindings() throws {
        let remarks = [
            TrustReading.Remark.warning("careful", "a warning", fix: "mind it"), .note("known", "a note"),
        ]
        let identity = BackendIdentity(name: "test", library: "test", version: "1")
        func findings(_ native: TrustReading, _ reference: TrustReading, _ mode: TrustMode) -> [Finding] {
            var report = HandshakeReport()
            report.nativeTrust = native
            let connection = ConnectionEvidence(
                transport: identity, report: report, missing: [], certificates: [], referenceTrust: reference,
                anchors: .none, instant: Self.pki.epoch)
            return TrustedChain(mode).judge(Evidence(connection: connection, model: nil), at: Self.pki.epoch)
        }
        let accepted = TrustReading.accepted(path: [[1], [2]], remarks: remarks)
        #expect(findings(.accepted(path: nil), accepted, .both).map(\.severity) == [.warning, .note])
        #expect(findings(.accepted(path: nil), accepted, .both).map(\.code) == ["careful", "known"])
        #expect(
            findings(.accepted(path: nil), accepted, .native).map(\.code)
                == ["trust-mode", "revocation-not-judged"])
        let unusable = TrustReading.refused([.init(.other, "the list is stale", fix: "give a current list")])
        #expect(findings(unusable, unusable, .both).first?.fix == "give a current list")
    }
}
