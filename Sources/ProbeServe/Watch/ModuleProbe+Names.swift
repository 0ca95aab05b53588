import ProbeClients
import ProbeKit
import ProbeRun

/// The names by which the verdicts of a question are kept.
extension ModuleProbe {
    /// Returns the names of all verdicts that a question asks for: of each service through each stack, and of each client of
    /// the module's fleet. A question that can't be read has none.
    func verdictNames(_ question: Question, of module: ServeModule) -> Set<String> {
        let text = question.target ?? ""
        switch module.prober {
        case .tls(let tls):
            guard let target = try? tls.target(text) else { return [] }
            return Set(names(of: tls.check(target, hostname: nil, timeout: question.timeout), module))
        case .dns(let dns):
            guard let server = try? DNSModule.server(text) else { return [] }
            return Set(names(of: dns.check(server), as: nil))
        case .profile(let profile):
            guard let checks = try? profile.checks(of: question.target) else { return [] }
            let lists = zip(checks.models, checks.models.listNames).flatMap { names(of: $0, as: $1) }
            return Set(checks.services.flatMap { names(of: $0, module) } + lists)
        }
    }

    private func names(of check: Check, _ module: ServeModule) -> [String] {
        let clients = module.fleet?.fleet.members.map(\.client.name) ?? []
        let names = clients.map { WatchedState.FleetVerdict.name($0, of: check.service) }
        guard let asked = try? backends.check(check) else { return names }
        let isAlone = asked.check.model == nil || asked.resolvers.isEmpty
        let resolvers: [String?] = isAlone ? [nil] : asked.resolvers.map { Optional($0.name) }
        return names
            + asked.transports.flatMap { transport in
                resolvers.map { WatchedState.Stack.name(transport.name, $0, of: check.service) }
            }
    }

    private func names(of list: ModelCheck, as service: String?) -> [String] {
        let resolvers = (try? backends.model(list))?.resolvers ?? []
        return resolvers.map { WatchedState.Stack.name(nil, $0.name, of: service) }
    }
}
