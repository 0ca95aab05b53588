/// One DNS stack, made to report facts.
///
/// A resolver never judges a record: it reports every attempt with the reply's raw bytes, and its own parse of
/// them as a second reading. It waits no longer than the query's deadline, keeps no answers between
/// calls, and may be called from many tasks at once.
public protocol Resolver: Sendable {
    /// Who answers, with the version of the library as loaded.
    var identity: BackendIdentity { get }

    /// What this resolver can do; the prober refuses a query that needs more.
    var capabilities: Set<ResolverCapability> { get }

    /// Asks for a name's TXT records and reports every attempt, in order.
    func resolve(_ query: DNSQuery) async -> DNSReport
}
