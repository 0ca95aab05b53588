import ProbeKit

extension Profile {
    /// The profile, with a service for each host of its rules if it lists no services: platforms' own files have only
    /// rules. Rules that begin with a wildcard name no host.
    public var withImpliedServices: Profile {
        guard environments.allSatisfy(\.services.isEmpty) else { return self }
        var services: [Service] = []
        for rule in hosts {
            guard let name = try? ServerName(rule.pattern), rule.matches(name) else { continue }
            guard !services.contains(where: { $0.target.name == name }) else { continue }
            services.append(Service(name: name.description, target: Target(name: name)))
        }
        var profile = self
        profile.environments = [ProfileEnvironment(services: services)]
        return profile
    }
}
