import Crypto
import CryptoExtras
import ProbeKit
import ProbePlatform
import SwiftASN1

/// A private key that every run has, so that a seed gives the same chain again.
struct PlannedKey: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case p256, p384, p521, ed25519, rsa1024, rsa2048, rsa4096
    }

    let kind: Kind
    let label: String

    init(_ kind: Kind, _ label: String) {
        self.kind = kind
        self.label = label
    }

    /// An algorithm by which such a key signs, with its AlgorithmIdentifier as DER.
    struct Scheme: Hashable, Sendable {
        enum Digest: Hashable, Sendable { case sha1, sha256, sha384, sha512, none }
        var digest: Digest
        var isPSS = false
        var identifier: [UInt8]
    }

    /// The scheme that an ordinary CA takes.
    var scheme: Scheme {
        switch kind {
        case .p256: Scheme(digest: .sha256, identifier: Self.ecdsa(2))
        case .p384: Scheme(digest: .sha384, identifier: Self.ecdsa(3))
        case .p521: Scheme(digest: .sha512, identifier: Self.ecdsa(4))
        case .ed25519: Scheme(digest: .none, identifier: DERBytes.sequence([0x06, 0x03, 0x2b, 0x65, 0x70]))
        case .rsa1024, .rsa2048, .rsa4096: Scheme(digest: .sha256, identifier: Self.rsa(11))
        }
    }

    var isRSA: Bool { [.rsa1024, .rsa2048, .rsa4096].contains(kind) }
    var isEC: Bool { [.p256, .p384, .p521].contains(kind) }

    static func ecdsa(_ last: UInt8) -> [UInt8] {
        DERBytes.sequence([0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, last])
    }

    static func rsa(_ last: UInt8, parameters: [UInt8] = [0x05, 0x00]) -> [UInt8] {
        DERBytes.sequence([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, last], parameters)
    }

    // MARK: Computing

    private enum Material: Sendable {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    private static let made = BoundedMemory<PlannedKey, Material>(limit: 256)

    private var material: Material {
        get throws { try Self.made.value(for: self) { try make() } }
    }

    private func make() throws -> Material {
        // A digest of the label is below the order of each curve: the first bits of the longer ones are zero.
        let seed = Array(SHA256.hash(data: Array("exploration \(label)".utf8)))
        let scalar = [0x01] + seed.dropFirst()
        switch kind {
        case .p256: return .p256(try P256.Signing.PrivateKey(rawRepresentation: scalar))
        case .p384:
            return .p384(try P384.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 0, count: 16) + seed))
        case .p521:
            return .p521(try P521.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 0, count: 34) + seed))
        case .ed25519: return .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: seed))
        case .rsa1024: return try rsa(.rsa1024, "leaf")
        case .rsa2048: return try rsa(.rsa2048, ["leaf", "renewed", "authority"].contains(label) ? label : "leaf")
        case .rsa4096: return try rsa(.rsa4096, "leaf")
        }
    }

    private func rsa(_ kind: LabKey.Kind, _ label: String) throws -> Material {
        let id = LabKeyID(kind, label)
        guard let text = EmbeddedRSAKeys.pem(id) else { throw LabError.noSuchKey(id) }
        return .rsa(try _RSA.Signing.PrivateKey(unsafePEMRepresentation: text))
    }

    /// The SubjectPublicKeyInfo as DER.
    var spki: [UInt8] {
        get throws {
            switch try material {
            case .p256(let key): Array(key.publicKey.derRepresentation)
            case .p384(let key): Array(key.publicKey.derRepresentation)
            case .p521(let key): Array(key.publicKey.derRepresentation)
            case .ed25519(let key):
                DERBytes.sequence(
                    DERBytes.sequence([0x06, 0x03, 0x2b, 0x65, 0x70]),
                    DERBytes.bits(Array(key.publicKey.rawRepresentation)))
            case .rsa(let key): Array(key.publicKey.derRepresentation)
            }
        }
    }

    /// The key alone: a point, a PKCS#1 key, or 32 bytes.
    var rawKey: [UInt8] {
        get throws {
            switch try material {
            case .p256(let key): Array(key.publicKey.x963Representation)
            case .p384(let key): Array(key.publicKey.x963Representation)
            case .p521(let key): Array(key.publicKey.x963Representation)
            case .ed25519(let key): Array(key.publicKey.rawRepresentation)
            case .rsa(let key): Array(key.publicKey.pkcs1DERRepresentation)
            }
        }
    }

    /// The point in compressed form; nil for other keys.
    var compressedPoint: [UInt8]? {
        guard case .p256(let key) = try? material else { return nil }
        return Array(key.publicKey.compressedRepresentation)
    }

    private struct Signed: Hashable {
        let key: PlannedKey
        let scheme: Scheme
        let bytes: [UInt8]
    }

    /// The signatures of what most chains share: their upper certificates.
    private static let signatures = BoundedMemory<Signed, [UInt8]>(limit: 4096)

    func sign(_ bytes: [UInt8], _ scheme: Scheme) throws -> [UInt8] {
        try Self.signatures.value(for: Signed(key: self, scheme: scheme, bytes: bytes)) {
            switch try material {
            case .p256(let key):
                switch scheme.digest {
                case .sha1: DERBytes.ecdsa(try key.signature(for: Insecure.SHA1.hash(data: bytes)).rawRepresentation)
                case .sha384: DERBytes.ecdsa(try key.signature(for: SHA384.hash(data: bytes)).rawRepresentation)
                case .sha512: DERBytes.ecdsa(try key.signature(for: SHA512.hash(data: bytes)).rawRepresentation)
                default: DERBytes.ecdsa(try key.signature(for: SHA256.hash(data: bytes)).rawRepresentation)
                }
            case .p384(let key):
                DERBytes.ecdsa(
                    scheme.digest == .sha256
                        ? try key.signature(for: SHA256.hash(data: bytes)).rawRepresentation
                        : try key.signature(for: SHA384.hash(data: bytes)).rawRepresentation)
            case .p521(let key): DERBytes.ecdsa(try key.signature(for: SHA512.hash(data: bytes)).rawRepresentation)
            case .ed25519(let key): Array(try key.signature(for: bytes))
            case .rsa(let key):
                switch scheme.digest {
                case .sha1: try rsa(key, Insecure.SHA1.hash(data: bytes), scheme)
                case .sha384: try rsa(key, SHA384.hash(data: bytes), scheme)
                case .sha512: try rsa(key, SHA512.hash(data: bytes), scheme)
                default: try rsa(key, SHA256.hash(data: bytes), scheme)
                }
            }
        }
    }

    private func rsa(_ key: _RSA.Signing.PrivateKey, _ digest: some Digest, _ scheme: Scheme) throws -> [UInt8] {
        Array(try key.signature(for: digest, padding: scheme.isPSS ? .PSS : .insecurePKCS1v1_5).rawRepresentation)
    }
}
