import ProbeKit

/// A profile's content beside pins, which no other format has.
enum ScopeLosses {
    static func of(_ profile: Profile, _ export: FormatExport, _ traits: FormatTraits) -> [FormatLoss] {
        var losses: [FormatLoss] = []
        func lose(_ code: String, _ subject: String, _ message: String) {
            losses.append(FormatLoss(code, subject, message))
        }
        if let name = profile.name { lose("name", "the profile", "its name '\(name)' is not written") }
        if let theirs = traits.unlistedHost, profile.unlistedHost != theirs {
            lose(
                "unlisted-host", "the profile",
                "its rule for hosts that it does not list is '\(profile.unlistedHost.rawValue)'; clients of this file "
                    + "apply '\(theirs.rawValue)'")
        }
        var demands = [profile.defaults] + profile.environments.map(\.demands)
        demands += profile.environments.flatMap(\.services).map(\.demands)
        if demands.contains(where: { $0 != ConnectionDemands() }) {
            lose("demands", "the profile", "what it demands of connections beside pins is not written")
        }
        for environment in profile.environments {
            let subject = environment.name.map { "environment \($0)" } ?? "the services"
            switch environment.pinning {
            case .enforce: break
            case .report: lose("environment", subject, "it only reports what does not match; the hosts' rules enforce")
            case .off: lose("environment", subject, "it turns pinning off, and its own pins are left out")
            }
            if environment.services.contains(where: { environment.name != nil || isMore($0, traits) }) {
                let names = environment.services.map(\.name).joined(separator: ", ")
                lose("services", subject, "services are not written, only what they pin: \(names)")
            }
        }
        if !profile.models.isEmpty { lose("models", "the profile", "its allow-lists are not written") }
        if !profile.signers.isEmpty { lose("signers", "the profile", "its signers are not written") }
        return losses
    }

    /// Returns true if a service is more than pins of a host, or of a host and a port if the format has ports: of those
    /// TLSA alone.
    private static func isMore(_ service: Service, _ traits: FormatTraits) -> Bool {
        !traits.hasPorts
            || service
                != Service(
                    name: service.target.description,
                    target: TLSAOwner.target(service.target.name, port: service.target.port),
                    pins: service.pins)
    }
}
