import ProbeKit

/// Writes one format that holds pins and little else: what it can't express was taken away before.
protocol FormatWriter {
    /// The format's capabilities.
    static var traits: FormatTraits { get }

    /// Writes what the format can express.
    ///
    /// - Parameter losses: takes what is lost in the writing.
    /// - Throws: ``InputError`` if the library beneath can't write it.
    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8]
}
