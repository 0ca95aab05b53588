import FoundationEssentials
import SwiftASN1

/// Certificates from files: one DER certificate, or any number of PEM blocks.
public enum CertificateFile: Sendable {
    /// The largest file that is read, in bytes; Debian's whole CA bundle has a fifth of a million.
    public static let maximumBytes = 16 << 20

    /// Reads every certificate of a file, as DER.
    ///
    /// - Throws: ``InputError`` naming the file when it can't be read, is too large or holds no certificate.
    public static func read(_ path: String) throws(InputError) -> [[UInt8]] {
        try certificates(in: try contents(of: path), from: path)
    }

    /// The certificates in the bytes of a file, as DER. Other PEM blocks are passed over.
    ///
    /// - Parameters:
    ///   - bytes: PEM text or one DER value.
    ///   - path: what to call the source in an error.
    public static func certificates(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        if bytes.first == 0x30 {
            do {
                _ = try CertificateSlices(certificate: bytes.span)
                return [bytes]
            } catch {
                throw InputError(
                    "\(path) is not a certificate: \(error)", remedy: "give a certificate as PEM or DER", source: .file)
            }
        }
        let documents: [PEMDocument]
        do {
            documents = try PEMDocument.parseMultiple(pemString: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw InputError("\(path) is broken PEM: \(error)", remedy: "give certificates as PEM or DER", source: .file)
        }
        let certificates = documents.filter { $0.discriminator.hasSuffix("CERTIFICATE") }.map(\.derBytes)
        guard !certificates.isEmpty else {
            let found = Set(documents.map(\.discriminator)).sorted().joined(separator: ", ")
            throw InputError(
                "\(path) holds no certificate\(found.isEmpty ? "" : ", only \(found)")",
                remedy: "give a file with at least one 'BEGIN CERTIFICATE' block", source: .file)
        }
        return certificates
    }

    /// A file's bytes, within the bound.
    static func contents(of path: String) throws(InputError) -> [UInt8] {
        let data: Data
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard size <= maximumBytes else {
                throw InputError(
                    "\(path) has \(size) bytes", remedy: "a certificate file has at most \(maximumBytes) bytes", source: .file)
            }
            data = try Data(contentsOf: URL(filePath: path))
        } catch let error as InputError {
            throw error
        } catch {
            throw InputError("\(path) can't be read", remedy: "check that the file exists and you may read it", source: .file)
        }
        guard data.count <= maximumBytes else {
            throw InputError("\(path) has no end in sight", remedy: "give a regular file", source: .file)
        }
        return Array(data)
    }
}
