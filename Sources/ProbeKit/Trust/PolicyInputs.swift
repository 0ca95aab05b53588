/// The inputs of path validation that are about certificate policies (RFC 5280 section 6.1.1 (c) and (e) to (g)).
public struct PolicyInputs: Hashable, Sendable {
    /// The policies that are acceptable; nil accepts any.
    public var acceptable: Set<PolicyIdentifier>?
    /// True if the path has to be valid for at least one of the acceptable policies.
    public var requiresExplicitPolicy: Bool
    /// True if `anyPolicy` in a certificate has no effect.
    public var inhibitsAnyPolicy: Bool
    /// True if policies may not be mapped to others.
    public var inhibitsMapping: Bool

    /// Creates inputs; the defaults are those of an ordinary client: any policy, and none is required.
    public init(
        acceptable: Set<PolicyIdentifier>? = nil, requiresExplicitPolicy: Bool = false,
        inhibitsAnyPolicy: Bool = false, inhibitsMapping: Bool = false
    ) {
        self.acceptable = acceptable
        self.requiresExplicitPolicy = requiresExplicitPolicy
        self.inhibitsAnyPolicy = inhibitsAnyPolicy
        self.inhibitsMapping = inhibitsMapping
    }

    /// True if they are the inputs of an ordinary client.
    public var isDefault: Bool { self == PolicyInputs() }
}
