import SwiftASN1

/// The algorithm a certificate is signed with.
public enum LabSignature: String, Hashable, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-1.
    case rsaSHA1 = "rsa-sha1"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rsaSHA256 = "rsa-sha256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rsaSHA384 = "rsa-sha384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rsaSHA512 = "rsa-sha512"
    /// RSASSA-PSS with SHA-256, MGF1 over SHA-256 and a 32-byte salt (RFC 4055 section 3.1).
    case rsaPSSSHA256 = "rsa-pss-sha256"
    /// ECDSA with SHA-256.
    case ecdsaSHA256 = "ecdsa-sha256"
    /// ECDSA with SHA-384.
    case ecdsaSHA384 = "ecdsa-sha384"
    /// ECDSA with SHA-512.
    case ecdsaSHA512 = "ecdsa-sha512"
    /// Ed25519 (RFC 8410).
    case ed25519

    /// Writes the AlgorithmIdentifier.
    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(oid)
            switch self {
            case .rsaSHA1, .rsaSHA256, .rsaSHA384, .rsaSHA512: try coder.serialize(ASN1Null())
            case .rsaPSSSHA256: try Self.serializePSSParameters(into: &coder)
            case .ecdsaSHA256, .ecdsaSHA384, .ecdsaSHA512, .ed25519: break
            }
        }
    }

    private var oid: ASN1ObjectIdentifier {
        switch self {
        case .rsaSHA1: [1, 2, 840, 113549, 1, 1, 5]
        case .rsaSHA256: [1, 2, 840, 113549, 1, 1, 11]
        case .rsaSHA384: [1, 2, 840, 113549, 1, 1, 12]
        case .rsaSHA512: [1, 2, 840, 113549, 1, 1, 13]
        case .rsaPSSSHA256: [1, 2, 840, 113549, 1, 1, 10]
        case .ecdsaSHA256: [1, 2, 840, 10045, 4, 3, 2]
        case .ecdsaSHA384: [1, 2, 840, 10045, 4, 3, 3]
        case .ecdsaSHA512: [1, 2, 840, 10045, 4, 3, 4]
        case .ed25519: [1, 3, 101, 112]
        }
    }

    private static func serializePSSParameters(into coder: inout DER.Serializer) throws {
        func sha256(_ coder: inout DER.Serializer) throws {
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize([2, 16, 840, 1, 101, 3, 4, 2, 1] as ASN1ObjectIdentifier)
                try coder.serialize(ASN1Null())
            }
        }
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific, sha256)
            try coder.serialize(explicitlyTaggedWithTagNumber: 1, tagClass: .contextSpecific) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize([1, 2, 840, 113549, 1, 1, 8] as ASN1ObjectIdentifier)
                    try sha256(&coder)
                }
            }
            try coder.serialize(explicitlyTaggedWithTagNumber: 2, tagClass: .contextSpecific) { coder in
                try coder.serialize(32)
            }
        }
    }
}
