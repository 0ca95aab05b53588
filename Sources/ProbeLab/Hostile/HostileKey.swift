import Crypto
import ProbeKit
import ProbePlatform

/// A public key for hostile certificates, made once: its purpose is the cost of computing with it, not its signatures.
struct HostileKey: Sendable {
    /// The kinds whose signatures are checked.
    enum Kind: String, CaseIterable, Sendable {
        case p256
        case p384
        case p521
        case ed25519
        case rsa4096 = "rsa-4096"
        case rsa8192 = "rsa-8192"
        /// RSA of 8192 bits with the longest exponent that is computed with.
        case rsa8192Slow = "rsa-8192-exponent"
    }

    /// The SubjectPublicKeyInfo.
    let spki: [UInt8]
    /// The private key, of the one kind that signs here.
    let signer: P256.Signing.PrivateKey?
    /// The AlgorithmIdentifier of a signature that such a key is asked to check.
    let algorithm: [UInt8]
    /// A signature that it does not refuse before it computes.
    let signature: [UInt8]

    private static let pool: [Kind: [HostileKey]] = Dictionary(
        uniqueKeysWithValues: Kind.allCases.map { kind in (kind, (0..<size(of: kind)).map { _ in make(kind) }) })

    private static func size(of kind: Kind) -> Int {
        switch kind {
        case .p256: 400
        case .p384, .ed25519, .rsa4096: 200
        case .p521, .rsa8192, .rsa8192Slow: 100
        }
    }

    /// Returns one of the keys of a kind.
    static func key(_ kind: Kind, _ index: Int) -> HostileKey {
        let keys = pool[kind] ?? []
        return keys[index % keys.count]
    }

    private static func make(_ kind: Kind) -> HostileKey {
        switch kind {
        case .p256:
            let key = P256.Signing.PrivateKey()
            return HostileKey(
                spki: Array(key.publicKey.derRepresentation), signer: key, algorithm: ecdsaSHA256,
                signature: DERBytes.ecdsa(
                    try? P256.Signing.PrivateKey().signature(for: [0] as [UInt8]).rawRepresentation))
        case .p384:
            return HostileKey(
                spki: Array(P384.Signing.PrivateKey().publicKey.derRepresentation), signer: nil, algorithm: ecdsaSHA384,
                signature: DERBytes.ecdsa(
                    try? P384.Signing.PrivateKey().signature(for: [0] as [UInt8]).rawRepresentation))
        case .p521:
            return HostileKey(
                spki: Array(P521.Signing.PrivateKey().publicKey.derRepresentation), signer: nil, algorithm: ecdsaSHA512,
                signature: DERBytes.ecdsa(
                    try? P521.Signing.PrivateKey().signature(for: [0] as [UInt8]).rawRepresentation))
        case .ed25519:
            let key = Curve25519.Signing.PrivateKey()
            return HostileKey(
                spki: DERBytes.sequence(
                    DERBytes.sequence(ed25519), DERBytes.bits(Array(key.publicKey.rawRepresentation))),
                signer: nil, algorithm: DERBytes.sequence(ed25519),
                signature: bytes(try? key.signature(for: [0] as [UInt8])))
        case .rsa4096: return rsa(bits: 4096, exponent: [1, 0, 1])
        case .rsa8192: return rsa(bits: 8192, exponent: [1, 0, 1])
        case .rsa8192Slow: return rsa(bits: 8192, exponent: [1, 0xff, 0xff, 0xff, 0xff])
        }
    }

    private static func bytes(_ bytes: Data?) -> [UInt8] { bytes.map { Array($0) } ?? [] }

    /// Returns an RSA key whose primes nobody knows, or needs.
    private static func rsa(bits: Int, exponent: [UInt8]) -> HostileKey {
        var modulus = (0..<(bits / 8)).map { _ in UInt8.random(in: .min ... .max) }
        modulus[0] |= 0xc0
        modulus[modulus.count - 1] |= 1
        let key = DERBytes.sequence(DERBytes.value(0x02, [0] + modulus), DERBytes.value(0x02, exponent))
        let rsaEncryption = DERBytes.sequence([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 5, 0])
        return HostileKey(
            spki: DERBytes.sequence(rsaEncryption, DERBytes.bits(key)), signer: nil,
            algorithm: DERBytes.sequence([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b, 5, 0]),
            signature: [1] + modulus.dropFirst())
    }

    private static let ed25519: [UInt8] = [0x06, 0x03, 0x2b, 0x65, 0x70]
    private static func ecdsa(_ last: UInt8) -> [UInt8] {
        DERBytes.sequence([0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, last])
    }
    private static let ecdsaSHA256 = ecdsa(2)
    private static let ecdsaSHA384 = ecdsa(3)
    private static let ecdsaSHA512 = ecdsa(4)
}
