import ProbeKit

/// Writes lines `rawkey:sha256:HEX` in lowercase.
enum RawKeyHexWriter: FormatWriter {
    static let traits = FormatTraits(kinds: [.rawkey], positions: .unstated(.any), hosts: .none)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        DigestLines.write(pinned) { _, pin in pin.description }
    }
}
