package import ProbeKit

/// The chains that services serve, by their labels, as a forecast takes them.
package struct ServedEvidence: Sendable {
    /// The evidence; of a chain that is refused for its dates or its name alone, on a day and for a name that it has.
    package private(set) var chains: [String: ConnectionEvidence]
    /// The reasons of those refusals.
    package private(set) var refusals: [String: TrustReading.Problem] = [:]

    /// Takes in the chains as they were seen.
    package init(_ seen: [String: ConnectionEvidence]) async {
        chains = seen
        for (label, connection) in seen {
            guard let valid = await SuppliedChain.otherwiseValid(connection) else { continue }
            chains[label] = valid
            refusals[label] = connection.referenceTrust?.problems.first
        }
    }

    /// The refusals in the words of a forecast.
    package var reasons: [String: String] {
        refusals.mapValues { "every client refuses the chain as it is: \($0.message)" }
    }
}
