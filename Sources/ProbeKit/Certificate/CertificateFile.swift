import SwiftASN1

/// Certificates from files: one DER certificate, or any number of PEM blocks.
public enum CertificateFile: Sendable {
    /// The largest file that is read, in bytes; Debian's whole CA bundle has a fifth of a million.
    public static let maximumBytes = 16 << 20

    /// Reads every certificate of a file, as DER.
    ///
    /// - Throws: ``InputError`` naming the file when it can't be read, is too large or holds no certificate.
    public static func read(_ path: String) throws(InputError) -> [[UInt8]] {
        try read(try InputFile.bytes(of: path, limit: maximumBytes, kind: "certificate file"), from: path)
    }

    /// Reads every certificate of a file whose bytes are at hand, as DER.
    ///
    /// - Parameter path: what to call the source in an error.
    public static func read(_ bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        let certificates = try certificates(in: bytes, from: path)
        for (index, der) in certificates.enumerated() {
            do {
                _ = try CertificateSlices(certificate: der.span)
            } catch {
                throw InputError(
                    "certificate \(index) of \(path) is none: \(error)", remedy: "give certificates as PEM or DER",
                    source: .file)
            }
        }
        return certificates
    }

    /// The certificates in the bytes of a file, as DER. Other PEM blocks are passed over.
    ///
    /// - Parameters:
    ///   - bytes: PEM text or one DER value.
    ///   - path: what to call the source in an error.
    public static func certificates(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.first == 0x30, !text.contains("-----BEGIN") {
            do {
                _ = try CertificateSlices(certificate: bytes.span)
                return [bytes]
            } catch {
                throw InputError(
                    "\(path) is not a certificate: \(error)", remedy: "give a certificate as PEM or DER", source: .file)
            }
        }
        let documents = try PEMText.blocks(in: text, from: path, remedy: "give certificates as PEM or DER")
        let certificates = documents.filter { ["CERTIFICATE", "X509 CERTIFICATE"].contains($0.discriminator) }.map(
            \.derBytes)
        guard !certificates.isEmpty else {
            let found = Set(documents.map(\.discriminator)).sorted().joined(separator: ", ")
            throw InputError(
                "\(path) holds no certificate\(found.isEmpty ? "" : ", only \(found)")",
                remedy: "give a file with at least one 'BEGIN CERTIFICATE' block", source: .file)
        }
        return certificates
    }

    /// A PEM block of a certificate, with a line break at its end.
    public static func pem(_ der: [UInt8]) -> String {
        PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n"
    }
}
