import Crypto
public import ProbeKit
import ProbePlatform
import ProbeTrust

/// The P-256 key that signs ``SignedFingerprints``.
public struct FingerprintKey: Sendable {
    private let key: P256.Signing.PublicKey

    /// Reads a key as PEM, or in base64 as SubjectPublicKeyInfo or as the point that wultra's tools print.
    ///
    /// - Throws: `InputError` naming the text.
    public init(_ text: String) throws(InputError) {
        let remedy = "give a P-256 public key as PEM, or in base64 as wultra's tools print it"
        let bytes =
            PEMText.isPEM(Array(text.utf8))
            ? try PublicKeyFile.keys(in: Array(text.utf8), from: "the key").first
            : Base64.decode(text.filter { !$0.isWhitespace })
        let readings: [() throws -> P256.Signing.PublicKey] = [
            { try P256.Signing.PublicKey(x963Representation: bytes ?? []) },
            { try P256.Signing.PublicKey(derRepresentation: bytes ?? []) },
        ]
        guard let key = readings.lazy.compactMap({ try? $0() }).first else {
            // Not quoted: it may be a private key.
            throw InputError("the key is not a P-256 public key", remedy: remedy)
        }
        self.key = key
    }

    /// Returns true if the key made a signature, DER, over a text.
    func signed(_ signature: [UInt8], _ text: String) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: Data(text.utf8))
    }
}
