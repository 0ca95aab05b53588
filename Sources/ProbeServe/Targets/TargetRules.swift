public import ProbeKit
public import ProbeRun

/// The targets that a server may be asked to probe. It dials what anyone who reaches it names, so that addresses which are
/// not public, those of cloud metadata among them, have to be allowed.
public struct TargetRules: Sendable {
    private let blocks: [AddressBlock]
    private let names: [String]

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - blocks: the addresses that may be dialled beside public ones.
    ///   - names: the targets that may be probed, each a name, an address, or `*.` and a name for all below it; empty allows
    ///     every one.
    /// - Throws: ``InputError`` naming a text that is not a target.
    public init(blocks: [AddressBlock] = [], names: [String] = []) throws(InputError) {
        self.blocks = blocks
        var known: [String] = []
        for name in names {
            let isWide = name.hasPrefix("*.")
            // As people write it: case, letters outside of ASCII and a last dot are a target's too.
            let read = try ServerName(isWide ? String(name.dropFirst(2)) : name)
            if isWide, case .ip = read {
                throw InputError("'\(name)' is not a target", remedy: "write the address alone, or *. and a name")
            }
            known.append((isWide ? "*." : "") + read.description)
        }
        self.names = known
    }

    /// Creates the rules that allow every target at a public address.
    public init() { (blocks, names) = ([], []) }

    /// The rules as text, the same for the same ones in another order.
    var description: String {
        (blocks.map(\.description).sorted() + ["/"] + names.sorted()).joined(separator: " ")
    }

    /// Returns true if a target may be probed by its name.
    func allows(_ name: ServerName) -> Bool {
        let text = name.description
        return names.isEmpty
            || names.contains {
                $0.hasPrefix("*.") ? text.hasSuffix($0.dropFirst()) && text.count >= $0.count : $0 == text
            }
    }

    /// Returns true if an address may be dialled.
    func allows(_ address: IPAddress) -> Bool {
        let address = address.mapped ?? address
        return blocks.contains { $0.contains(address) } || Self.isPublic(address)
    }

    /// True if an address is one of the internet's, by IANA's registries of special addresses.
    private static func isPublic(_ address: IPAddress) -> Bool {
        guard address.isIPv6 else { return !special4.contains { $0.contains(address) } }
        return global6.contains { $0.contains(address) } && !special6.contains { $0.contains(address) }
    }

    private static let special4 = known([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3",
    ])
    private static let global6 = known(["2000::/3"])
    /// Those that lead to another address among them, as 6to4 and Teredo do.
    private static let special6 = known(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"])

    private static func known(_ blocks: [String]) -> [AddressBlock] { blocks.compactMap { try? AddressBlock($0) } }
}
