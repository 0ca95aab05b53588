import ProbeKit

/// Writes lines of 44 characters of base64.
enum SPKIBase64Writer: FormatWriter {
    static let traits = FormatTraits(kinds: [.spki], positions: .unstated(.any), hosts: .none)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        DigestLines.write(pinned) { _, pin in pin.digest.base64 }
    }
}
