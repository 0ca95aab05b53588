public import ProbeKit
import SwiftASN1

/// A server's certificates and private key.
public struct LabIdentity: Sendable {
    /// The certificates as DER, in the order they are presented: the leaf first.
    public let chain: [[UInt8]]
    /// The leaf's key.
    public let key: LabKey

    /// The leaf as DER.
    public let leaf: [UInt8]

    init(leaf: [UInt8], presenting others: [[UInt8]], key: LabKey) {
        self.leaf = leaf
        chain = [leaf] + others
        self.key = key
    }

    /// Creates an identity from PEM text: a private key, and certificates in the order they are presented.
    ///
    /// - Throws: ``LabError`` if there is no key or no certificate.
    public init(pem: String) throws {
        let documents = try PEMDocument.parseMultiple(pemString: pem)
        let certificates = documents.filter { $0.discriminator == "CERTIFICATE" }.map(\.derBytes)
        guard let leaf = certificates.first,
            let key = documents.first(where: { $0.discriminator.hasSuffix("PRIVATE KEY") })
        else { throw LabError.cannotServe("the PEM text has no certificate or no private key") }
        self.init(leaf: leaf, presenting: Array(certificates.dropFirst()), key: try LabKey(pem: key.pemString))
    }

    /// The certificates as PEM, in the order they are presented.
    public var chainPEM: String { Self.pem(chain) }
    /// The certificates after the leaf as PEM, in the order they are presented; empty if there are none.
    public var issuersPEM: String { Self.pem(Array(chain.dropFirst())) }
    /// The leaf's key as PKCS#8 PEM.
    public var keyPEM: String { key.pem }

    /// The identity as a client shows it.
    public var asClient: ClientIdentity {
        get throws {
            let der = try PEMDocument(pemString: keyPEM).derBytes
            return ClientIdentity(chain: chain, key: .pkcs8(Secret(copying: der.span)))
        }
    }

    /// Returns certificates as PEM, one block after the other.
    public static func pem(_ certificates: [[UInt8]]) -> String {
        certificates.map { PEMDocument(type: "CERTIFICATE", derBytes: $0).pemString + "\n" }.joined()
    }
}
