import Foundation
import ProbeKit
import ProbeSignatures

/// Writes the list that wultra's SSL pinning fetches, unsigned.
enum WultraWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.cert], positions: .fixed(.leaf), expiry: .perPin, hosts: .names([.itself], repeats: false),
        unlistedHost: .fail)

    /// The first second of 2100, for pins without an end.
    private static let farAway: Int64 = 4_102_444_800

    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8] {
        var fingerprints: [WultraFingerprint] = []
        for host in pinned {
            let members = host.sets.first?.members ?? []
            if members.contains(where: { $0.expires == nil }) {
                losses.append(
                    FormatLoss("pin-expiry", host.label, "pins without an end are written to expire with the year 2099")
                )
            }
            fingerprints += members.map { member in
                WultraFingerprint(
                    name: host.name ?? "", fingerprint: member.pin.digest.base64,
                    expires: member.expires.map { Int64($0.timeIntervalSince1970) + 1 } ?? farAway, signature: "")
            }
        }
        losses.append(FormatLoss("signature", "the list", "its entries are not signed: sign name&fingerprint&expires"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try Exported.encoded { try encoder.encode(WultraFingerprints(fingerprints: fingerprints)) }
        return Array(data) + [0x0a]
    }
}
