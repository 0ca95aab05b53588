import ProbeKit
import ProbePlatform
import ProbeTrust
import SwiftASN1

/// PKCS #12 files (RFC 7292) whose certificates are not encrypted, as Java's `cacerts` is one since Java 18.
enum PKCS12Store {
    private static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
    private static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 3]
    private static let x509: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 22, 1]
    private static let explicit = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    /// Returns true for a sequence that begins with version 3, as a PFX does and a certificate does not.
    static func recognises(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == 0x30, let root = try? DER.parse(bytes),
            let first = try? CertificateFrame.children(of: root).first
        else { return false }
        return first.encodedBytes.elementsEqual([2, 1, 3])
    }

    static func certificates(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        let (certificates, isEncrypted): ([[UInt8]], Bool)
        do {
            (certificates, isEncrypted) = try contents(bytes)
        } catch {
            throw InputError(
                "\(path) is a broken PKCS #12 file: \(error)", remedy: "check it with openssl pkcs12 -info",
                source: .file)
        }
        guard !certificates.isEmpty else {
            throw InputError(
                isEncrypted ? "\(path) is a PKCS #12 file that is encrypted" : "\(path) holds no certificate",
                remedy: "write its certificates as PEM first: openssl pkcs12 -in FILE -nokeys", source: .file)
        }
        return try CertificateFile.read(Array(certificates.map(CertificateFile.pem).joined().utf8), from: path)
    }

    private static func contents(_ bytes: [UInt8]) throws -> (certificates: [[UInt8]], isEncrypted: Bool) {
        let file = try CertificateFrame.children(of: DER.parse(bytes))
        guard file.count >= 2, let safes = try content(of: file[1], type: data) else {
            throw ASN1Error.invalidASN1Object(reason: "its content is not data")
        }
        var certificates: [[UInt8]] = []
        var isEncrypted = false
        for safe in try CertificateFrame.children(of: DER.parse(Array(ASN1OctetString(derEncoded: safes).bytes))) {
            guard let bags = try content(of: safe, type: data) else {
                isEncrypted = true
                continue
            }
            for bag in try CertificateFrame.children(of: DER.parse(Array(ASN1OctetString(derEncoded: bags).bytes))) {
                if let value = try content(of: bag, type: certificateBag),
                    let certificate = try content(of: value, type: x509)
                {
                    certificates.append(Array(try ASN1OctetString(derEncoded: certificate).bytes))
                }
            }
        }
        return (certificates, isEncrypted)
    }

    /// Returns the value of a pair of a type and an explicitly tagged value; nil if it is of another type.
    private static func content(of node: ASN1Node, type: ASN1ObjectIdentifier) throws -> ASN1Node? {
        let fields = try CertificateFrame.children(of: node)
        guard fields.count >= 2 else { throw ASN1Error.invalidASN1Object(reason: "a type and a value make a content") }
        guard try ASN1ObjectIdentifier(derEncoded: fields[0]) == type else { return nil }
        return try CertificateFrame.children(of: fields[1], identifier: explicit).first
    }
}
