import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Subprocess
import Testing

/// Signatures made by common signing programs: every validator reads them.
@Suite(
    .bounded,
    .enabled(
        if: PartnerProcess.isInstalled("openssl") && PartnerProcess.isInstalled("certtool"),
        "openssl or certtool is not installed"))
struct SignaturePartnerTests {
    private static let pki = SignatureConformanceTests.pki
    private static let content = "{\"pins\": []}\r\nsecond line\n"

    /// A way to sign, and the expected result.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: LabKeyID
        let program: String
        let arguments: [String]
        var expected: SignatureProblem.Cause?

        /// `openssl cms -sign` or `openssl smime -sign`.
        static func openssl(
            _ command: String, _ key: LabKeyID, _ arguments: [String] = [], _ expected: SignatureProblem.Cause? = nil
        ) -> Way {
            Way(
                testDescription: "openssl \(command) \(key.kind.rawValue) \(arguments.joined(separator: " "))",
                key: key,
                program: "openssl",
                arguments: [
                    command, "-sign", "-in", "content", "-signer", "leaf.pem", "-inkey", "key.pem", "-certfile",
                    "issuers.pem", "-out", "signature",
                ] + (arguments.contains("-outform") ? [] : ["-outform", "DER"])
                    + (arguments.contains("-text") ? [] : ["-binary"]) + arguments, expected: expected)
        }

        /// `certtool --p7-detached-sign`, and `--p7-sign` for attached content.
        static func certtool(
            _ command: String, _ key: LabKeyID, _ arguments: [String] = [], _ expected: SignatureProblem.Cause? = nil
        ) -> Way {
            Way(
                testDescription: "certtool \(command) \(key.kind.rawValue) \(arguments.joined(separator: " "))",
                key: key,
                program: "certtool",
                arguments: [
                    command, "--load-privkey", "key.pem", "--load-certificate", "chain.pem", "--infile", "content",
                    "--outfile", "signature",
                ] + arguments, expected: expected)
        }
    }

    private static let rsa = LabKeyID(.rsa2048, "leaf")
    private static let p256 = LabKeyID(.p256, "cms-partner")
    private static let p384 = LabKeyID(.p384, "cms-partner")

    static let ways: [Way] = [
        .openssl("cms", rsa), .openssl("cms", p256), .openssl("cms", p384),
        .openssl("cms", rsa, ["-md", "sha384"]), .openssl("cms", rsa, ["-md", "sha512"]),
        .openssl("cms", p256, ["-md", "sha512"]), .openssl("cms", p384, ["-md", "sha384"]),
        .openssl("cms", rsa, ["-noattr"]), .openssl("cms", p256, ["-noattr"]),
        .openssl("cms", rsa, ["-keyid"]), .openssl("cms", p256, ["-outform", "PEM"]),
        .openssl("cms", rsa, ["-keyopt", "rsa_padding_mode:pss"], .unsupported),
        .openssl("cms", rsa, ["-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:digest"]),
        .openssl(
            "cms", rsa, ["-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:digest", "-md", "sha384"],
            .unsupported),
        .openssl("cms", rsa, ["-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:8"], .unsupported),
        .openssl("cms", p256, ["-nodetach"]), .openssl("cms", p256, ["-cades"]), .openssl("cms", p256, ["-nosmimecap"]),
        .openssl("smime", rsa), .openssl("smime", p256, ["-outform", "PEM"]), .openssl("smime", rsa, ["-noattr"]),
        .openssl("cms", p256, ["-md", "sha1"], .weakDigest), .openssl("cms", rsa, ["-md", "md5"], .weakDigest),
        .openssl("cms", p256, ["-md", "sha224"], .unsupported),
        .openssl("cms", p256, ["-nocerts"], .noCertificate),
        .openssl("cms", p256, ["-text"], .contentMismatch),
        .openssl("cms", p256, ["-nodetach", "-stream"], .malformed),
        .openssl("cms", p256, ["-econtent_type", "1.2.840.113549.1.9.16.1.4"], .malformed),
        .openssl("cms", p256, ["-outform", "SMIME"], .malformed),
        .certtool("--p7-detached-sign", rsa), .certtool("--p7-detached-sign", p256),
        .certtool("--p7-detached-sign", p384, ["--outder"]), .certtool("--p7-detached-sign", p256, ["--p7-time"]),
        .certtool("--p7-detached-sign", rsa, ["--hash", "SHA512"]), .certtool("--p7-sign", p256),
        .certtool("--p7-detached-sign", p256, ["--hash", "SHA1"], .weakDigest),
        .certtool("--p7-detached-sign", LabKeyID(.ed25519, "cms-partner"), [], .unsupported),
    ]

    @Test("[R90, R92] signatures that openssl and certtool write", arguments: ways)
    func areRead(_ way: Way) async throws {
        let folder = try PartnerFolder()
        let leaf = try Self.pki.issue(.signer("partner") { $0.key = way.key })
        let identity = try Self.pki.key(way.key)
        _ = try folder.write(identity.pem, to: "key.pem")
        _ = try folder.write(Self.pem([leaf]), to: "leaf.pem")
        let issuer = try Self.pki.certificate(of: .intermediate)
        _ = try folder.write(Self.pem([issuer]), to: "issuers.pem")
        _ = try folder.write(Self.pem([leaf, issuer]), to: "chain.pem")
        _ = try folder.write(Self.content, to: "content")
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: Arguments(["-c", "cd \"$0\" && exec \"$@\"", folder.path, way.program] + way.arguments),
            input: .none, output: .string(limit: 65_536), error: .string(limit: 65_536))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        let signature = try Data(contentsOf: URL(filePath: "\(folder.path)/signature"))
        let signer = TrustedSigner(
            name: "lab", certificates: try Self.pki.anchors().certificates,
            commonName: try TrustedSigner.CommonNameRule(".lab.test"),
            authorityKeyIdentifier: TrustedSigner.KeyIdentifier(
                try Self.pki.key(LabAuthority.intermediate.recipe.key).identifier),
            subjectKeyIdentifier: TrustedSigner.KeyIdentifier(try Self.pki.key(LabAuthority.root.recipe.key).identifier)
        )
        let question = SignatureQuestion(
            signature: Array(signature), content: Array(Self.content.utf8), signers: [signer], instant: Self.pki.epoch)
        for subject in ValidatorsUnderTest.all {
            let reading = await subject.validator.validate(question)
            #expect(reading.cause == way.expected, "\(subject.testDescription): \(reading.problems)")
            #expect(reading.isValid == (way.expected == nil))
        }
    }

    private static func pem(_ certificates: [[UInt8]]) -> String {
        certificates.map {
            "-----BEGIN CERTIFICATE-----\n"
                + Data($0).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
                + "\n-----END CERTIFICATE-----\n"
        }.joined()
    }
}
