public import ProbeKit
public import ProbePlatform

/// Requires that each of several root stores trusts the presented chain, by the reference verifier (decided: every-store).
public struct EveryStoreTrusts: Policy {
    /// Creates a policy; it has nothing to say where the anchors are those of a single store.
    public init() {}

    /// Returns one error that names the stores without a path, or a note.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, !connection.stores.isEmpty else { return [] }
        let stores = connection.stores
        let refusing = stores.filter { !$0.trust.isAccepted }
        guard !refusing.isEmpty else {
            return [.note("stores-agree", stage: .trust, "each of \(stores.count) root stores trusts the chain")]
        }
        // Of a chain that no anchor trusts, the reference verifier's refusal says why.
        if refusing.count == stores.count, connection.referenceTrust?.isAccepted == false { return [] }
        let named = refusing.map { "\($0.store) (\($0.trust.cause?.rawValue ?? "other"))" }.joined(separator: ", ")
        return [
            .error(
                .trustFailed, code: "store-refuses", stage: .trust,
                "\(refusing.count) of \(stores.count) root stores refuse the chain: \(named)",
                fix: "serve a chain, or a cross-signed intermediate, that leads to a root of each of them")
        ]
    }
}
