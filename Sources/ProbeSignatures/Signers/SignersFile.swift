public import ProbeKit
import ProbePlatform

/// Trusted signers as a file: a JSON list of ``SignerRecord``.
public enum SignersFile: Sendable {
    /// The largest file that is read, in bytes.
    public static let maximumBytes = 4 << 20

    /// Reads the signers of a file; paths in it start at its folder.
    ///
    /// - Throws: `InputError` naming the file and the unreadable part, or if the file names no signer.
    public static func read(_ path: String) throws(InputError) -> [TrustedSigner] {
        try read(try InputFile.text(of: path, limit: maximumBytes, kind: "signers file"), from: path)
    }

    /// Reads the signers of a file's text; paths in it start at the file's folder.
    ///
    /// - Throws: `InputError` naming the file and the unreadable part, or if it names no signer.
    package static func read(_ text: String, from path: String) throws(InputError) -> [TrustedSigner] {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        do throws(InputError) {
            return try signers(in: Array(text.utf8), folder: folder)
        } catch {
            throw InputError("\(path): \(error.message)", remedy: error.remedy, source: .file)
        }
    }

    /// Returns the signers that a file's bytes name.
    ///
    /// - Parameter folder: where relative paths start; empty for the working directory.
    static func signers(in bytes: [UInt8], folder: String) throws(InputError) -> [TrustedSigner] {
        var signers: [TrustedSigner] = []
        for record in try records(in: bytes) {
            guard !signers.contains(where: { $0.name == record.name }) else {
                throw InputError("two signers are named '\(record.name)'", remedy: "give each a name of its own")
            }
            signers.append(try record.signer(in: folder))
        }
        guard !signers.isEmpty else {
            throw InputError("nobody is named", remedy: "name at least one signer: nothing else is trusted")
        }
        return signers
    }

    private static func records(in bytes: [UInt8]) throws(InputError) -> [SignerRecord] {
        do {
            let records = try JSONDecoder().decode([SignerRecord].self, from: Data(bytes))
            if let key = RepeatedKey.first(in: bytes) {
                throw InputError("'\(PrintableText.escape(key))' is there twice", remedy: "keep one of them")
            }
            return records
        } catch let error as InputError {
            throw error
        } catch let error as DecodingError {
            throw InputError(reason(error), remedy: "write [{\"name\": …, \"certificate\": …}]")
        } catch {
            throw InputError("it is not a JSON list of signers", remedy: "write [{\"name\": …, \"certificate\": …}]")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): place(context) + "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            place(context) + "it has another type than it should"
        case .dataCorrupted(let context): place(context) + PrintableText.escape(context.debugDescription)
        @unknown default: "it is not a JSON list of signers"
        }
    }

    /// Returns a place like `signer 1, rootSerial: `.
    private static func place(_ context: DecodingError.Context) -> String {
        let steps = context.codingPath.map { key in key.intValue.map { "signer \($0 + 1)" } ?? "'\(key.stringValue)'" }
        return steps.isEmpty ? "" : steps.joined(separator: ", ") + ": "
    }
}
