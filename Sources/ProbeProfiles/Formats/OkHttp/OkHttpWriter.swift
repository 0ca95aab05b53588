import ProbeKit

/// Writes one line `PATTERN sha256/BASE64` for each pin, the two arguments of `CertificatePinner.Builder.add`.
enum OkHttpWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any),
        hosts: .names([.itself, .children, .selfAndChildren, .everything], repeats: true),
        unlistedHost: .system, overlap: .okhttp)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        var text = ""
        for host in pinned {
            for pattern in patterns(host) {
                for member in host.sets.first?.members ?? [] {
                    text += "\(pattern) sha256/\(member.pin.digest.base64)\n"
                }
            }
        }
        return Array(text.utf8)
    }

    private static func patterns(_ host: PinnedHost) -> [String] {
        guard let name = host.name else { return [] }
        switch host.reach {
        case .itself: return [name]
        case .children: return ["*.\(name)"]
        case .selfAndChildren: return [name, "*.\(name)"]
        case .everything: return ["**.\(name)"]
        }
    }
}
