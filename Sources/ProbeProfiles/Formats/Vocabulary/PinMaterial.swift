public import ProbeKit
import ProbePins

/// Certificates and keys that pins were made of. Formats with complete certificates or keys can only be written if
/// these are known: a digest does not lead back to them.
public struct PinMaterial: Hashable, Sendable {
    /// Certificates, DER.
    public var certificates: [[UInt8]]
    /// SubjectPublicKeyInfos, DER.
    public var keys: [[UInt8]]
    /// The usages of the TLSA records that pins were read from.
    var usages = TLSAUsages()

    /// Creates material.
    public init(certificates: [[UInt8]] = [], keys: [[UInt8]] = []) {
        self.certificates = certificates
        self.keys = keys
    }

    /// Returns the certificate a pin is of, or whose key it is of.
    public func certificate(of pin: Pin) -> [UInt8]? {
        certificates.first {
            (try? CertificateDigests(certificate: $0.span, digester: SwiftCryptoDigester()))?[pin.kind] == pin.digest
        }
    }

    /// Returns the SubjectPublicKeyInfo a pin is of, or that of the certificate it is of.
    public func key(of pin: Pin) -> [UInt8]? {
        if let der = certificate(of: pin) {
            return (try? CertificateSlices(certificate: der.span)).map { Array(der[$0.spki]) }
        }
        return keys.first { key in
            guard let slices = try? CertificateSlices(spki: key.span) else { return false }
            switch pin.kind {
            case .cert: return false
            case .spki: return PinDigest.sha256(of: key) == pin.digest
            case .rawkey: return PinDigest.sha256(of: key[slices.rawKey]) == pin.digest
            }
        }
    }
}
