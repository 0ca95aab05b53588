import CryptoExtras
import ProbeKit
import ProbePins
import SwiftASN1
import Synchronization
package import X509

/// A certificate together with its bytes, and the values that the search for paths uses repeatedly.
package final class ParsedCertificate: Sendable {
    package let der: [UInt8]
    package let certificate: Certificate
    let subject: ComparableName
    let issuer: ComparableName
    package let extensions: ReadExtensions
    /// The reason why the extensions can't be read.
    package let extensionError: String?
    /// The modulus length of an RSA key.
    let rsaBits: Int?
    /// The content of the serial number.
    package let serial: ArraySlice<UInt8>
    let hasUniqueIdentifiers: Bool
    /// A signature the library can't read.
    private let pss: PSSSignature?
    /// True if it is an anchor alone: its own signature can't be checked.
    private let isAnchorAlone: Bool
    /// The signed bytes, if the library parsed a substitute.
    private let signedBytes: ArraySlice<UInt8>?
    private let signature: ArraySlice<UInt8>
    /// The key that made the signature, once found: an issuer is met repeatedly.
    private let signer = Mutex<PinDigest?>(nil)

    /// An RSA key above this is not computed with: a 16384-bit one takes 16 times as long as a 4096-bit one, and nobody
    /// issues them.
    static let maximumRSABits = 8192

    /// A digest that identifies the key, whatever certificate it is in.
    let key: PinDigest
    /// The cost of checking one signature with the key, in units of ``SearchBudget``.
    let verificationCost: Int

    /// A digest of its key and alternative names.
    private let entity: PinDigest

    private init(der: [UInt8], frame: CertificateFrame, isAnchorAlone: Bool) throws {
        try frame.requireForm()
        let pss = isAnchorAlone ? nil : try PSSSignature(frame)
        let standIn =
            isAnchorAlone
            ? frame.standInForAnchor : pss?.standIn ?? (frame.hasUniqueIdentifiers ? frame.standIn() : der)
        WorkCounter.note(.certificate(der))
        let certificate = try Certificate(derEncoded: standIn)
        self.der = der
        self.certificate = certificate
        self.pss = pss
        self.isAnchorAlone = isAnchorAlone
        hasUniqueIdentifiers = frame.hasUniqueIdentifiers
        signedBytes = frame.hasUniqueIdentifiers ? frame.signedBytes : nil
        signature = try CertificateFrame.octets(of: frame.signature)
        serial = frame.serial
        subject = ComparableName(certificate.subject)
        issuer = ComparableName(certificate.issuer)
        do {
            let read = try ReadExtensions(certificate)
            extensions = read
            extensionError = read.constraintsError
        } catch {
            extensions = ReadExtensions()
            extensionError = UnreadableCertificate.words(of: error)
        }
        // The library would compute the point again, which takes longer than all the rest of a certificate on P-521.
        let rawKey =
            (try? CertificateSlices(certificate: der.span)).map { Array(der[$0.rawKey]) }
            ?? Array(certificate.publicKey.subjectPublicKeyInfoBytes)
        key = PinDigest.sha256(of: rawKey)
        rsaBits = _RSA.Signing.PublicKey(certificate.publicKey)?.keySizeInBits
        verificationCost = Self.verificationCost(rsaBits: rsaBits, rawKey: rawKey)
        entity = PinDigest.sha256(
            of: Array(key.bytes) + (certificate.extensions[oid: .X509ExtensionID.subjectAlternativeName]?.value ?? []))
    }

    /// Returns three times the cost measured with swift-crypto 4.5 (P-256 34 µs, P-384 330, P-521 790, Ed25519 50; RSA
    /// of 2048 bits 15, 4096 bits 50, 8192 bits 190, with the longest exponent 475): RSA grows with the square of its
    /// length, and with the length of its exponent, if it is not the usual one.
    private static func verificationCost(rsaBits: Int?, rawKey: [UInt8]) -> Int {
        guard let rsaBits else {
            return switch rawKey.count {
            case ...32: 150
            case ...65: 100
            case ...97: 1000
            default: 2400
            }
        }
        let hasUsualExponent = rawKey.suffix(5).elementsEqual([0x02, 0x03, 0x01, 0x00, 0x01])
        return 20 + rsaBits * rsaBits / (hasUsualExponent ? 120_000 : 45_000)
    }

    /// True if the library parsed a substitute, whose algorithm or fields are not all the certificate's.
    var isStandIn: Bool { pss != nil || hasUniqueIdentifiers || isAnchorAlone }

    package static func parse(_ der: [UInt8]) -> Result<ParsedCertificate, UnreadableCertificate> {
        parse(ReadCertificate(der))
    }

    /// - Parameter isAnchorAlone: true if neither its own signature nor its serial number matters.
    static func parse(
        _ read: ReadCertificate, isAnchorAlone: Bool = false
    ) -> Result<ParsedCertificate, UnreadableCertificate> {
        let der = read.der
        guard der.count <= CertificateSlices.maximumBytes else {
            return .failure(
                UnreadableCertificate(
                    cause: .malformed, message: "the certificate is larger than 1 MiB",
                    fix: UnreadableCertificate.smaller))
        }
        // Some readers of a certificate have no budget to charge it to.
        guard ReadingCost.units(of: der, limit: SearchBudget.perChain) <= SearchBudget.perChain else {
            return .failure(
                UnreadableCertificate(
                    cause: .tooComplex, message: "the certificate has too many elements",
                    fix: UnreadableCertificate.smaller))
        }
        do {
            let frame = try read.frame.get()
            guard frame.extensionCount <= CertificateFrame.maximumExtensions else {
                return .failure(
                    UnreadableCertificate(
                        cause: .tooComplex, message: "the certificate has too many extensions",
                        fix: UnreadableCertificate.smaller))
            }
            if let problem = frame.oversizedName {
                return .failure(
                    UnreadableCertificate(cause: .tooComplex, message: problem, fix: UnreadableCertificate.smaller))
            }
            return .success(try ParsedCertificate(der: der, frame: frame, isAnchorAlone: isAnchorAlone))
        } catch {
            return .failure(UnreadableCertificate(read, error: error, isAnchorAlone: isAnchorAlone))
        }
    }

    var isSelfIssued: Bool { subject == issuer }

    /// Returns true if the key of `issuer` made this certificate's signature.
    func isSigned(by issuer: ParsedCertificate) -> Bool {
        if isAnchorAlone { return false }
        if signer.withLock({ $0 == issuer.key }) { return true }
        let key = issuer.certificate.publicKey
        let isValid =
            if let pss {
                pss.isValid(by: key)
            } else if let signedBytes {
                key.isValidSignature(
                    signature, for: signedBytes, signatureAlgorithm: certificate.signatureAlgorithm)
            } else {
                key.isValidSignature(certificate.signature, for: certificate)
            }
        if isValid { signer.withLock { $0 = issuer.key } }
        return isValid
    }

    /// Returns true if a path need not go through both (RFC 4158 section 5.2): the same subject, key and alternative
    /// names.
    func isSameEntity(as other: ParsedCertificate) -> Bool {
        entity == other.entity && subject.isProbably(other.subject)
    }
}
