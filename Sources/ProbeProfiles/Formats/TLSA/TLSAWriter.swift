import ProbeKit

/// Writes TLSA records: a pin of the leaf has usage 1, one of a CA usage 0, and one of any certificate both.
enum TLSAWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.cert, .spki], positions: .oneOf([.any, .leaf, .ca]), hosts: .names([.itself], repeats: false),
        hasPorts: true, unlistedHost: .system)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        var text = ""
        for host in pinned {
            guard let name = host.name else { continue }
            if IPAddress(name) != nil {
                losses.append(FormatLoss("address", host.label, "addresses have no TLSA records; it is left out"))
                continue
            }
            for set in host.sets {
                for member in set.members {
                    for usage in usages(set.position) {
                        let selector = member.pin.kind == .cert ? 0 : 1
                        text +=
                            "_\(host.port ?? 443)._tcp.\(name). IN TLSA \(usage) \(selector) 1 \(member.pin.digest)\n"
                    }
                }
            }
        }
        return Array(text.utf8)
    }

    private static func usages(_ position: PinPosition) -> [Int] {
        switch position {
        case .leaf: [1]
        case .ca: [0]
        case .any, .first: [1, 0]
        }
    }
}
