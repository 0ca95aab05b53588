package import ProbeKit
import ProbePins
import SwiftASN1
import X509

/// The reason why the verifier can't read a certificate: its algorithm is one that is refused anyway, or it is
/// malformed.
package struct UnreadableCertificate: Error {
    package let cause: TrustCause
    package let message: String
    /// The change that removes it, if the cause alone does not imply it.
    let fix: String?
    /// The certificate's subject, if at least that can be read.
    let subject: DistinguishedName?

    init(cause: TrustCause, message: String, fix: String? = nil, subject: DistinguishedName? = nil) {
        self.cause = cause
        self.message = message
        self.fix = fix
        self.subject = subject
    }

    /// Looks past the parser's error at the two algorithm identifiers, which distinguish a weak certificate from a
    /// broken one.
    ///
    /// - Parameter isAnchorAlone: true if neither its own signature nor its serial number matters.
    init(_ read: ReadCertificate, error: any Error, isAnchorAlone: Bool = false) {
        guard let fields = try? read.fields.get() else {
            self.init(cause: .malformed, message: "not a certificate: \(Self.words(of: error))")
            return
        }
        let reason =
            Self.reason(fields, read, isAnchorAlone)
            ?? Reason(
                .malformed, Self.unknownAlgorithm(fields, error) ?? "not a certificate: \(Self.words(of: error))")
        self.init(cause: reason.cause, message: reason.message, fix: reason.fix, subject: fields.subject)
    }

    /// The fix for a certificate that takes too long to read.
    static let smaller = "have that certificate issued with fewer and shorter fields"

    private struct Reason {
        let cause: TrustCause
        let message: String
        let fix: String?

        init(_ cause: TrustCause, _ message: String, fix: String? = nil) {
            self.cause = cause
            self.message = message
            self.fix = fix
        }
    }

    /// The parser's error without the place in its sources, with which its libraries' errors end.
    static func words(of error: any Error) -> String {
        let text = "\(error)"
        guard error is CertificateError || error is ASN1Error, let place = text.lastIndex(of: " ") else { return text }
        return String(text[..<place])
    }

    /// Returns the algorithm at which the parser stopped; nil if it stopped at something else.
    private static func unknownAlgorithm(_ fields: CertificateFields, _ error: any Error) -> String? {
        guard let error = error as? CertificateError else { return nil }
        if error.code == .unsupportedSignatureAlgorithm {
            return "the algorithm of its signature, \(fields.signature), or its parameters are not known"
        }
        if error.code == .unsupportedPublicKeyAlgorithm {
            return "the algorithm of its key, \(fields.key), or its parameters are not known"
        }
        return nil
    }

    private static func reason(
        _ fields: CertificateFields, _ read: ReadCertificate, _ isAnchorAlone: Bool
    ) -> Reason? {
        (isAnchorAlone ? nil : ownReason(fields)) ?? keyReason(fields)
            ?? (isAnchorAlone ? nil : parametersReason(fields, read)) ?? pointReason(fields, read)
    }

    /// Looks at the serial number and the algorithm of the signature, which do not matter on an anchor.
    private static func ownReason(_ fields: CertificateFields) -> Reason? {
        // RFC 5280 section 4.1.2.2.
        if fields.serial.first.map({ $0 & 0x80 != 0 }) ?? true {
            return Reason(
                .malformed, "the serial number is not positive",
                fix: "have that certificate issued with a positive serial number")
        }
        if let name = weakSignatures[fields.signature] { return Reason(.weakSignature, "signed with \(name)") }
        if let name = unusualSignatures[fields.signature] {
            return Reason(
                .other, "signed with \(name), which no public CA may use",
                fix: "have that certificate signed with SHA-256, SHA-384 or SHA-512")
        }
        if let name = refusedSigners[fields.signature] {
            return Reason(
                .weakKey, "signed with a key that is \(name), which no public CA may certify",
                fix:
                    "have that certificate issued by a CA with an RSA key of 2048 bits or more, or P-256, P-384, P-521")
        }
        return nil
    }

    private static func keyReason(_ fields: CertificateFields) -> Reason? {
        if let bits = fields.rsaBits {
            if bits < 2048 { return Reason(.weakKey, "the key is RSA of \(bits) bits") }
            if bits > ParsedCertificate.maximumRSABits {
                return Reason(.tooComplex, "the key is RSA of \(bits) bits", fix: CertificateRules.shorterKey)
            }
        }
        if let name = refusedKeys[fields.key] {
            return Reason(.weakKey, "the key is \(name), which no public CA may certify")
        }
        if fields.key == CertificateFields.ecPublicKey, fields.curve.map({ !curves.contains($0) }) ?? true {
            return Reason(
                .weakKey, "the key is on a curve other than P-256, P-384 and P-521, which no public CA may certify")
        }
        return nil
    }

    /// Looks at the parameters of a signature whose algorithm is one of those that public CAs use.
    private static func parametersReason(_ fields: CertificateFields, _ read: ReadCertificate) -> Reason? {
        guard fields.signature == rsassaPSS, (try? read.frame.get()).flatMap({ try? PSSSignature($0) }) == nil else {
            return nil
        }
        return Reason(
            .other, "signed with RSASSA-PSS with parameters that no public CA may use",
            fix:
                "have that certificate signed with PKCS #1, or with SHA-2, MGF1 over the same digest and a salt of its length"
        )
    }

    private static func pointReason(_ fields: CertificateFields, _ read: ReadCertificate) -> Reason? {
        guard fields.key == CertificateFields.ecPublicKey, !isUncompressedPoint(read.der) else { return nil }
        return Reason(
            .weakKey, "the key is not an uncompressed point, the one form that every stack reads",
            fix: "have that certificate issued with its key as an uncompressed point")
    }

    /// Returns true if the key's bytes begin as an uncompressed point does (SEC 1 section 2.3.3). Whatever else is wrong
    /// with the certificate is then no weakness of the key.
    private static func isUncompressedPoint(_ der: [UInt8]) -> Bool {
        guard let slices = try? CertificateSlices(certificate: der.span) else { return false }
        return der[slices.rawKey].first == 0x04
    }

    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]

    private static let weakSignatures: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 2]: "MD2", [1, 2, 840, 113549, 1, 1, 4]: "MD5",
        [1, 2, 840, 113549, 1, 1, 5]: "SHA-1", [1, 3, 14, 3, 2, 29]: "SHA-1",
        [1, 2, 840, 10045, 4, 1]: "SHA-1", [1, 2, 840, 10040, 4, 3]: "DSA and SHA-1",
        [1, 2, 840, 113549, 1, 1, 14]: "RSA and SHA-224", [1, 2, 840, 10045, 4, 3, 1]: "ECDSA and SHA-224",
    ]

    /// CA/B baseline requirements 7.1.3.2 allow SHA-2 alone.
    private static let unusualSignatures: [ASN1ObjectIdentifier: String] = [
        [2, 16, 840, 1, 101, 3, 4, 3, 9]: "ECDSA and SHA3-224",
        [2, 16, 840, 1, 101, 3, 4, 3, 10]: "ECDSA and SHA3-256",
        [2, 16, 840, 1, 101, 3, 4, 3, 11]: "ECDSA and SHA3-384",
        [2, 16, 840, 1, 101, 3, 4, 3, 12]: "ECDSA and SHA3-512",
        [2, 16, 840, 1, 101, 3, 4, 3, 13]: "RSA and SHA3-224", [2, 16, 840, 1, 101, 3, 4, 3, 14]: "RSA and SHA3-256",
        [2, 16, 840, 1, 101, 3, 4, 3, 15]: "RSA and SHA3-384", [2, 16, 840, 1, 101, 3, 4, 3, 16]: "RSA and SHA3-512",
    ]

    private static let ed448: ASN1ObjectIdentifier = [1, 3, 101, 113]

    /// Sound digests under keys that are refused, by the algorithm of the signature (RFC 5758 section 3.1, and the
    /// registry of NIST for SHA-384 and SHA-512).
    private static let refusedSigners: [ASN1ObjectIdentifier: String] = [
        [2, 16, 840, 1, 101, 3, 4, 3, 1]: "DSA", [2, 16, 840, 1, 101, 3, 4, 3, 2]: "DSA",
        [2, 16, 840, 1, 101, 3, 4, 3, 3]: "DSA", [2, 16, 840, 1, 101, 3, 4, 3, 4]: "DSA", ed448: "Ed448",
    ]

    /// CA/B baseline requirements 7.1.3.1 allow rsaEncryption and three curves, nothing else.
    private static let refusedKeys: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 10]: "RSASSA-PSS", [1, 2, 840, 10040, 4, 1]: "DSA", ed448: "Ed448",
        [1, 3, 101, 110]: "X25519", [1, 3, 101, 111]: "X448",
    ]

    private static let curves: Set<ASN1ObjectIdentifier> = [
        [1, 2, 840, 10045, 3, 1, 7], [1, 3, 132, 0, 34], [1, 3, 132, 0, 35],
    ]
}
