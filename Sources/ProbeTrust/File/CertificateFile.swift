public import ProbeKit
import ProbePins
import ProbePlatform
import SwiftASN1

/// Certificates from files: one DER certificate, or any number of PEM blocks.
public enum CertificateFile: Sendable {
    /// The largest file that is read, in bytes; Debian's whole CA bundle has a fifth of a million.
    public static let maximumBytes = 16 << 20

    /// A certificate of a file.
    package struct Entry {
        package let der: [UInt8]
        /// The line that its block begins in.
        package let line: Int
        /// True if OpenSSL's trust settings behind it reject it for TLS servers.
        package let isRejected: Bool
    }

    /// Reads every certificate of a file, as DER.
    ///
    /// - Throws: `InputError` naming the file if it can't be read, is too large or has no certificate.
    public static func read(_ path: String) throws(InputError) -> [[UInt8]] {
        try read(try InputFile.bytes(of: path, limit: maximumBytes, kind: "certificate file"), from: path)
    }

    /// Reads every certificate of a file's bytes, as DER.
    ///
    /// - Parameter path: the source's name in errors.
    public static func read(_ bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        let certificates = try certificates(in: bytes, from: path)
        try check(certificates, from: path)
        return certificates
    }

    /// Reads every certificate of a root store's bytes, with those that the store does not trust.
    ///
    /// - Parameter path: the source's name in errors.
    package static func entries(of bytes: [UInt8], from path: String) throws(InputError) -> [Entry] {
        let entries = try entries(in: bytes, from: path)
        try check(entries.map(\.der), from: path)
        return entries
    }

    private static func check(_ certificates: [[UInt8]], from path: String) throws(InputError) {
        for (index, der) in certificates.enumerated() {
            do {
                _ = try CertificateSlices(certificate: der.span)
            } catch {
                throw InputError(
                    "certificate \(index) of \(path) is malformed: \(error)", remedy: "give certificates as PEM or DER",
                    source: .file)
            }
        }
    }

    /// Returns the certificates in the bytes of a file, as DER. Other PEM blocks are skipped.
    ///
    /// - Parameters:
    ///   - bytes: PEM text or one DER value.
    ///   - path: the source's name in errors.
    public static func certificates(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        let entries = try entries(in: bytes, from: path)
        if let rejected = entries.first(where: \.isRejected) {
            throw InputError(
                "the certificate of line \(rejected.line) of \(path) is marked as not trusted for TLS servers",
                remedy: "take it out", source: .file)
        }
        return entries.map(\.der)
    }

    private static func entries(in bytes: [UInt8], from path: String) throws(InputError) -> [Entry] {
        if let form = ForeignCertificates(bytes) { throw form.error(path) }
        if bytes.first == 0x30 {
            do {
                _ = try CertificateSlices(certificate: bytes.span)
                return [Entry(der: bytes, line: 1, isRejected: false)]
            } catch {
                if isConcatenated(bytes) { throw ForeignCertificates.concatenated.error(path) }
                // Text may begin with the digit that is DER's first byte.
                guard PEMText.isPEM(bytes) else {
                    throw InputError(
                        "\(path) is not a certificate: \(error)", remedy: "give a certificate as PEM or DER",
                        source: .file)
                }
            }
        }
        let blocks = try PEMText.blocks(in: bytes, from: path, remedy: "give certificates as PEM or DER")
        var entries: [Entry] = []
        for block in blocks { if let entry = try entry(in: block) { entries.append(entry) } }
        guard !entries.isEmpty else {
            throw InputError(
                "\(path) holds no certificate\(blocks.kinds)",
                remedy: blocks.contains { ["PKCS7", "CMS"].contains($0.label) }
                    ? "write its certificates as PEM with openssl pkcs7 -print_certs -in FILE"
                    : "give a file with at least one 'BEGIN CERTIFICATE' block", source: .file)
        }
        return entries
    }

    /// Returns true for a certificate as DER, alone or with more behind it. Nothing behind it is read.
    package static func beginsWithCertificate(_ bytes: [UInt8]) -> Bool {
        guard let end = sequenceEnd(in: bytes), end <= CertificateSlices.maximumBytes else { return false }
        return (try? CertificateSlices(certificate: bytes.span.extracting(0..<end))) != nil
    }

    /// Returns true for several certificates as DER, one behind the other, by the first one. Java reads them; p11-kit and
    /// update-ca-certificates don't.
    private static func isConcatenated(_ bytes: [UInt8]) -> Bool {
        guard let end = sequenceEnd(in: bytes), end < bytes.count, bytes[end] == 0x30 else { return false }
        return beginsWithCertificate(bytes)
    }

    /// Returns the end of the sequence that bytes begin with, by its tag and length alone; nil if it is not whole.
    static func sequenceEnd(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2, bytes[0] == 0x30 else { return nil }
        var (length, start) = (Int(bytes[1]), 2)
        if length >= 0x80 {
            let count = length & 0x7f
            // Four bytes are more than any file has.
            guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
            length = bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) }
            start += count
        }
        return length <= bytes.count - start ? start + length : nil
    }

    /// Returns the certificate of a block; nil if it holds something else.
    private static func entry(in block: PEMBlock) throws(InputError) -> Entry? {
        switch block.label {
        case "CERTIFICATE", "X509 CERTIFICATE":
            return Entry(der: try block.decoded(), line: block.line, isRejected: false)
        case "TRUSTED CERTIFICATE":
            let bytes = try block.decoded()
            guard let trusted = try? TrustedCertificate(bytes) else {
                throw block.error("the block of line \(block.line) is not a certificate with OpenSSL's trust settings")
            }
            return Entry(der: trusted.der, line: block.line, isRejected: trusted.isRejectedForServers)
        default: return nil
        }
    }

    /// Returns a PEM block of a certificate, with a line break at its end.
    public static func pem(_ der: [UInt8]) -> String {
        PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n"
    }
}

/// The content of a `TRUSTED CERTIFICATE` block: a certificate, followed by OpenSSL's own data about it
/// (`X509_CERT_AUX`), above all the purposes it is trusted for or rejected for.
struct TrustedCertificate {
    /// The certificate without the data after it.
    let der: [UInt8]
    /// True if it is restricted to purposes without TLS servers, or rejected for TLS servers.
    let isRejectedForServers: Bool

    /// Many times the size of a list of purposes: the parser takes a hundred times the memory of what it reads.
    private static let maximumAuxiliaryBytes = 1 << 14
    private static let serverPurposes: [ASN1ObjectIdentifier] = [[1, 3, 6, 1, 5, 5, 7, 3, 1], [2, 5, 29, 37, 0]]

    /// - Throws: an error of the DER parser.
    init(_ bytes: [UInt8]) throws {
        let (certificate, auxiliary) = try Self.split(bytes)
        der = certificate
        guard !auxiliary.isEmpty else {
            isRejectedForServers = false
            return
        }
        var (trusted, rejected): ([ASN1ObjectIdentifier]?, [ASN1ObjectIdentifier]?)
        for field in try CertificateFrame.children(of: DER.parse(auxiliary)) {
            switch field.identifier {
            case .sequence: trusted = try Self.purposes(in: field, .sequence)
            case Self.rejection: rejected = try Self.purposes(in: field, Self.rejection)
            default: continue
            }
        }
        isRejectedForServers =
            trusted.map { !$0.contains(where: Self.serverPurposes.contains) } ?? false
            || rejected?.contains(where: Self.serverPurposes.contains) ?? false
    }

    private static let rejection = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    private static func purposes(
        in node: ASN1Node, _ identifier: ASN1Identifier
    ) throws -> [ASN1ObjectIdentifier] {
        try CertificateFrame.children(of: node, identifier: identifier).map { try ASN1ObjectIdentifier(derEncoded: $0) }
    }

    /// Returns the first DER value, and the bytes after it.
    private static func split(_ bytes: [UInt8]) throws -> (first: [UInt8], rest: ArraySlice<UInt8>) {
        guard let end = CertificateFile.sequenceEnd(in: bytes), bytes.count - end <= maximumAuxiliaryBytes else {
            throw ASN1Error.invalidASN1Object(reason: "a certificate and at most one value behind it")
        }
        return (Array(bytes[..<end]), bytes[end...])
    }
}

extension TrustAnchors {
    /// The paths of systems' CA bundles, Debian's first.
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    /// Returns the system's anchors, from the first bundle that exists.
    ///
    /// - Throws: `InputError` if there is none.
    public static func system() throws(InputError) -> TrustAnchors {
        guard let path = bundles.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw InputError(
                "this system has no CA bundle", remedy: "install ca-certificates or \(Fix.Step.giveAnchor)",
                source: .file)
        }
        return TrustAnchors(name: path, certificates: try CertificateFile.read(path), isSystem: true)
    }

    /// Returns the certificates of a PEM or DER file as anchors.
    ///
    /// - Throws: `InputError` naming the file.
    public static func file(_ path: String) throws(InputError) -> TrustAnchors {
        TrustAnchors(name: path, certificates: try CertificateFile.read(path))
    }
}
