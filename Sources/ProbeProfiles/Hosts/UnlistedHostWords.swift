import ProbeKit

/// The words for a host that no rule lists: every platform connects to it, and the system's trust decides.
enum UnlistedHostWords {
    /// Returns the platforms that connect without pins, and the closest rule that does not match the host.
    static func consequence(_ host: ServerName, in rules: [HostRule]) -> String {
        let platforms = HostSemantics.allCases.filter { semantics in rules.contains { $0.semantics == semantics } }
            .compactMap(\.platform)
        guard !platforms.isEmpty else { return "the profile has no pins for \(host): the system's trust decides alone" }
        let who = platforms.joined(separator: ", ")
        let near = rules.filter { reaches($0, almost: host) }.max { $0.base.count < $1.base.count }
        return
            "no rule is for \(host): \(who) \(platforms.count == 1 ? "connects" : "connect") without pins, by the system's trust alone"
            + (near.map { "; the rule for '\($0.pattern)' does not reach it" } ?? "")
    }

    private static func reaches(_ rule: HostRule, almost host: ServerName) -> Bool {
        host.description == rule.base || host.description.hasSuffix("." + rule.base)
    }
}
