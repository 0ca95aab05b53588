/// Pinned hosts by their names, so that those around a name are found without a search through all of them.
struct PinnedHosts {
    private let byName: [String: [PinnedHost]]

    init(_ hosts: [PinnedHost]) {
        byName = Dictionary(grouping: hosts.filter { $0.name != nil }) { $0.name ?? "" }
    }

    /// Returns the hosts that another one is below, and that are for it too.
    func covering(_ host: PinnedHost) -> [PinnedHost] {
        DomainName.parents(of: host.name ?? "").flatMap { byName[$0] ?? [] }.filter { $0.covers(host) }
    }
}
