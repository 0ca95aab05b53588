import SwiftASN1

/// The blocks of a PEM text (RFC 7468).
enum PEMText {
    /// - Parameters:
    ///   - text: any text; what is between blocks is passed over.
    ///   - path: what to call the source in an error.
    /// - Throws: ``InputError``, which quotes nothing of the text: it may be a private key.
    static func blocks(in text: String, from path: String, remedy: String) throws(InputError) -> [PEMDocument] {
        do {
            return try PEMDocument.parseMultiple(pemString: text)
        } catch {
            throw InputError(
                "\(path) is broken PEM: a block is not ended as it began, or what it holds is no base64",
                remedy: remedy,
                source: .file)
        }
    }
}
