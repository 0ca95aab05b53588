import ProbeKit
import ProbePlatform
import ProbeTrust
import SwiftASN1

/// PKCS #12 files (RFC 7292) whose certificates are not encrypted, as Java's `cacerts` is one since Java 18.
enum PKCS12Store {
    private static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]
    private static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 3]
    /// A key, and one that is encrypted (RFC 7292 sections 4.2.1 and 4.2.2).
    private static let keyBags: [ASN1ObjectIdentifier] = [
        [1, 2, 840, 113_549, 1, 12, 10, 1, 1], [1, 2, 840, 113_549, 1, 12, 10, 1, 2],
    ]
    private static let safeContentsBag: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 12, 10, 1, 6]
    private static let trustedKeyUsage: ASN1ObjectIdentifier = [2, 16, 840, 1, 113_894, 746_875, 1, 1]
    private static let x509: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 22, 1]
    private static let explicit = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    /// Returns true for a sequence that begins with version 3, as a PFX does and a certificate does not. The rest is not read.
    static func recognises(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        let header = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7f)
        return bytes.dropFirst(header).starts(with: [2, 1, 3])
    }

    /// Returns the certificates that are trusted: those marked as that, as Java takes them, or all of a file without marks and
    /// without a private key.
    ///
    /// - Throws: ``InputError`` also for an identity, whose certificates nobody trusts for being beside its key, and for a
    ///   file of which a part is encrypted: a store is all of its file.
    static func certificates(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        let contents: Contents
        do {
            contents = try self.contents(bytes)
        } catch {
            throw InputError(
                "\(path) is a broken PKCS #12 file: \(error)", remedy: "check it with openssl pkcs12 -info",
                source: .file)
        }
        guard !contents.isEncrypted else {
            throw InputError(
                "\(path) is a PKCS #12 file that is encrypted, or a part of it is",
                remedy: "write its roots as PEM first: openssl pkcs12 -in FILE -nokeys -cacerts", source: .file)
        }
        guard !contents.marked.isEmpty || !contents.hasKey else {
            throw InputError(
                "\(path) has a private key, and no certificate in it is marked as trusted: they are the key's own chain",
                remedy:
                    "give a file of the roots that you trust; openssl pkcs12 -in FILE -nokeys -cacerts shows its CAs",
                source: .file)
        }
        let certificates = contents.marked.isEmpty ? contents.unmarked : contents.marked
        guard !certificates.isEmpty else {
            throw InputError(
                "\(path) holds no certificate", remedy: "give a trust store like Java's cacerts", source: .file)
        }
        return try CertificateFile.read(Array(certificates.map(CertificateFile.pem).joined().utf8), from: path)
    }

    /// The parts of a file that decide which certificates are roots.
    private struct Contents {
        /// The certificates with Java's mark of a trusted one, whatever the uses that it names.
        var marked: [[UInt8]] = []
        var unmarked: [[UInt8]] = []
        var hasKey = false
        var isEncrypted = false
    }

    private static func contents(_ bytes: [UInt8]) throws -> Contents {
        let file = try CertificateFrame.children(of: DER.parse(bytes))
        guard file.count >= 2, let safes = try content(of: file[1], type: data) else {
            throw ASN1Error.invalidASN1Object(reason: "its content is not data")
        }
        var contents = Contents()
        for safe in try CertificateFrame.children(of: DER.parse(Array(ASN1OctetString(derEncoded: safes).bytes))) {
            guard let bags = try content(of: safe, type: data) else {
                contents.isEncrypted = true
                continue
            }
            try add(DER.parse(Array(ASN1OctetString(derEncoded: bags).bytes)), to: &contents)
        }
        return contents
    }

    /// Adds the bags of a SafeContents (RFC 7292 section 4.2), one of which may be another SafeContents. The parser limits the
    /// depth.
    private static func add(_ bags: ASN1Node, to contents: inout Contents) throws {
        for bag in try CertificateFrame.children(of: bags) {
            if let inner = try content(of: bag, type: safeContentsBag) {
                try add(inner, to: &contents)
            } else if let value = try content(of: bag, type: certificateBag) {
                guard let certificate = try content(of: value, type: x509) else { continue }
                let der = Array(try ASN1OctetString(derEncoded: certificate).bytes)
                if try isMarked(bag) { contents.marked.append(der) } else { contents.unmarked.append(der) }
            } else if try keyBags.contains(where: { try content(of: bag, type: $0) != nil }) {
                contents.hasKey = true
            }
        }
    }

    /// Returns true if a bag has the attribute by which Java knows a trusted certificate
    /// (`sun.security.pkcs12.PKCS12KeyStore`); openssl writes it with `-jdktrust`.
    private static func isMarked(_ bag: ASN1Node) throws -> Bool {
        guard let attributes = try CertificateFrame.children(of: bag).dropFirst(2).first else { return false }
        return try CertificateFrame.children(of: attributes, identifier: .set).contains { attribute in
            guard let type = try CertificateFrame.children(of: attribute).first else { return false }
            return try ASN1ObjectIdentifier(derEncoded: type) == trustedKeyUsage
        }
    }

    /// Returns the value of a pair of a type and an explicitly tagged value; nil if it is of another type.
    private static func content(of node: ASN1Node, type: ASN1ObjectIdentifier) throws -> ASN1Node? {
        let fields = try CertificateFrame.children(of: node)
        guard fields.count >= 2 else { throw ASN1Error.invalidASN1Object(reason: "a type and a value make a content") }
        guard try ASN1ObjectIdentifier(derEncoded: fields[0]) == type else { return nil }
        return try CertificateFrame.children(of: fields[1], identifier: explicit).first
    }
}
