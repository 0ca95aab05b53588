import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeRun
import ProbeTrust

/// One module of the configuration: what to find out about a target that a scraper names.
struct ServeModule: Sendable {
    /// The question.
    enum Prober: Sendable {
        case tls(TLSModule)
        case dns(DNSModule)
        case profile(ProfileModule)

        /// True if it has a target where a question names none.
        var hasOwnTargets: Bool { if case .profile(let module) = self { module.hasOwnTargets } else { false } }

        /// True if a question may name the host that the certificate has to be for.
        var takesHostname: Bool { if case .tls = self { true } else { false } }

        /// The DNS servers that its models are looked up at, over UDP and TCP.
        var modelServers: [Endpoint] {
            if case .profile(let module) = self { module.models.flatMap(\.servers) } else { [] }
        }

        /// Returns the names that a probe of a target looks up, each of which has to be allowed.
        ///
        /// - Parameter target: the target; nil is everything in a profile.
        /// - Throws: ``InputError`` if no probe can be made of it.
        func names(of target: String?) throws(InputError) -> [ServerName] {
            switch self {
            case .tls(let module): [try module.target(target ?? "").name]
            case .dns: [try DNSModule.server(target ?? "").host]
            case .profile(let module):
                // Whoever wrote the profile chose the addresses that it names.
                try module.checks(of: target).services.flatMap { [$0.target] + $0.alternates }
                    .filter { $0.connect == nil }.map(\.name)
            }
        }
    }

    let name: String
    /// The limit of one probe; nil leaves it to the scraper.
    let timeout: Duration?
    let addresses: AddressPreference
    let prober: Prober
    /// The clients that judge a target beside the stacks; nil for none.
    var fleet: ServedFleet?

    /// The name as YAML has it, whatever is in it.
    var quotedName: String { JSONText.line(name) }

    /// The warnings about its profile's file, each with the module and the file.
    var warnings: [String] {
        guard case .profile(let module) = prober else { return [] }
        return module.warnings.map { "module \(quotedName): \(module.file): \($0)" }
    }

    /// Returns the module's keys and values as YAML.
    func text(indent: Int) -> String {
        let space = String(repeating: " ", count: indent)
        let (kind, section, values) = description
        var lines = ["prober: \(kind)"]
        if let timeout { lines.append("timeout: \(timeout.inSeconds)s") }
        if let fleet { lines.append("fleet: \(JSONText.line(fleet.file))") }
        lines.append("\(section):")
        for (key, value) in values { lines.append("  \(key): \(value)") }
        return lines.map { "\(space)\($0)\n" }.joined()
    }

    private var description: (kind: String, section: String, values: [(String, String)]) {
        let dialled = [
            ("preferred_ip_protocol", addresses.version.rawValue), ("ip_protocol_fallback", "\(addresses.isOptional)"),
        ]
        switch prober {
        case .tls(let module):
            let kind = module.isHTTP ? "http" : "tcp"
            return (kind, kind, dialled + module.values)
        case .dns(let module): return ("dns", "dns", dialled + module.values)
        case .profile(let module): return ("profile", "profile", dialled + module.values)
        }
    }
}

/// The clients of a service's users.
struct ServedFleet: Sendable {
    /// Its file, as the configuration names it.
    let file: String
    let fleet: Fleet
}
