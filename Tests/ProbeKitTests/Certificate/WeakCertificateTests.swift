import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

/// Refused and unreadable certificates are shown all the same: names, dates, key, signature and serial number.
@Suite struct WeakCertificateTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test("every certificate that the lab makes has names and dates", arguments: LabIdentityName.allCases)
    func everyCertificateOfTheLab(_ name: LabIdentityName) throws {
        let identity = try Self.pki.identity(name)
        for der in identity.chain.prefix(5) {
            let evidence = CertificateEvidence(der: der, source: .presented, stackKey: .unreadable("not asked"))
            let details = try #require(evidence.details, "\(name)")
            #expect(evidence.name == "'\(details.subject)'")
            #expect(details.notBefore < details.notAfter && !details.serial.isEmpty)
            #expect(!details.key.isEmpty && !details.signatureAlgorithm.isEmpty)
            #expect(details.issuer.isEmpty == (name == .namelessIssuer && der == identity.leaf))
        }
    }

    @Test func anRSA1024LeafIsShown() throws {
        let good = try CertificateDetails(certificate: Self.pki.identity(.good).leaf)
        let weak = try CertificateDetails(certificate: Self.pki.identity(.rsa1024).leaf)
        #expect(weak.key == "RSA 1024")
        #expect(weak.subject == good.subject && weak.issuer == good.issuer)
        #expect(weak.notBefore == good.notBefore && weak.notAfter == good.notAfter)
        #expect(weak.dnsNames == good.dnsNames && weak.signatureAlgorithm == good.signatureAlgorithm && !weak.isCA)
    }

    /// Kinds of keys as `openssl genpkey` or `ecparam` makes them, with their descriptions.
    private static let keys: [(arguments: [String], key: String)] = [
        (["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:512"], "RSA 512"),
        (["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"], "RSA 1024"),
        (["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "RSA 2048"),
        (["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"], "RSASSA-PSS 2048"),
        (["ecparam", "-name", "prime192v1", "-genkey", "-noout"], "EC P-192"),
        (["ecparam", "-name", "secp224r1", "-genkey", "-noout"], "EC P-224"),
        (["ecparam", "-name", "prime256v1", "-genkey", "-noout"], "EC P-256"),
        (["ecparam", "-name", "secp521r1", "-genkey", "-noout"], "EC P-521"),
        (["ecparam", "-name", "secp256k1", "-genkey", "-noout"], "EC secp256k1"),
        (["ecparam", "-name", "brainpoolP256r1", "-genkey", "-noout"], "EC brainpoolP256r1"),
        (["ecparam", "-name", "brainpoolP320r1", "-genkey", "-noout"], "EC on the curve 1.3.36.3.3.2.8.1.1.9"),
        (
            ["ecparam", "-name", "prime256v1", "-param_enc", "explicit", "-genkey", "-noout"],
            "EC with explicit parameters of 256 bits"
        ),
        (["ecparam", "-name", "prime256v1", "-conv_form", "compressed", "-genkey", "-noout"], "EC P-256"),
        (["genpkey", "-algorithm", "ED25519"], "Ed25519"), (["genpkey", "-algorithm", "ED448"], "Ed448"),
        (
            [
                "genpkey", "-genparam", "-algorithm", "DSA", "-pkeyopt", "dsa_paramgen_bits:1024", "-pkeyopt",
                "dsa_paramgen_q_bits:160",
            ], "DSA 1024"
        ),
    ]

    @Test(.enabled(if: OpenSSLProgram.isInstalled, "openssl is not installed"), arguments: keys.indices)
    func everyKindOfKey(_ index: Int) throws {
        let program = try OpenSSLProgram()
        defer { program.remove() }
        let (arguments, expected) = Self.keys[index]
        if expected.hasPrefix("DSA") {
            try program.run(arguments + ["-out", program.file("parameters.pem")])
            try program.run(["genpkey", "-paramfile", program.file("parameters.pem"), "-out", program.file("key.pem")])
        } else {
            try program.run(arguments + ["-out", program.file("key.pem")])
        }
        let der = try program.certificate(digest: nil)
        let details = try CertificateDetails(certificate: der)
        #expect(details.key == expected)
        #expect(details.subject == "CN=weak.test" && details.issuer == "CN=weak.test")
        #expect(details.serial == "4711" && details.dnsNames == ["weak.test"] && details.ipAddresses == ["192.0.2.1"])
        #expect(abs(details.notAfter.timeIntervalSince(details.notBefore) - 30 * 86_400) <= 1)
    }

    @Test(
        .enabled(if: OpenSSLProgram.isInstalled, "openssl is not installed"),
        arguments: [
            ("md5", [], "md5WithRSAEncryption"), ("sha1", [], "sha1WithRSAEncryption"),
            ("sha224", [], "sha224WithRSAEncryption"), ("sha256", [], "sha256WithRSAEncryption"),
            ("sha384", [], "sha384WithRSAEncryption"), ("sha512", [], "sha512WithRSAEncryption"),
            ("sha256", ["-sigopt", "rsa_padding_mode:pss"], "rsassaPSSWithSHA256"),
            ("sha1", ["-sigopt", "rsa_padding_mode:pss"], "rsassaPSSWithSHA1"),
        ] as [(String, [String], String)])
    func everySignature(_ digest: String, _ options: [String], _ expected: String) throws {
        let program = try OpenSSLProgram()
        defer { program.remove() }
        try program.run(
            ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", program.file("key.pem")])
        let details = try CertificateDetails(certificate: program.certificate(digest: digest, options: options))
        #expect(details.signatureAlgorithm == expected)
        #expect(details.subject == "CN=weak.test" && details.key == "RSA 2048")
    }

    @Test(
        .enabled(if: OpenSSLProgram.isInstalled, "openssl is not installed"),
        arguments: [("sha1", "ecdsaWithSHA1"), ("sha224", "ecdsaWithSHA224"), ("sha512", "ecdsaWithSHA512")])
    func everyECDSASignature(_ digest: String, _ expected: String) throws {
        let program = try OpenSSLProgram()
        defer { program.remove() }
        try program.run(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", program.file("key.pem")])
        let details = try CertificateDetails(certificate: program.certificate(digest: digest))
        #expect(details.signatureAlgorithm == expected)
    }

    /// Bytes that are not a certificate have no details.
    @Test func garbageHasNone() throws {
        let leaf = try Self.pki.identity(.rsa1024).leaf
        for der in [[], [0x30, 0x00], Array(leaf.prefix(leaf.count / 2)), Array("no certificate".utf8)] {
            #expect(throws: (any Error).self) { try CertificateDetails(certificate: der) }
        }
    }
}
