public import ProbeKit
import ProbePins
import SwiftASN1

/// Public keys from files: one SubjectPublicKeyInfo in DER, or any number of PEM blocks.
public enum PublicKeyFile: Sendable {
    /// Returns the public keys in the bytes of a file, as DER. Other PEM blocks are skipped.
    ///
    /// - Parameters:
    ///   - bytes: PEM text or one DER value.
    ///   - path: the source's name in errors.
    /// - Throws: `InputError` naming the source if it has no public key.
    public static func keys(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        guard bytes.first != 0x30 || PEMText.isPEM(bytes) else { return [try checked(bytes, from: path)] }
        let blocks = try PEMText.blocks(in: bytes, from: path, remedy: remedy)
        var keys: [[UInt8]] = []
        for block in blocks where block.label == label { keys.append(try block.decoded()) }
        guard !keys.isEmpty else {
            throw InputError("\(path) holds no public key\(blocks.kinds)", remedy: remedy, source: .file)
        }
        for key in keys { _ = try checked(key, from: path) }
        return keys
    }

    /// Returns a PEM block of a SubjectPublicKeyInfo, with a line break at its end.
    public static func pem(_ der: [UInt8]) -> String {
        PEMDocument(type: label, derBytes: der).pemString + "\n"
    }

    private static let label = "PUBLIC KEY"
    private static let remedy = "give a file with at least one 'BEGIN PUBLIC KEY' block, or one key in DER"

    private static func checked(_ der: [UInt8], from path: String) throws(InputError) -> [UInt8] {
        do {
            _ = try CertificateSlices(spki: der.span)
            return der
        } catch {
            throw InputError(
                "\(path) holds something that is not a public key: \(error)", remedy: remedy, source: .file)
        }
    }
}
