import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeProfiles
import ProbeTestSupport
import Testing

/// CAA records against the CAs that pins are kept for.
@Suite(.bounded) struct CAALintTests {
    /// A root of Let's Encrypt.
    private static func authority(_ lab: LintChains) throws -> CertificateEvidence {
        var root = LabCertificateRecipe.authority("Let's Encrypt Authority X9", issuer: nil)
        root.commonName = "X9"
        // A DER name of one organisation: O = Let's Encrypt.
        let organisation = Array("Let's Encrypt".utf8)
        let value = [0x06, 0x03, 0x55, 0x04, 0x0a, 0x0c, UInt8(organisation.count)] + organisation
        root.encodedSubject =
            [0x30, UInt8(value.count + 4), 0x31, UInt8(value.count + 2), 0x30, UInt8(value.count)] + value
        return SuppliedChain.certificate(try lab.pki.issue(root))
    }

    private static func pin(of certificate: CertificateEvidence) throws -> String {
        Pin(kind: .spki, digest: try certificate.digests.get().spki).description
    }

    @Test func authoritiesThatMayNotIssue() throws {
        let certificate = try Self.authority(try LintChains())
        let pin = try Self.pin(of: certificate)
        func codes(_ records: String...) throws -> [String] {
            try Linted.codes(
                "services: {a: {url: a.test, pins: [{position: any, anyOf: [\"\(Pins.text(1))\", {pin: \"\(pin)\", backup: true}]}]}}",
                facts: LintFacts(caa: try records.map { try CAARecord($0) }, certificates: [certificate]))
        }
        #expect(try codes("0 issue \"digicert.com; account=1\"").contains("caa-forbids-backup"))
        #expect(try codes("0 issue \";\"").contains("caa-forbids-backup"))
        #expect(
            try codes("0 issue \"digicert.com\"", "0 issue \"LetsEncrypt.org\"").filter { $0.hasPrefix("caa") } == [])
        #expect(try codes("0 issuewild \"digicert.com\"").filter { $0.hasPrefix("caa") } == [])
        #expect(throws: InputError.self) { try CAARecord("issue letsencrypt.org") }
        #expect(throws: InputError.self) { try CAARecord("256 issue x") }
    }

    /// Most formats can't mark a backup: a pin that is not served may be one, and without a chain each of several.
    @Test func unmarkedBackups() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        let certificate = try Self.authority(lab)
        let (backup, root) = (try Self.pin(of: certificate), try lab.pin(.spki, 2, of: served))
        let allowed = try CAARecord("0 issue \"digicert.com\"")
        func paths(_ pins: [String], _ format: ProfileFormat, chain: ConnectionEvidence? = nil) throws -> [String] {
            let list = pins.map { "\"\($0)\"" }.joined(separator: ", ")
            let profile = try ProfileFile.parse(
                "profile: 1\nservices: {a: {url: good.test, pins: [{position: any, anyOf: [\(list)]}]}}",
                from: "app.yaml")
            let facts = LintFacts(
                chains: chain.map { ["a": $0] } ?? [:], caa: [allowed], certificates: [certificate])
            return ProfileLint(profile, facts: facts, format: format).findings(at: lab.pki.epoch)
                .filter { $0.code.hasPrefix("caa") }.map(\.path)
        }
        #expect(try paths([root, backup], .apple) == ["services.a.pins[0].anyOf[1]"])
        #expect(try paths([root, backup], .apple, chain: served) == ["services.a.pins[0].anyOf[1]"])
        #expect(try paths([backup], .apple) == [])
        #expect(try paths([root, backup], .nativeYAML, chain: served) == [])
    }
}
