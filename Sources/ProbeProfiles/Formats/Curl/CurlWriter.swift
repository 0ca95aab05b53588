import ProbeKit

/// Writes the value of curl's `--pinnedpubkey`: `sha256//BASE64;sha256//BASE64`.
enum CurlWriter: FormatWriter {
    static let traits = FormatTraits(kinds: [.spki], positions: .fixed(.leaf), hosts: .none)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        let pins = pinned.flatMap(\.sets).flatMap(\.members).map { "sha256//\($0.pin.digest.base64)" }
        return Array((pins.joined(separator: ";") + "\n").utf8)
    }
}
