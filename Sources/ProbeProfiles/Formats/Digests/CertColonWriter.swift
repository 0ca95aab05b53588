import ProbeKit

/// Writes fingerprints of certificates as `AA:BB:…`, one a line.
enum CertColonWriter: FormatWriter {
    static let traits = FormatTraits(kinds: [.cert], positions: .unstated(.leaf), hosts: .none)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        DigestLines.write(pinned) { set, pin in pin.digest.colonHex }
    }
}
