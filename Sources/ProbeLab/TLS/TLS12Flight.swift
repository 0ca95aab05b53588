import Crypto
import CryptoExtras

/// The messages of a ``LabFlight``: ServerHello, Certificate, ServerKeyExchange and ServerHelloDone.
struct TLS12Flight {
    /// The server's random.
    let random: [UInt8]
    /// The messages in order.
    let messages: [[UInt8]]

    /// Creates the answer to a client.
    ///
    /// - Parameters:
    ///   - share: the server's share of the key on P-256, uncompressed.
    ///   - clientRandom: the client's random, which is signed too.
    /// - Throws: ``LabError`` or the error of swift-crypto for a key that can't sign so.
    init(_ flight: LabFlight, of identity: LabIdentity, share: [UInt8], to clientRandom: [UInt8]) throws {
        random = Self.random(flight)
        let isRSA = identity.key.kind == .rsa2048
        // TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, or the same with ECDSA; no session, no compression.
        var hello: [UInt8] = [3, 3] + random
        hello += [0, 0xc0, isRSA ? 0x2f : 0x2b, 0]
        let extensions = Self.extensions(flight)
        if !extensions.isEmpty { hello += TLS12Format.vector(extensions, 2) }
        let chain = identity.chain.flatMap { TLS12Format.vector($0, 3) }
        // A named curve, secp256r1.
        let parameters: [UInt8] = [3, 0, 0x17] + TLS12Format.vector(share, 1)
        let (hash, signature) = try Self.signature(clientRandom + random + parameters, identity.key, flight)
        let proof: [UInt8] = [hash, isRSA ? 1 : 3] + TLS12Format.vector(signature, 2)
        messages = [
            TLS12Format.message(2, hello), TLS12Format.message(11, TLS12Format.vector(chain, 3)),
            TLS12Format.message(12, parameters + proof), TLS12Format.message(14, []),
        ]
    }

    private static func random(_ flight: LabFlight) -> [UInt8] {
        let random = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        guard flight == .downgraded else { return random }
        return Array(random.prefix(24)) + Array("DOWNGRD".utf8) + [1]
    }

    private static func extensions(_ flight: LabFlight) -> [UInt8] {
        let renegotiation: [UInt8] = [0xff, 0x01, 0, 1, 0]
        switch flight {
        case .withoutSecureRenegotiation: return []
        case .withRepeatedExtension: return renegotiation + renegotiation
        case .withUnknownExtension: return renegotiation + [0xca, 0xfe, 0, 1, 0]
        case .withUnsolicitedExtension: return renegotiation + [0, 1, 0, 1, 1]
        case .repeatingServerName:
            let name: [UInt8] = [0] + TLS12Format.vector(Array("good.test".utf8), 2)
            return renegotiation + [0, 0] + TLS12Format.vector(TLS12Format.vector(name, 2), 2)
        case .regular, .downgraded, .signedWithSHA1, .signedWithMD5: return renegotiation
        }
    }

    /// Returns the number of the hash (RFC 5246 section 7.4.1.4.1), and the signature.
    private static func signature(
        _ bytes: [UInt8], _ key: LabKey, _ flight: LabFlight
    ) throws -> (hash: UInt8, signature: [UInt8]) {
        switch flight {
        case .signedWithMD5: (1, try sign(Insecure.MD5.hash(data: bytes), key))
        case .signedWithSHA1: (2, try sign(Insecure.SHA1.hash(data: bytes), key))
        default: (4, try sign(SHA256.hash(data: bytes), key))
        }
    }

    private static func sign(_ digest: some Digest, _ key: LabKey) throws -> [UInt8] {
        switch key.kind {
        case .p256:
            let signer = try P256.Signing.PrivateKey(pemRepresentation: key.pem)
            return Array(try signer.signature(for: digest).derRepresentation)
        case .rsa2048:
            let signer = try _RSA.Signing.PrivateKey(pemRepresentation: key.pem)
            return Array(try signer.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
        case .rsa1024, .rsa4096, .p384, .ed25519:
            throw LabError.cannotServe("a flight by hand needs a P-256 or an RSA-2048 key")
        }
    }
}
