import Crypto
import ProbeKit
import SwiftASN1

/// The digests a signature may use.
enum CMSDigest: CaseIterable {
    case sha256
    case sha384
    case sha512

    var oid: ASN1ObjectIdentifier {
        switch self {
        case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
        case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
        case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
        }
    }

    /// The digest's size in bytes.
    var count: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }

    /// Reads the digest of an AlgorithmIdentifier, whose parameters are absent or NULL (RFC 5754 section 2).
    init(_ node: ASN1Node) throws(SignatureProblem) {
        let (oid, parameters) = try CMSField.algorithm(node)
        guard let digest = Self.allCases.first(where: { $0.oid == oid }) else {
            guard let name = Self.weak[oid] else {
                throw SignatureProblem(.unsupported, "the digest \(oid) is not supported")
            }
            throw SignatureProblem(.weakDigest, "the content is digested with \(name)")
        }
        guard parameters.map({ $0.elementsEqual([0x05, 0x00]) }) ?? true else {
            throw .malformed("the digest algorithm has parameters")
        }
        self = digest
    }

    private static let weak: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 2, 2]: "MD2", [1, 2, 840, 113549, 2, 4]: "MD4", [1, 2, 840, 113549, 2, 5]: "MD5",
        [1, 3, 14, 3, 2, 26]: "SHA-1", [1, 3, 36, 3, 2, 1]: "RIPEMD-160",
    ]
}
