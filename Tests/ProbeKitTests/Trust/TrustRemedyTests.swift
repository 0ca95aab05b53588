import ProbeKit
import ProbeLab
import SwiftASN1
import Testing

/// The changes that the reference verifier names where a cause alone would imply one that does not help.
@Suite struct TrustRemedyTests {
    private static let ended = LabCertificateRecipe.days(-9, -1)

    private func fixes(_ reading: TrustReading, _ cause: TrustCause) -> [String?] {
        reading.problems.filter { $0.cause == cause }.map(\.fix)
    }

    /// Nobody can renew the leaf of a CA that has ended.
    @Test func anEndedCertificateIsReplacedByWhoeverCan() async throws {
        let leaf = try await TestChain.reading(leaf: .leaf("test") { $0.validity = Self.ended })
        #expect(fixes(leaf, .expired) == [nil])
        let middle = try await TestChain.reading(
            below: [LabCertificateRecipe.middle.changed { $0.validity = Self.ended }, .root])
        #expect(
            fixes(middle, .expired) == [
                "send a current certificate of that CA, or have the leaf issued below another"
            ])
        let root = try await TestChain.reading(
            below: [LabCertificateRecipe.root.changed { $0.validity = Self.ended }])
        #expect(
            fixes(root, .expired) == ["move to a root that is valid, and make sure that clients trust it"])
    }

    /// A precertificate has the poison of RFC 6962 section 3.1.
    @Test func aCriticalExtensionIsLeftOut() async throws {
        let poison = LabExtension(oid: [1, 3, 6, 1, 4, 1, 11129, 2, 4, 3], isCritical: true, value: [5, 0])
        for (ext, words) in [
            (LabExtension.unknownCritical, "without the extension, or with it not critical"),
            (poison, "install the certificate itself"),
        ] {
            let reading = try await TestChain.reading(leaf: LabCertificateRecipe.leaf("test").with(ext))
            let fix = try #require(fixes(reading, .constraintViolated).first ?? nil)
            #expect(fix.contains(words), "\(fix)")
        }
    }

    /// A certificate for clients needs no purpose of servers, and a CA's purposes are not the leaf's.
    @Test func aMissingPurposeIsThatOfTheQuestion() async throws {
        let client = try await TestChain.reading(leaf: .leaf("test"), purpose: .client)
        #expect(
            fixes(client, .wrongPurpose) == ["issue the certificate for TLS clients (extended key usage clientAuth)"])
        let below = try await TestChain.reading(
            below: [LabCertificateRecipe.middle.changed { $0.purposes = [.client] }, .root])
        #expect(
            fixes(below, .wrongPurpose) == [
                "issue the certificate below a CA whose extended key usage names it, or that has none"
            ])
    }

    /// The reason why an issuer or a leaf can't be read has its own remedy on the way to the finding.
    @Test func aSignatureThatIsNotReadIsChanged() async throws {
        let leaf = try TestChain.pki.issue(.leaf("test"), by: .root)
        let root = try TestChain.pki.issue(.root, by: .root)
        let strange = try TestChain.replacingAlgorithm(of: leaf, with: [2, 16, 840, 1, 101, 3, 4, 3, 10])
        let reading = try await TestChain.reading(chain: [strange], anchors: [root])
        #expect(fixes(reading, .other) == ["have that certificate signed with SHA-256, SHA-384 or SHA-512"])
    }
}
