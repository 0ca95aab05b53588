public import ProbeKit
import ProbeTrust

/// The policies that profiles and command lines ask for by name.
public enum NamedPolicies: Sendable {
    /// Each policy by its name.
    public static let all: [String: any Policy] = ["ats": ATSPolicy()]

    /// Returns the policies with these names, in order and each once.
    ///
    /// - Parameter known: the available policies.
    /// - Throws: `InputError` for an unknown name.
    public static func named(
        _ names: [String], among known: [String: any Policy] = all
    ) throws(InputError) -> [any Policy] {
        var policies: [any Policy] = []
        var seen: Set<String> = []
        for name in names where seen.insert(name).inserted {
            guard let policy = known[name] else {
                throw InputError(
                    "'\(name)' is not a policy", remedy: "choose among \(known.keys.sorted().joined(separator: ", "))")
            }
            policies.append(policy)
        }
        return policies
    }
}

extension [String: any Policy] {
    /// Returns these policies and others, by names of their own.
    ///
    /// - Throws: `InputError` for a name that two policies have.
    public func adding(_ others: [String: any Policy]) throws(InputError) -> [String: any Policy] {
        for name in others.keys where self[name] != nil {
            throw InputError("two policies have the name '\(name)'", remedy: "give each a name of its own")
        }
        return merging(others) { first, _ in first }
    }
}
