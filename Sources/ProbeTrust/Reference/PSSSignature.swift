import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// A certificate's RSASSA-PSS signature, which swift-certificates does not decode.
///
/// The library reads a copy of the certificate that claims PKCS#1 instead; the signature is checked here, over the original
/// bytes.
struct PSSSignature: Sendable {
    /// The certificate with another signature algorithm, for reading, not for verification.
    let standIn: [UInt8]

    private let digest: Digest
    private let signedBytes: [UInt8]
    private let signature: [UInt8]

    /// The three parameter sets that public CAs may use (CA/B baseline requirements 7.1.3.2.1).
    private enum Digest: CaseIterable {
        case sha256
        case sha384
        case sha512

        /// The AlgorithmIdentifier, which those requirements give byte for byte: the digest, MGF1 over it, and a salt of
        /// its length.
        var algorithm: [UInt8] {
            let (last, salt): (UInt8, UInt8) =
                switch self {
                case .sha256: (1, 32)
                case .sha384: (2, 48)
                case .sha512: (3, 64)
                }
            let hash: [UInt8] = [
                0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last, 0x05, 0x00,
            ]
            let pss: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a]
            let mgf1: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08]
            return [0x30, 0x41] + pss + [0x30, 0x34, 0xa0, 0x0f] + hash + [0xa1, 0x1c, 0x30, 0x1a] + mgf1 + hash
                + [0xa2, 0x03, 0x02, 0x01, salt]
        }
    }

    /// sha256WithRSAEncryption.
    static let standInAlgorithm: [UInt8] = [
        0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b, 0x05, 0x00,
    ]

    /// Reads the signature of the certificate; nil if it has another or an unusual one.
    init?(_ frame: CertificateFrame) throws {
        let index = frame.algorithmIndex
        guard let digest = Digest.allCases.first(where: { $0.algorithm.elementsEqual(frame.algorithm.encodedBytes) }),
            // Both identifiers have to be the same (RFC 5280 section 4.1.1.2).
            frame.body.indices.contains(index), frame.body[index].encodedBytes == frame.algorithm.encodedBytes
        else { return nil }
        self.digest = digest
        signedBytes = Array(frame.signedBytes)
        signature = Array(try CertificateFrame.octets(of: frame.signature))
        standIn = frame.standIn(algorithm: Self.standInAlgorithm[...])
    }

    /// Returns true if the key made the signature; only an RSA key can have.
    func isValid(by key: Certificate.PublicKey) -> Bool {
        guard let key = _RSA.Signing.PublicKey(key) else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return switch digest {
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: signedBytes), padding: .PSS)
        case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: signedBytes), padding: .PSS)
        case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: signedBytes), padding: .PSS)
        }
    }
}
