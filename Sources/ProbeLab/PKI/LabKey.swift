import Crypto
import CryptoExtras
import ProbePlatform
import SwiftASN1

/// A private key of the test PKI.
public struct LabKey: Sendable {
    /// The kinds of key the lab has.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Weak on purpose.
        case rsa1024 = "rsa-1024"
        /// RSA of 2048 bits.
        case rsa2048 = "rsa-2048"
        /// RSA of 4096 bits.
        case rsa4096 = "rsa-4096"
        /// ECDSA on P-256.
        case p256 = "p-256"
        /// ECDSA on P-384.
        case p384 = "p-384"
        /// Ed25519.
        case ed25519
    }

    private enum Material {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    /// The kind of key.
    public let kind: Kind
    /// The private key as PKCS#8 PEM.
    public let pem: String
    /// The SubjectPublicKeyInfo as DER, in its standard encoding.
    public let spki: [UInt8]
    private let material: Material

    /// Creates the key with this id: embedded for RSA, fresh otherwise.
    ///
    /// - Throws: ``LabError/noSuchKey(_:)``.
    init(_ id: LabKeyID) throws {
        kind = id.kind
        switch id.kind {
        case .rsa1024, .rsa2048, .rsa4096:
            guard let text = EmbeddedRSAKeys.pem(id) else { throw LabError.noSuchKey(id) }
            let key = try _RSA.Signing.PrivateKey(unsafePEMRepresentation: text)
            material = .rsa(key)
            pem = key.pkcs8PEMRepresentation
            spki = Array(key.publicKey.derRepresentation)
        case .p256: (material, pem, spki) = Self.p256(P256.Signing.PrivateKey())
        case .p384:
            let key = P384.Signing.PrivateKey()
            material = .p384(key)
            pem = key.pemRepresentation
            spki = Array(key.publicKey.derRepresentation)
        case .ed25519:
            let key = Curve25519.Signing.PrivateKey()
            material = .ed25519(key)
            // The fixed parts of PKCS#8 and SPKI for this algorithm (RFC 8410 sections 4 and 7): only the key varies.
            let head: [UInt8] = [
                0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
            ]
            pem = PEMDocument(type: "PRIVATE KEY", derBytes: head + key.rawRepresentation).pemString
            spki =
                [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
                + key.publicKey.rawRepresentation
        }
    }

    /// Reads a key on P-256 from PEM text.
    init(pem text: String) throws {
        kind = .p256
        (material, pem, spki) = Self.p256(try P256.Signing.PrivateKey(pemRepresentation: text))
    }

    private static func p256(_ key: P256.Signing.PrivateKey) -> (Material, String, [UInt8]) {
        (.p256(key), key.pemRepresentation, Array(key.publicKey.derRepresentation))
    }

    /// The key alone, as in the SubjectPublicKeyInfo's BIT STRING: a PKCS#1 RSAPublicKey, an X9.63 point, or the 32
    /// bytes of an Ed25519 key.
    public var rawKey: [UInt8] {
        switch material {
        case .rsa(let key): Array(key.publicKey.pkcs1DERRepresentation)
        case .p256(let key): Array(key.publicKey.x963Representation)
        case .p384(let key): Array(key.publicKey.x963Representation)
        case .ed25519(let key): Array(key.publicKey.rawRepresentation)
        }
    }

    /// The leftmost 160 bits of the key's SHA-256 (RFC 7093 section 2): the key identifier in its certificates.
    public var identifier: [UInt8] { Array(Array(SHA256.hash(data: spki)).prefix(20)) }

    /// The default scheme with which a key of this kind signs certificates.
    var defaultSignature: LabSignature {
        switch kind {
        case .rsa1024, .rsa2048, .rsa4096: .rsaSHA256
        case .p256: .ecdsaSHA256
        case .p384: .ecdsaSHA384
        case .ed25519: .ed25519
        }
    }

    /// Signs `bytes`; ECDSA signatures come in DER.
    func sign(_ bytes: [UInt8], _ scheme: LabSignature) throws -> [UInt8] {
        switch (material, scheme) {
        case (.rsa(let key), .rsaSHA1):
            Array(
                try key.signature(for: Insecure.SHA1.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        case (.rsa(let key), .rsaSHA256):
            Array(try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        case (.rsa(let key), .rsaSHA384):
            Array(try key.signature(for: SHA384.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        case (.rsa(let key), .rsaSHA512):
            Array(try key.signature(for: SHA512.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        case (.rsa(let key), .rsaPSSSHA256):
            Array(try key.signature(for: SHA256.hash(data: bytes), padding: .PSS).rawRepresentation)
        case (.p256(let key), .ecdsaSHA256):
            Array(try key.signature(for: SHA256.hash(data: bytes)).derRepresentation)
        case (.p256(let key), .ecdsaSHA384):
            Array(try key.signature(for: SHA384.hash(data: bytes)).derRepresentation)
        case (.p256(let key), .ecdsaSHA512):
            Array(try key.signature(for: SHA512.hash(data: bytes)).derRepresentation)
        case (.p384(let key), .ecdsaSHA512):
            Array(try key.signature(for: SHA512.hash(data: bytes)).derRepresentation)
        case (.p384(let key), .ecdsaSHA256):
            Array(try key.signature(for: SHA256.hash(data: bytes)).derRepresentation)
        case (.p384(let key), .ecdsaSHA384):
            Array(try key.signature(for: SHA384.hash(data: bytes)).derRepresentation)
        case (.ed25519(let key), .ed25519):
            Array(try key.signature(for: bytes))
        default:
            throw LabError.cannotSign(kind, scheme)
        }
    }

    /// Returns the SubjectPublicKeyInfo in the given encoding.
    func spki(_ encoding: LabKeyEncoding) throws -> [UInt8] {
        switch (material, encoding) {
        case (_, .standard):
            spki
        case (.rsa(let key), .rsaWithoutNull):
            try Self.spki([[1, 2, 840, 113549, 1, 1, 1]], key.publicKey.pkcs1DERRepresentation)
        case (.rsa, .giantModulus):
            try Self.giantSPKI()
        case (.p256(let key), .compressedPoint):
            try Self.spki(
                [[1, 2, 840, 10045, 2, 1], [1, 2, 840, 10045, 3, 1, 7]], key.publicKey.compressedRepresentation)
        case (.p256(let key), .unknownAlgorithm):
            try Self.spki([[2, 999, 2]], key.publicKey.x963Representation)
        default:
            throw LabError.cannotEncode(kind, encoding)
        }
    }

    private static func giantSPKI() throws -> [UInt8] {
        var key = DER.Serializer()
        try key.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .integer) { bytes in
                bytes += [0, 0xc1] + [UInt8](repeating: 0x5b, count: 8200 / 8 - 1)
            }
            try coder.serialize(65537)
        }
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize([1, 2, 840, 113549, 1, 1, 1] as ASN1ObjectIdentifier)
                try coder.serialize(ASN1Null())
            }
            try coder.serialize(ASN1BitString(bytes: key.serializedBytes[...]))
        }
        return coder.serializedBytes
    }

    private static func spki(_ algorithm: [ASN1ObjectIdentifier], _ key: Data) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serializeSequenceOf(algorithm)
            try coder.serialize(ASN1BitString(bytes: Array(key)[...]))
        }
        return coder.serializedBytes
    }
}

/// The identity of a key of a ``LabPKI``: its kind, and a label that distinguishes keys of one kind.
///
/// The same id always means the same key within one PKI; that is how two certificates share a key.
public struct LabKeyID: Hashable, Sendable {
    /// The kind of key.
    public let kind: LabKey.Kind
    /// The label that distinguishes keys of one kind. RSA keys are embedded, so their labels are few: `leaf`, and for
    /// 2048 bits also `renewed` and `authority`.
    public let label: String

    /// Creates the id of a kind and label.
    public init(_ kind: LabKey.Kind, _ label: String) {
        self.kind = kind
        self.label = label
    }

    /// A P-256 key in no certificate of the PKI, for backup pins (requirement 104).
    public static let backup = LabKeyID(.p256, "backup")
}
