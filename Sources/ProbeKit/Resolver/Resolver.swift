/// One DNS stack, made to report facts.
///
/// A resolver never judges a record: it reports every attempt with the reply's raw bytes, and the stack's own parse of
/// them as a second reading. It waits no longer than the query's deadline, keeps no answers between calls, and may be
/// called from many tasks at once.
public protocol Resolver: Sendable {
    /// The resolver's name, library and loaded version.
    var identity: BackendIdentity { get }

    /// The resolver's capabilities; the prober rejects a query that needs more.
    var capabilities: Set<ResolverCapability> { get }

    /// Asks for a name's TXT records and reports every attempt, in order.
    func resolve(_ query: DNSQuery) async -> DNSReport
}
