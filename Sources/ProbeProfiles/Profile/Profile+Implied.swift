import ProbeKit

extension Profile {
    /// The profile, with a service for each host of its rules where it lists no services: what platforms' own files have
    /// are rules alone. Rules that begin with a wildcard name no host.
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
