import ProbeKit

/// Reads one format.
protocol FormatReader {
    /// Returns true if the content is of this format and unlikely to be of another.
    static func recognises(_ input: FormatInput) -> Bool

    /// Reads a file.
    ///
    /// - Throws: ``InputError`` naming the file, the place and the remedy.
    static func read(_ input: FormatInput) throws(InputError) -> Imported
}
