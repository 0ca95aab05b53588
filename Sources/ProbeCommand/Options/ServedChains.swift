import ArgumentParser
import ProbeKit
import ProbeProfiles
import ProbeRun
import ProbeTrust

/// The files of `--chain` among the services of a profile, for lint and forecast.
struct ServedChains {
    /// The profile, with a service added for each host that a file is for and that no service names; the host rules
    /// decide its pins.
    private(set) var profile: Profile
    /// The certificates of a service, by its label.
    private(set) var chains: [String: [[UInt8]]] = [:]
    /// The file they come from, likewise.
    private(set) var files: [String: String] = [:]
    /// The rank of that file for the service, likewise: the most plainly named one counts.
    private var ranks: [String: Int] = [:]

    /// Assigns each file to the services or the host that it is for.
    init(_ arguments: [String], in profile: Profile) throws(InputError) {
        self.profile = profile
        let takers = profile.environments.flatMap { environment in
            environment.services.map { ChainTaker(label: environment.label(of: $0), target: $0.target) }
        }
        let known = takers.compactMap(\.label)
        for text in arguments {
            let argument = try ChainArgument(text, labels: known)
            let certificates = try argument.certificates()
            switch try argument.aim(among: takers, rules: profile.hosts) {
            case .takers(let indices):
                for index in indices { try take(certificates, argument, for: takers[index]) }
            case .host(let target):
                try take(certificates, argument, for: ChainTaker(label: add(target), target: target))
            case nil: throw try argument.unclear()
            }
        }
    }

    /// Takes a file for a service, unless another one is for it more plainly.
    ///
    /// - Throws: ``InputError`` if another one is for it as plainly.
    private mutating func take(
        _ certificates: [[UInt8]], _ argument: ChainArgument, for taker: ChainTaker
    ) throws(InputError) {
        guard let label = taker.label else { return }
        let rank = argument.rank(for: taker)
        if let other = ranks[label] {
            guard other != rank else { throw argument.double(for: taker) }
            guard other < rank else { return }
        }
        chains[label] = certificates
        files[label] = argument.path
        ranks[label] = rank
    }

    /// - Returns: the new service's label.
    private mutating func add(_ target: Target) -> String {
        // Another port of a host may have another file.
        let name = target.port == 443 ? target.name.description : target.description
        let service = Service(name: name, target: target)
        if let index = profile.environments.firstIndex(where: { $0.name == nil }) {
            if !profile.environments[index].services.contains(where: { $0.name == service.name }) {
                profile.environments[index].services.append(service)
            }
        } else {
            profile.environments.append(ProfileEnvironment(services: [service]))
        }
        return service.name
    }
}

/// The ordinary verdicts on the chains of `--chain`, beside the findings of a lint or a forecast.
struct ServedVerdicts {
    private var outcomes: [Outcome] = []

    /// Judges each service's chain as `probe check --chain` would, and reports failures on standard error.
    init(_ served: ServedChains, checks: [Check], clock: ProbeClock) async throws {
        guard !served.chains.isEmpty else { return }
        let transports = try Backends.current.transports(named: .all)
        // Nothing is asked, so no server can be blamed for our lateness.
        let prober = Prober(clock: clock, reference: .withSystemSuffixes())
        for check in checks {
            guard let label = check.service, let chain = served.chains[label] else { continue }
            let verdicts = await prober.probe(check, supplied: chain, through: transports).map(\.verdict)
            let outcome = Outcome.deciding(among: verdicts.map(\.outcome))
            outcomes.append(outcome)
            guard !outcome.isPass,
                let finding = verdicts.lazy.compactMap(\.decidingFinding).first(where: { $0.outcome == outcome })
            else { continue }
            Terminal.printError(
                "probe: \(PrintableText.escape(label)) with \(PrintableText.escape(served.files[label] ?? "its chain")): \(outcome.rawValue): \(finding.message)"
            )
        }
    }

    /// The most severe verdict.
    var outcome: Outcome { Outcome.deciding(among: outcomes) }

    /// - Throws: the exit code of the most severe verdict, unless all pass.
    func end() throws {
        let outcome = outcome
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
    }
}
