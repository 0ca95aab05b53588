import ProbeKit

extension ServicePins {
    /// Returns the rules beside pins by which this client judges a chain, for a check and for lint alike.
    ///
    /// - Parameters:
    ///   - isEnforced: true if the environment enforces pins.
    ///   - trust: whose paths decide.
    func policies(isEnforced: Bool, trust: TrustMode = .both) -> [any Policy] {
        var policies: [any Policy] = []
        if let separation { policies.append(Announced(separation.finding)) }
        if let keys = trustKitKeys(trust: trust) { policies.append(keys) }
        if let names = CommonNamesMatch(sets, isEnforced: isEnforced) { policies.append(names) }
        return policies
    }

    /// Returns TrustKit's rule for keys; nil for any other client.
    func trustKitKeys(trust: TrustMode = .both) -> TrustKitKeys? {
        source == .rules(.trustkit) ? TrustKitKeys(sets.map { $0.group() }, trust: trust) : nil
    }
}
