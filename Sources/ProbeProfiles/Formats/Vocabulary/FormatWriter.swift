import ProbeKit

/// Writes one format that holds pins and little else: content that it can't express was removed before.
protocol FormatWriter {
    /// The format's capabilities.
    static var traits: FormatTraits { get }

    /// Writes the content that the format can express.
    ///
    /// - Parameter losses: receives further losses.
    /// - Throws: ``InputError`` if the library can't write it.
    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8]
}
