public import ProbeKit

/// Something to watch, with the backends to use.
public struct WatchedCheck: Sendable {
    enum Work: Sendable {
        case target(Check)
        case list(ModelCheck, timeout: Duration)
    }

    private(set) var work: Work
    let transports: [any Transport]
    let resolvers: [any Resolver]
    private let locate: (@Sendable () async -> Check)?

    /// Watches a target through each transport; with a model to look for, through each pair of a transport and a
    /// resolver.
    ///
    /// - Parameter locate: returns the check with the servers that its target has now, for each visit anew; nil leaves that to
    ///   the transports.
    public init(
        _ check: Check, through transports: [any Transport], resolvers: [any Resolver] = [],
        locating locate: (@Sendable () async -> Check)? = nil
    ) {
        work = .target(check)
        self.transports = transports
        self.resolvers = check.model == nil ? [] : resolvers
        self.locate = locate
    }

    /// Watches an allow-list alone through each resolver.
    ///
    /// - Parameter timeout: the most one question may take.
    public init(_ check: ModelCheck, through resolvers: [any Resolver], timeout: Duration) {
        work = .list(check, timeout: timeout)
        transports = []
        self.resolvers = resolvers
        locate = nil
    }

    /// Returns the check with the servers of now.
    func located() async -> Self {
        guard let locate else { return self }
        var located = self
        located.work = .target(await locate())
        return located
    }

    /// The model that is looked for, if any.
    var model: ModelCheck? {
        switch work {
        case .target(let check): check.model
        case .list(let check, _): check
        }
    }

    /// The check of the target; nil if there is none.
    var check: Check? { if case .target(let check) = work { check } else { nil } }

    /// The watched subjects, one status each.
    var subjects: [WatchSubject] {
        let name = check?.subject ?? model?.subject ?? ""
        let resolvers = self.resolvers.map { Optional($0.name) }
        switch work {
        case .target:
            return transports.flatMap { transport in
                (resolvers.isEmpty ? [nil] : resolvers).map {
                    WatchSubject(
                        name: name, service: check?.service, transport: transport.name, resolver: $0)
                }
            }
        case .list:
            return resolvers.map { WatchSubject(name: name, service: nil, transport: nil, resolver: $0) }
        }
    }
}
