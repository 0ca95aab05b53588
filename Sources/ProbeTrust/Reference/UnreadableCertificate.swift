package import ProbeKit
import ProbePins
import SwiftASN1
import X509

/// The reason why the verifier can't read a certificate: its algorithm is one that is refused anyway, or it is
/// malformed.
package struct UnreadableCertificate: Error {
    package let cause: TrustCause
    package let message: String
    /// The certificate's subject, if at least that can be read.
    let subject: DistinguishedName?

    init(cause: TrustCause, message: String, subject: DistinguishedName? = nil) {
        self.cause = cause
        self.message = message
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
        let (cause, message) =
            Self.reason(fields, read, isAnchorAlone)
            ?? (.malformed, Self.unknownAlgorithm(fields, error) ?? "not a certificate: \(Self.words(of: error))")
        self.init(cause: cause, message: message, subject: fields.subject)
    }

    /// The parser's error without the place in its sources, with which its libraries' errors end.
    private static func words(of error: any Error) -> String {
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
    ) -> (TrustCause, String)? {
        // RFC 5280 section 4.1.2.2.
        if !isAnchorAlone, fields.serial.first.map({ $0 & 0x80 != 0 }) ?? true {
            return (.malformed, "the serial number is not positive")
        }
        if !isAnchorAlone, let name = weakSignatures[fields.signature] {
            return (.weakSignature, "signed with \(name)")
        }
        if !isAnchorAlone, let name = unusualSignatures[fields.signature] {
            return (.other, "signed with \(name), which no public CA may use")
        }
        if !isAnchorAlone, let name = refusedSigners[fields.signature] {
            return (.weakKey, "signed with a key that is \(name), which no public CA may certify")
        }
        if let bits = fields.rsaBits {
            if bits < 2048 { return (.weakKey, "the key is RSA of \(bits) bits") }
            if bits > ParsedCertificate.maximumRSABits { return (.tooComplex, "the key is RSA of \(bits) bits") }
        }
        if let name = refusedKeys[fields.key] {
            return (.weakKey, "the key is \(name), which no public CA may certify")
        }
        if fields.key == CertificateFields.ecPublicKey, fields.curve.map({ !curves.contains($0) }) ?? true {
            return (.weakKey, "the key is on a curve other than P-256, P-384 and P-521, which no public CA may certify")
        }
        if !isAnchorAlone, fields.signature == rsassaPSS,
            (try? read.frame.get()).flatMap({ try? PSSSignature($0) }) == nil
        {
            return (.other, "signed with RSASSA-PSS with parameters that no public CA may use")
        }
        if fields.key == CertificateFields.ecPublicKey, !isUncompressedPoint(read.der) {
            return (.weakKey, "the key is not an uncompressed point, the one form that every stack reads")
        }
        return nil
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
