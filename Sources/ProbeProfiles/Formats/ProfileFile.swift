public import ProbeKit

/// Profiles as files.
public enum ProfileFile: Sendable {
    /// The largest file that is read, in bytes; an app's package may be larger.
    public static let maximumBytes = 4 << 20

    /// Reads a profile in the format that its content shows.
    ///
    /// - Throws: ``InputError`` naming the file, the line and the key.
    public static func read(_ path: String) throws(InputError) -> Profile {
        try read(path, format: nil).imported.profile
    }

    /// Reads a profile in one of the formats.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - format: its format; nil detects it from the content.
    ///   - context: facts that the format does not contain; nil if there are none.
    /// - Returns: the given or detected format, and the content of the file.
    /// - Throws: ``InputError`` naming the file, the place and the remedy, also if its content could be of several
    ///   formats.
    public static func read(
        _ path: String, format: ProfileFormat?, context: FormatContext? = nil
    ) throws(InputError) -> (format: ProfileFormat, imported: Imported) {
        try read(bytes(of: path), from: path, format: format, context: context)
    }

    /// Returns a profile's bytes, within the bound.
    ///
    /// - Throws: ``InputError`` naming the file.
    public static func bytes(of path: String) throws(InputError) -> [UInt8] {
        let isApp = [".apk", ".ipa"].contains(where: path.lowercased().hasSuffix)
        return isApp
            ? try InputFile.bytes(of: path, limit: AppPackage.maximumBytes, kind: "app")
            : try InputFile.bytes(of: path, limit: maximumBytes, kind: "profile")
    }

    /// Reads a profile's bytes in one of the formats.
    ///
    /// - Parameter path: its name in errors.
    public static func read(
        _ bytes: [UInt8], from path: String, format: ProfileFormat? = nil, context: FormatContext? = nil
    ) throws(InputError) -> (format: ProfileFormat, imported: Imported) {
        let format = if let format { format } else { try detected(bytes, path) }
        return (format, try format.read(bytes, context ?? FormatContext(path: path)))
    }

    /// Reads a profile's text in the native format.
    ///
    /// - Parameter path: its name in errors.
    public static func parse(_ text: String, from path: String) throws(InputError) -> Profile {
        try ProfileReader.read(text, file: path)
    }

    /// Returns the format that the content shows. If it shows none, a name with a profile's extension gets the native
    /// reader's errors.
    private static func detected(_ bytes: [UInt8], _ path: String) throws(InputError) -> ProfileFormat {
        guard !bytes.isEmpty else {
            throw InputError("\(path) is empty", remedy: "give a profile, or a file of pins", source: .file)
        }
        let input = FormatInput(bytes, FormatContext(path: path))
        // The byte order marks of UTF-16.
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { _ = try input.requiredText() }
        _ = try input.opened()
        if let format = ProfileFormat.detect(bytes) { return format }
        let found = ProfileFormat.candidates(bytes)
        if found.isEmpty, [".yaml", ".yml", ".json"].contains(where: path.lowercased().hasSuffix) {
            return .nativeYAML
        }
        guard Set(found) != [.apple, .trustkit] else {
            throw InputError(
                "\(path) has pins of App Transport Security and of TrustKit, and the app checks both",
                remedy:
                    "\(Fix.Step.convertToProfile), once from apple and once from trustkit, and check both files, or one with the hosts of both",
                source: .file)
        }
        let names = (found.isEmpty ? ProfileFormat.allCases : found).map(\.rawValue).joined(separator: ", ")
        throw InputError(
            "\(path) "
                + (found.isEmpty ? "is in no format that its content gives away" : "could be in several formats"),
            remedy: "\(Fix.Step.convertToProfile): \(names)",
            source: .file)
    }
}
