import ProbeKit
import ProbeLab
import ProbeTrust
import Testing
import X509

@Suite struct EmulatedNameTests {
    private static func code(_ name: String, _ leaf: LabCertificateRecipe) throws -> String {
        let evidence = TestConnection.evidence(path: try TestConnection.path(leaf))
        let findings = EmulatedName(try ServerName(name)).judge(evidence, at: TestConnection.pki.epoch)
        return findings.map { "\($0.severity.rawValue) \($0.code)" }.joined(separator: ", ")
    }

    private static func named(_ names: [GeneralName]) throws -> LabCertificateRecipe {
        try LabCertificateRecipe.leaf("named").with(TestChain.names(names))
    }

    @Test("[R86] An exact DNS name in whatever case is found.")
    func exact() throws {
        #expect(try Self.code("good.test", .leaf("exact")) == "note emulated-name")
        #expect(try Self.code("good.test", Self.named([.dnsName("GOOD.Test")])) == "note emulated-name")
    }

    @Test("[R86] Wildcards and addresses are not read: what we accept fails for the emulated client.")
    func wildcard() throws {
        #expect(try Self.code("a.good.test", Self.named([.dnsName("*.good.test")])) == "error emulation-differs")
        #expect(
            try Self.code("127.0.0.1", .leaf("address") { $0.addresses = [.loopback4] }) == "error emulation-differs")
    }

    /// The client's strings end at the NUL, ours do not; its system refuses the leaf all the same.
    @Test("[R86] A NUL ends the name for the emulated client, and never helps a chain to pass.")
    func embeddedNUL() throws {
        let leaf = try Self.named([.dnsName("good.test\0.evil.test")])
        #expect(try Self.code("good.test", leaf) == "warning emulation-differs")
        #expect(try Self.code("other.test", leaf) == "note emulated-name")
    }

    @Test("[R86] A name further up the chain is enough for it, and a warning for us.")
    func furtherUp() throws {
        let leaf = LabCertificateRecipe.leaf("further", issuer: .named) { $0.dnsNames = ["wrong.test"] }
        #expect(try Self.code("good.test", leaf) == "warning emulation-differs")
    }

    @Test("[R86] A common name is none.")
    func commonName() throws {
        #expect(try Self.code("good.test", .leaf("common") { $0.dnsNames = [] }) == "note emulated-name")
    }

    /// Two paths that differ in their issuer's names: the client may take either, and the worse one decides. Without a path
    /// what the server presented is judged.
    @Test("[R86] The worse of the stack's and the reference's path counts") func eitherPath() throws {
        let pki = TestConnection.pki
        func issuer(_ name: String, _ names: [GeneralName]) throws -> [UInt8] {
            var recipe = LabAuthority.intermediate.recipe
            recipe.extensions.append(try TestChain.names(names))
            return try pki.issue(recipe)
        }
        let leaf = try pki.issue(.leaf("further") { $0.dnsNames = ["wrong.test"] })
        let named = try issuer("named", [.dnsName("good.test")])
        let plain = try pki.certificate(of: .intermediate)
        let root = try pki.certificate(of: .root)
        func severity(native: [[UInt8]]?, reference: [[UInt8]]?) throws -> Finding.Severity? {
            var report = HandshakeReport()
            report.chain = [leaf, named, plain]
            report.nativeTrust = native.map { .accepted(path: $0) }
            let certificates = (report.chain + [root]).map {
                CertificateEvidence(der: $0, source: $0 == root ? .anchor : .presented, stackKey: .unreadable("-"))
            }
            let connection = ConnectionEvidence(
                transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
                certificates: certificates, referenceTrust: reference.map { .accepted(path: $0) },
                anchors: TrustAnchors(name: "test", certificates: [root]), instant: pki.epoch)
            let findings = EmulatedName(try ServerName("good.test")).judge(
                Evidence(connection: connection, model: nil), at: pki.epoch)
            #expect(findings.count == 1)
            return findings.first?.severity
        }
        let (through, past) = ([leaf, named, root], [leaf, plain, root])
        #expect(try severity(native: through, reference: past) == .warning)
        #expect(try severity(native: past, reference: through) == .warning)
        #expect(try severity(native: past, reference: past) == .note)
        #expect(try severity(native: nil, reference: nil) == .warning, "what is presented has the name")
    }

    @Test("[R86] An address is no DNS name.") func anotherKindOfName() throws {
        let address = LabCertificateRecipe.leaf("address") {
            $0.dnsNames = []
            $0.addresses = [.loopback4]
        }
        #expect(try Self.code("good.test", address) == "note emulated-name")
    }
}
