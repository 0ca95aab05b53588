import ArgumentParser
import ProbeClients
import ProbeKit
import ProbeProfiles
import ProbeRun
import ProbeScan

/// The options for targets and checks, shared by `check`, `compare`, `watch` and `fleet`.
struct CheckOptions: ParsableArguments {
    @OptionGroup var app: AppCheckOptions
    @OptionGroup var own: ClientFactOptions

    var targets: [String] { app.targets }
    var profile: ProfileOptions { app.profile }
    var backends: BackendOptions { BackendOptions(app.transports, own.resolver) }
    var connection: ConnectionOptions { ConnectionOptions(app.place, own.anchor, app.moment) }
    var revocation: RevocationOptions { own.revocation }
    var reach: ReachOptions { app.reach }
    var dane: Bool { own.dane }
    var policy: PolicyOptions { PolicyOptions(app.demanded, own.stack) }
    var modelHost: [String] { own.modelHost }
    var dns: DNSOptions { DNSOptions(own.question, app.server) }

    /// Returns the addresses that are dialled.
    func addresses() throws(InputError) -> AddressChoice {
        try refuseBesidesDANE()
        // A profile may have models, which is what the resolvers are asked for.
        return try reach.addresses.choice(
            connection, dns, resolvers: profile.profile == nil ? backends.resolverChoice : .all, dane: dane)
    }

    /// Returns everything to probe. All of it is read before the first target is dialled: bad input sends nothing.
    ///
    /// - Parameter supplied: the chains to judge in place of connections, which name targets too.
    func plan(_ supplied: SuppliedChainOptions? = nil) async throws -> CheckPlan {
        var plan = try await written(supplied?.chain.isEmpty == false ? supplied : nil)
        for index in plan.checks.indices {
            try AnchorOptions.refuse(plan.checks[index].trust, with: plan.checks[index].anchors)
            plan.checks[index] = plan.checks[index].naming(KnownTakers.words)
        }
        return plan
    }

    private func written(_ supplied: SuppliedChainOptions?) async throws -> CheckPlan {
        try refuseBesidesDANE()
        guard let bytes = try await profile.bytes(at: connection.clock.now) else {
            guard let supplied, targets.isEmpty else { return CheckPlan(checks: try checks(of: targets)) }
            return CheckPlan(checks: try checks(of: supplied.targets()))
        }
        if let option = revocation.given.first {
            throw InputError("\(option) and --profile are given", remedy: "leave one of the two out")
        }
        if let option = optionsOfTargets.first {
            throw InputError(
                "\(option) is given and --profile is too", remedy: "write it in the profile, or leave the profile out")
        }
        if targets.isEmpty, let option = reach.given.first(where: { $0 == "--starttls" }) {
            throw InputError(
                "\(option) is given with --profile and without a target",
                remedy: "write the protocol in the profile, as in url: smtp://mail.example.com")
        }
        let subject: ProfileSubject
        if let supplied {
            subject = .chains(supplied, words: targets)
        } else {
            var read: [Target] = []
            for text in targets { read.append(try reach.target(text, connection)) }
            subject = read.isEmpty ? .all : .targets(read)
        }
        let (dial, routes) = (connection.dial, try reach.proxy.routes(connection))
        var plan = try profile.plan(
            of: bytes, for: subject,
            ProfileCompiler.Settings(
                anchors: connection.anchorOption == nil ? nil : try connection.anchors(), dial: { _ in dial },
                timeout: connection.limit, expiresWithin: policy.expiresWithin?.value,
                clientIdentity: try reach.identity(), readIdentity: ClientIdentities.read), dns,
            isFollowing: isFollowing)
        for index in plan.checks.indices { plan.checks[index] = try routes.applied(to: plan.checks[index]) }
        return plan
    }

    /// The options about the checks of targets, which a profile replaces.
    private var optionsOfTargets: [String] {
        policy.given + (dns.model == nil ? [] : ["--model"])
            + (modelHost.isEmpty ? [] : ["--model-host"])
    }

    /// Returns the checks of targets.
    private func checks(of targets: [String]) throws(InputError) -> [Check] {
        guard profile.environment.isEmpty else {
            throw InputError(
                "--environment is given and --profile is not", remedy: "name the profile with --profile FILE")
        }
        guard !targets.isEmpty else {
            throw InputError(
                "no target was given", remedy: "write probe HOST[:PORT] or --profile FILE, or see probe --help")
        }
        guard policy.pinChain == nil || !policy.pin.isEmpty || !policy.expectCertificate.isEmpty else {
            throw InputError(
                "--pin-chain is of no use without --pin or --expect-certificate", remedy: "say what to look for in it")
        }
        let model = try dns.modelCheck(hosts: modelHost, isFollowing: isFollowing, isProving: dane)
        if !isFollowing { try backends.refuseIdleResolvers(for: model) }
        var read: [Target] = []
        for text in targets { read.append(try reach.target(text, connection)) }
        for target in read { try refuseWithoutMail(target) }
        for target in read { try ReachOptions.refuse(policy.serverDateMode, of: target.startTLS) }
        let certificates = try policy.certificates()
        var demands: [[any Policy]] = []
        for target in read { demands.append(try policy.demands(target)) }
        let (anchors, pins, identity) = (try connection.anchors(revocation), policy.pins, try reach.identity())
        let routes = try reach.proxy.routes(connection)
        var checks: [Check] = []
        for (target, demands) in zip(read, demands) {
            let check = Check(
                target: target, anchors: anchors, trust: dane ? .reference : policy.trustMode, pins: pins,
                certificates: certificates,
                minimumTLS: policy.minimumTLS, alpn: policy.protocols, demands: demands,
                serverDate: policy.serverDateMode, expiresWithin: policy.expiresWithin?.value, model: model,
                timeout: connection.limit, clientIdentity: identity)
            checks.append(try routes.applied(to: check))
        }
        return checks
    }
}

extension CheckOptions {
    /// Joins parts that a command has by themselves.
    init(_ app: AppCheckOptions, _ own: ClientFactOptions) {
        self.init()
        self.app = app
        self.own = own
    }
}

/// The checks of one run of a command.
struct CheckPlan {
    /// The targets.
    var checks: [Check]
    /// The allow-lists that no target goes with.
    var models: [ModelCheck] = []

    /// Returns the same plan with other cache lifetimes, if they are given.
    func remembered(models: CacheLifetime?, connections: CacheLifetime? = nil) -> CheckPlan {
        CheckPlan(
            checks: checks.map { $0.remembered(models: models, connections: connections) },
            models: self.models.map { model in models.map(model.remembered) ?? model })
    }
}
