import ProbeKit

/// Writes a `Public-Key-Pins` header, one `-Report-Only` for pins that are only reported, or both.
enum HPKPWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any), sets: .oneForEachEnforcement, hosts: .none, reports: true)

    /// Sixty days, as RFC 7469 section 4.1 suggests.
    private static let maximumAge = 5_184_000

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        var text = ""
        for host in pinned {
            if host.name != nil, [.children, .selfAndChildren].contains(host.reach) {
                losses.append(
                    FormatLoss(
                        "subdomains", host.label,
                        "the pins are for \(host.reach.rawValue); written, for the host and all names below"))
            }
            for set in host.sets {
                text += set.isEnforced ? "Public-Key-Pins: " : "Public-Key-Pins-Report-Only: "
                text += set.members.map { "pin-sha256=\"\($0.pin.digest.base64)\"; " }.joined()
                text += "max-age=\(maximumAge)"
                text += host.name == nil || host.reach == .itself ? "\n" : "; includeSubDomains\n"
            }
        }
        return Array(text.utf8)
    }
}
