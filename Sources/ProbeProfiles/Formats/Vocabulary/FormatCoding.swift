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

/// Writes one format that holds pins and little else: content that it can't express was removed before.
protocol FormatWriter {
    /// The format's capabilities.
    static var traits: FormatTraits { get }
    /// True if its clients look pins up by the common name of the leaf, whatever the host.
    static var looksUpByCommonName: Bool { get }

    /// Writes the content that the format can express.
    ///
    /// - Parameter losses: receives further losses.
    /// - Throws: ``InputError`` if the library can't write it.
    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8]
}

extension FormatWriter {
    static var looksUpByCommonName: Bool { false }
}

/// A caller's settings for an export.
struct FormatExport {
    /// The format, as users name it.
    var format: ProfileFormat
    /// The host whose pins are written; nil writes all, or the only one of a format that names none.
    var host: ServerName?
    /// The replacement for positions that the format does not have.
    var position: PinPosition?
    /// Complete certificates and keys.
    var material = PinMaterial()
    /// The public suffixes, for rules of TrustKit's, which depend on them; nil if the system has no list.
    var publicSuffixes: PublicSuffixList?
}
