public import ProbeKit
import ProbePins
import SwiftASN1

/// Certificates from files: one DER certificate, or any number of PEM blocks.
public enum CertificateFile: Sendable {
    /// The largest file that is read, in bytes; Debian's whole CA bundle has a fifth of a million.
    public static let maximumBytes = 16 << 20

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
        for (index, der) in certificates.enumerated() {
            do {
                _ = try CertificateSlices(certificate: der.span)
            } catch {
                throw InputError(
                    "certificate \(index) of \(path) is malformed: \(error)", remedy: "give certificates as PEM or DER",
                    source: .file)
            }
        }
        return certificates
    }

    /// Returns the certificates in the bytes of a file, as DER. Other PEM blocks are skipped.
    ///
    /// - Parameters:
    ///   - bytes: PEM text or one DER value.
    ///   - path: the source's name in errors.
    public static func certificates(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        if bytes.first == 0x30 {
            do {
                _ = try CertificateSlices(certificate: bytes.span)
                return [bytes]
            } catch {
                // Text may begin with the digit that is DER's first byte.
                guard PEMText.isPEM(bytes) else {
                    throw InputError(
                        "\(path) is not a certificate: \(error)", remedy: "give a certificate as PEM or DER",
                        source: .file)
                }
            }
        }
        let blocks = try PEMText.blocks(in: bytes, from: path, remedy: "give certificates as PEM or DER")
        var certificates: [[UInt8]] = []
        for block in blocks { if let certificate = try certificate(in: block) { certificates.append(certificate) } }
        guard !certificates.isEmpty else {
            throw InputError(
                "\(path) holds no certificate\(blocks.kinds)",
                remedy: "give a file with at least one 'BEGIN CERTIFICATE' block", source: .file)
        }
        return certificates
    }

    /// Returns the certificate of a block; nil if it holds something else.
    private static func certificate(in block: PEMBlock) throws(InputError) -> [UInt8]? {
        switch block.label {
        case "CERTIFICATE", "X509 CERTIFICATE": return try block.decoded()
        case "TRUSTED CERTIFICATE":
            let bytes = try block.decoded()
            guard let trusted = try? TrustedCertificate(bytes) else {
                throw block.error("the block of line \(block.line) is not a certificate with OpenSSL's trust settings")
            }
            guard !trusted.isRejectedForServers else {
                throw InputError(
                    "the certificate of line \(block.line) of \(block.path) is marked as not trusted for TLS servers",
                    remedy: "take it out, or take its marks off with openssl x509 -clrtrust -clrreject",
                    source: .file)
            }
            return trusted.der
        default: return nil
        }
    }

    /// Returns a PEM block of a certificate, with a line break at its end.
    public static func pem(_ der: [UInt8]) -> String {
        PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n"
    }
}
