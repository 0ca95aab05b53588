import ProbeKit

/// Reads one format.
protocol FormatReader {
    /// Whether the content is of this format and can't well be of another.
    static func recognises(_ input: FormatInput) -> Bool

    /// Reads a file.
    ///
    /// - Throws: ``InputError`` naming the file, the place and the remedy.
    static func read(_ input: FormatInput) throws(InputError) -> Imported
}
