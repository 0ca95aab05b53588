import ProbeKit
import ProbeProfiles
import ProbeRun

/// The part of a profile that a file of `--chain` is for.
enum ChainAim {
    /// The services, or hosts of rules, at these indices.
    case takers([Int])
    /// Another host, whose pins the host rules decide.
    case host(Target)
}

extension ChainArgument {
    /// Returns the part of a profile that the file is for: that of its subject; without one those whose hosts its leaf
    /// names, else the one host of the leaf that a rule reaches, else those of the profile's only host.
    ///
    /// - Returns: nil if this leaves it open.
    func aim(among takers: [ChainTaker], rules: [HostRule]) throws(InputError) -> ChainAim? {
        let found = try self.takers(among: takers)
        guard found.isEmpty else { return .takers(found) }
        if let subject { return .host(try Target(subject)) }
        let reached = Set(try hostsOfLeaf().filter { host in rules.contains { $0.matches(host) } })
        if let host = reached.first, reached.count == 1 { return .host(Target(name: host)) }
        return Set(takers.map(\.target.name)).count == 1 ? .takers(Array(takers.indices)) : nil
    }
}
