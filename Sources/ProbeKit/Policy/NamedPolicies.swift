/// The policies that profiles and command lines ask for by name.
public enum NamedPolicies: Sendable {
    /// Each policy by its name.
    public static let all: [String: any Policy] = ["ats": ATSPolicy()]

    /// The policies of these names, in order.
    ///
    /// - Throws: ``InputError`` for a name there is no policy of.
    public static func named(_ names: [String]) throws(InputError) -> [any Policy] {
        var policies: [any Policy] = []
        for name in names {
            guard let policy = all[name] else {
                throw InputError(
                    "'\(name)' is no policy", remedy: "choose among \(all.keys.sorted().joined(separator: ", "))")
            }
            policies.append(policy)
        }
        return policies
    }
}
