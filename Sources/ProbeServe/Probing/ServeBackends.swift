public import ProbeClients
public import ProbeKit
public import ProbeRun

/// The stacks that a server asks, and what it asks them with.
public struct ServeBackends: Sendable {
    /// A check, and the stacks that are asked for it.
    public typealias AskedCheck = (check: Check, transports: [any Transport], resolvers: [any Resolver])
    /// A list of models, and the stacks that are asked for it.
    public typealias AskedModel = (check: ModelCheck, resolvers: [any Resolver])

    /// The names of the stacks: verdicts by others are not theirs.
    let stacks: String
    let prober: Prober
    /// Judges as clients would, now.
    let clients: ClientRun
    let clientsAt: @Sendable (ProbeClock) -> ClientRun
    let check: @Sendable (Check) throws(InputError) -> AskedCheck
    let model: @Sendable (ModelCheck) throws(InputError) -> AskedModel
    let readIdentity: ServeConfiguration.IdentityReading?

    /// Creates the stacks of a server.
    ///
    /// - Parameters:
    ///   - stacks: the names of the stacks that are asked, and what else of them decides on a verdict.
    ///   - prober: asks them, for as long as the server runs.
    ///   - clients: returns what judges as the clients of a module's fleet would, at a clock's instant.
    ///   - readIdentity: reads client certificates; nil refuses modules that have some.
    ///   - check: chooses the stacks for a check.
    ///   - model: chooses the stacks for a list of models.
    public init(
        stacks: String, prober: Prober, clients: @escaping @Sendable (ProbeClock) -> ClientRun,
        readIdentity: ServeConfiguration.IdentityReading? = nil,
        check: @escaping @Sendable (Check) throws(InputError) -> AskedCheck,
        model: @escaping @Sendable (ModelCheck) throws(InputError) -> AskedModel
    ) {
        self.stacks = stacks
        self.prober = prober
        self.clients = clients(.system)
        clientsAt = clients
        self.readIdentity = readIdentity
        self.check = check
        self.model = model
    }
}
