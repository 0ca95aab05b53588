public import ProbeKit
import SwiftASN1

/// Certificate revocation lists from files: one DER list, or any number of PEM blocks.
public enum RevocationListFile: Sendable {
    /// The largest list that is read, in bytes; a list of 200 000 certificates fits.
    public static let maximumBytes = RevocationList.maximumBytes
    /// The maximum number of lists used together.
    public static let maximumCount = ParsedRevocationLists.maximumCount

    /// Reads every list of a file, as DER.
    ///
    /// - Throws: `InputError` naming the file if it can't be read, is too large, has no list, or one of a kind that
    ///   is not supported.
    public static func read(_ path: String) throws(InputError) -> [[UInt8]] {
        let lists = try lists(
            in: try InputFile.bytes(of: path, limit: maximumBytes, kind: "revocation list file"), from: path)
        for (index, der) in lists.enumerated() {
            let list: RevocationList
            do {
                list = try RevocationList(der)
            } catch {
                throw InputError(
                    "revocation list \(index) of \(path) is malformed: \(error)",
                    remedy: "give the list as its issuer publishes it, as PEM or DER", source: .file)
            }
            if let kind = list.unsupportedKind {
                throw InputError(
                    "revocation list \(index) of \(path) is \(kind), which is not supported",
                    remedy: "give the issuer's complete list", source: .file)
            }
        }
        return lists
    }

    /// Returns the lists in the bytes of a file, as DER. Other PEM blocks are skipped.
    ///
    /// - Parameters:
    ///   - bytes: PEM text or one DER value.
    ///   - path: the source's name in errors.
    public static func lists(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        if bytes.first == 0x30, !PEMText.isPEM(bytes) { return [bytes] }
        let blocks = try PEMText.blocks(in: bytes, from: path, remedy: "give revocation lists as PEM or DER")
        var lists: [[UInt8]] = []
        for block in blocks where block.label == "X509 CRL" { lists.append(try block.decoded()) }
        guard !lists.isEmpty else {
            throw InputError(
                "\(path) holds no revocation list", remedy: "give a file with at least one 'BEGIN X509 CRL' block",
                source: .file)
        }
        return lists
    }
}
