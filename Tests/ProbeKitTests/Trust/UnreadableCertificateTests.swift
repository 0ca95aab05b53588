import ProbeKit
import ProbeLab
import Testing

@testable import ProbeTrust

/// The reasons why a certificate is not read, for one that the library refused, whatever for: weak ones are distinguished from broken
/// ones.
@Suite struct UnreadableCertificateTests {
    private struct Refusal: Error, CustomStringConvertible {
        let description = "refused"
    }

    /// Returns a certificate of version, serial number, algorithm, issuer, validity, subject, key and extensions.
    private static func certificate() throws -> EditableDER {
        EditableDER(try TestChain.pki.issue(.leaf("unreadable", issuer: nil)))
    }

    private static func reason(_ certificate: EditableDER) -> UnreadableCertificate {
        UnreadableCertificate(ReadCertificate(certificate.encoded), error: Refusal())
    }

    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cause: TrustCause
        /// A part of the message.
        let message: String
        let change: @Sendable (inout EditableDER) -> Void

        init(
            _ reason: String, _ cause: TrustCause, _ message: String,
            _ change: @escaping @Sendable (inout EditableDER) -> Void
        ) {
            (testDescription, self.cause, self.message, self.change) = (reason, cause, message, change)
        }

        /// A form that adds nothing to the error.
        init(fine reason: String, _ change: @escaping @Sendable (inout EditableDER) -> Void) {
            self.init(reason, .malformed, "not a certificate: refused", change)
        }

        /// A signature algorithm.
        init(_ oid: String, signed name: String, _ cause: TrustCause = .weakSignature) {
            self.init("signed with \(name), as \(oid)", cause, "signed with \(name)") {
                $0[0, 2] = .sequence(.oid(oid))
                $0[1] = .sequence(.oid(oid))
            }
        }

        /// A key algorithm with parameters.
        init(_ oid: String, _ parameters: EditableDER?, _ cause: TrustCause, _ message: String) {
            self.init("a key of \(oid)", cause, message) {
                $0[0, 6, 0] = EditableDER(0x30, [.oid(oid)] + [parameters].compactMap(\.self))
            }
        }

        init(rsaBits bits: Int, _ cause: TrustCause, _ message: String) {
            self.init("RSA of \(bits) bits", cause, message) { $0[0, 6] = LargeModulus.key(bits: bits) }
        }
    }

    private static let ecPublicKey = "1.2.840.10045.2.1"
    private static let fine = "not a certificate: refused"
    private static let pssParameters = EditableDER(
        0x30, [.oid("1.2.840.113549.1.1.10"), .sequence()])

    static let forms: [Form] = [
        Form(fine: "as it comes") { _ in },
        // RFC 5280 section 4.1.2.2.
        Form(fine: "a serial number of zero has no sign") { $0[0, 1].bytes = [0] },
        Form(fine: "the largest first byte of a positive number") { $0[0, 1].bytes = [0x7f] },
        Form(fine: "a zero before a high bit") { $0[0, 1].bytes = [0, 0x80] },
        Form("a negative serial number", .malformed, "serial number is not positive") { $0[0, 1].bytes = [0x80] },
        Form("an empty serial number", .malformed, "serial number is not positive") { $0[0, 1].bytes = [] },
        Form("a serial number comes before a signature", .malformed, "serial number is not positive") {
            $0[0, 1].bytes = [0xff]
            $0[0, 2] = .sequence(.oid("1.2.840.113549.1.1.4"))
            $0[1] = .sequence(.oid("1.2.840.113549.1.1.4"))
        },

        Form("1.2.840.113549.1.1.2", signed: "MD2"), Form("1.2.840.113549.1.1.4", signed: "MD5"),
        Form("1.2.840.113549.1.1.5", signed: "SHA-1"), Form("1.3.14.3.2.29", signed: "SHA-1"),
        Form("1.2.840.10045.4.1", signed: "SHA-1"), Form("1.2.840.10040.4.3", signed: "DSA and SHA-1"),
        Form("1.2.840.113549.1.1.14", signed: "RSA and SHA-224"),
        Form("1.2.840.10045.4.3.1", signed: "ECDSA and SHA-224"),
        Form("2.16.840.1.101.3.4.3.10", signed: "ECDSA and SHA3-256", .other),
        Form("2.16.840.1.101.3.4.3.16", signed: "RSA and SHA3-512", .other),
        Form("2.16.840.1.101.3.4.3.1", signed: "a key that is DSA", .weakKey),
        Form("2.16.840.1.101.3.4.3.4", signed: "a key that is DSA", .weakKey),
        Form("1.3.101.113", signed: "a key that is Ed448", .weakKey),
        Form("a signature comes before a key", .weakSignature, "signed with MD5") {
            $0[0, 2] = .sequence(.oid("1.2.840.113549.1.1.4"))
            $0[1] = .sequence(.oid("1.2.840.113549.1.1.4"))
            $0[0, 6] = LargeModulus.key(bits: 1024)
        },
        Form(fine: "a signature that nobody knows") {
            $0[0, 2] = .sequence(.oid("1.2.3"))
            $0[1] = .sequence(.oid("1.2.3"))
        },

        Form(rsaBits: 512, .weakKey, "RSA of 512 bits"), Form(rsaBits: 2047, .weakKey, "RSA of 2047 bits"),
        Form(rsaBits: 2048, .malformed, fine), Form(rsaBits: 8192, .malformed, fine),
        Form(rsaBits: 8193, .tooComplex, "RSA of 8193 bits"),

        Form("1.2.840.113549.1.1.10", nil, .weakKey, "the key is RSASSA-PSS,"),
        Form("1.2.840.10040.4.1", nil, .weakKey, "the key is DSA,"),
        Form("1.3.101.113", nil, .weakKey, "the key is Ed448,"),
        Form("1.3.101.110", nil, .weakKey, "the key is X25519,"),
        Form("1.3.101.111", nil, .weakKey, "the key is X448,"),
        Form("1.3.101.112", nil, .malformed, fine), Form("1.2.3", .oid("1.2.4"), .malformed, fine),

        Form(ecPublicKey, .oid("1.2.840.10045.3.1.7"), .malformed, fine),
        Form(ecPublicKey, .oid("1.3.132.0.34"), .malformed, fine),
        Form(ecPublicKey, .oid("1.3.132.0.35"), .malformed, fine),
        Form(ecPublicKey, .oid("1.3.132.0.10"), .weakKey, "on a curve other than"),
        Form(ecPublicKey, nil, .weakKey, "on a curve other than"),
        Form(ecPublicKey, .sequence(), .weakKey, "on a curve other than"),

        Form("RSASSA-PSS without the parameters of a public CA", .other, "RSASSA-PSS with parameters") {
            $0[0, 2] = pssParameters
            $0[1] = pssParameters
        },
        Form("such a signature comes after a curve", .weakKey, "on a curve other than") {
            $0[0, 2] = pssParameters
            $0[1] = pssParameters
            $0[0, 6, 0, 1] = .oid("1.3.132.0.10")
        },
        Form("a compressed point", .weakKey, "not an uncompressed point") { $0[0, 6, 1].bytes[1] = 2 },
        Form("a hybrid point", .weakKey, "not an uncompressed point") { $0[0, 6, 1].bytes[1] = 6 },
        Form("a key without a point", .weakKey, "not an uncompressed point") { $0[0, 6, 1].bytes = [0] },
        Form("a point that is not a BIT STRING", .weakKey, "not an uncompressed point") { $0[0, 6, 1].tag = 4 },
        Form(fine: "a key of another kind has no point") {
            $0[0, 6] = .sequence(.sequence(.oid("1.3.101.112")), EditableDER(3, bytes: [0, 2]))
        },
    ]

    @Test(arguments: forms) func whatIsWeakIsNamed(_ form: Form) throws {
        var certificate = try Self.certificate()
        form.change(&certificate)
        let found = Self.reason(certificate)
        #expect(found.cause == form.cause)
        #expect(found.message.contains(form.message), "\(found.message)")
        #expect(found.subject.map { "\($0)" } == "CN=good.test")
    }

    /// The parser's own refusals name the algorithm, and no place in its sources.
    @Test func anAlgorithmThatIsNotKnownIsNamed() throws {
        func message(_ change: (inout EditableDER) -> Void) throws -> String {
            var certificate = try Self.certificate()
            change(&certificate)
            guard case .failure(let found) = ParsedCertificate.parse(certificate.encoded) else { return "parsed" }
            #expect(found.cause == .malformed)
            return found.message
        }
        let signature = try message {
            $0[0, 2] = .sequence(.oid("1.2.3"))
            $0[1] = .sequence(.oid("1.2.3"))
        }
        #expect(signature == "the algorithm of its signature, 1.2.3, or its parameters are not known")
        let key = try message { $0[0, 6, 0] = .sequence(.oid("1.2.4")) }
        #expect(key == "the algorithm of its key, 1.2.4, or its parameters are not known")
        let other = try message { $0[0, 4].children.removeLast() }
        #expect(other.hasPrefix("not a certificate: ") && !other.contains(".swift"), "\(other)")
    }

    /// The remedy of a signature with other parameters is other parameters.
    @Test func parametersHaveARemedyOfTheirOwn() throws {
        var certificate = try Self.certificate()
        certificate[0, 2] = Self.pssParameters
        certificate[1] = Self.pssParameters
        let found = Self.reason(certificate)
        #expect(found.cause == .other && found.fix?.contains("a salt of its length") == true)
    }

    /// Parameters of RSASSA-PSS that a public CA may use are no reason.
    @Test func commonParametersAreFine() throws {
        let issuer = LabCertificateRecipe.authority("PSS", issuer: nil) { $0.key = LabKeyID(.rsa2048, "authority") }
        let signed = try TestChain.pki.issue(.leaf("pss") { $0.signature = .rsaPSSSHA256 }, by: issuer)
        let found = Self.reason(EditableDER(signed))
        #expect(found.cause == .malformed && found.message == Self.fine)
    }

    @Test func whatHasNoFieldsHasNoSubject() throws {
        var short = try Self.certificate()
        short.children.removeLast()
        for bytes in [[], [0x30, 0], short.encoded] {
            let found = UnreadableCertificate(ReadCertificate(bytes), error: Refusal())
            #expect(found.cause == .malformed && found.message == Self.fine && found.subject == nil)
        }
        var nameless = try Self.certificate()
        nameless[0, 5] = .null
        nameless[0, 2] = .sequence(.oid("1.2.840.113549.1.1.4"))
        nameless[1] = nameless[0, 2]
        let found = Self.reason(nameless)
        #expect(found.cause == .weakSignature && found.subject == nil)
    }
}
