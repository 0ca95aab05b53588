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

    @Test("[R86] An address is no DNS name.") func anotherKindOfName() throws {
        let address = LabCertificateRecipe.leaf("address") {
            $0.dnsNames = []
            $0.addresses = [.loopback4]
        }
        #expect(try Self.code("good.test", address) == "note emulated-name")
    }
}
