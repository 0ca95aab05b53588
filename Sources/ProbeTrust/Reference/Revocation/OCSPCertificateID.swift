import Crypto
import ProbeKit
import SwiftASN1
import X509

/// The certificate that an OCSP entry is about: its issuer's name and key by hash, and its serial number.
struct OCSPCertificateID {
    private let algorithm: ASN1ObjectIdentifier
    private let issuerNameHash: [UInt8]
    private let issuerKeyHash: [UInt8]
    private let serial: [UInt8]

    init(_ node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { fields in
            guard let algorithm = fields.next() else { throw UnusableStaple(message: "an entry names no hash") }
            let oid = try DER.sequence(algorithm, identifier: .sequence) { fields in
                let oid = try ASN1ObjectIdentifier(derEncoded: &fields)
                while fields.next() != nil {}
                return oid
            }
            let name = try ASN1OctetString(derEncoded: &fields)
            let key = try ASN1OctetString(derEncoded: &fields)
            let serial = try ArraySlice<UInt8>(derEncoded: &fields)
            return OCSPCertificateID(
                algorithm: oid, issuerNameHash: Array(name.bytes), issuerKeyHash: Array(key.bytes),
                serial: Array(serial))
        }
    }

    private init(algorithm: ASN1ObjectIdentifier, issuerNameHash: [UInt8], issuerKeyHash: [UInt8], serial: [UInt8]) {
        self.algorithm = algorithm
        self.issuerNameHash = issuerNameHash
        self.issuerKeyHash = issuerKeyHash
        self.serial = serial
    }

    /// Returns true if the entry is about `certificate`, which `issuer` issued.
    func names(_ certificate: Certificate, issuedBy issuer: Certificate) -> Bool {
        guard certificate.serialNumber == Certificate.SerialNumber(bytes: serial),
            let name = try? Self.encoded(certificate.issuer)
        else { return false }
        // Despite its name, this is the content of the BIT STRING, without the algorithm.
        let key = issuer.publicKey.subjectPublicKeyInfoBytes
        switch algorithm {
        // SHA-1 only names a certificate here; the signature protects the entry (RFC 5019 section 2.1.1).
        case Self.sha1:
            return issuerNameHash.elementsEqual(Insecure.SHA1.hash(data: name))
                && issuerKeyHash.elementsEqual(Insecure.SHA1.hash(data: key))
        case Self.sha256:
            return issuerNameHash.elementsEqual(SHA256.hash(data: name))
                && issuerKeyHash.elementsEqual(SHA256.hash(data: key))
        default: return false
        }
    }

    private static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    private static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]

    private static func encoded(_ name: DistinguishedName) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(name)
        return serializer.serializedBytes
    }
}
