import FoundationEssentials
public import ProbeKit

/// Profiles as files in the native format.
public enum ProfileFile: Sendable {
    /// The largest file that is read, in bytes.
    public static let maximumBytes = 4 << 20

    /// Reads a profile of YAML or JSON.
    ///
    /// - Throws: ``InputError`` naming the file, the line and the key.
    public static func read(_ path: String) throws(InputError) -> Profile {
        try parse(
            String(decoding: try InputFile.bytes(of: path, limit: maximumBytes, kind: "profile"), as: UTF8.self),
            from: path)
    }

    /// Reads a profile's text.
    ///
    /// - Parameter path: what to call it in an error.
    public static func parse(_ text: String, from path: String) throws(InputError) -> Profile {
        try ProfileReader.read(text, file: path)
    }
}
