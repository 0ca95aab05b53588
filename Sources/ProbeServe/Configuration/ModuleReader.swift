import ProbeClients
import ProbeKit
import ProbeProfiles
import ProbeRun
import ProbeTrust
import ProbeYAML

/// Reads the modules of a configuration.
struct ModuleReader {
    /// The folder from which relative paths start.
    let folder: String
    /// The policies that profiles can name.
    let policies: [String: any Policy]
    /// Reads client certificates; nil if this build reads none.
    let readIdentity: ServeConfiguration.IdentityReading?
    /// Returns the machine's DNS servers.
    let systemServers: () -> [Endpoint]

    /// The probers of blackbox_exporter that have neither certificates nor TXT records to look at.
    private static let others = ["icmp", "grpc", "unix", "websocket"]

    /// Returns a module. A key that asks for what is not done here is refused.
    func module(_ name: String, _ node: YAMLNode) throws(InputError) -> ServeModule {
        let kinds = ["http", "tcp", "dns", "profile"]
        let fields = try node.fields("module", ["prober", "timeout", "fleet"] + kinds + Self.others)
        let prober = try fields.required("prober")
        let kind = try prober.text()
        guard kinds.contains(kind) else {
            let reason =
                Self.others.contains(kind) ? "has no certificate or TXT record that is judged here" : "is unknown"
            throw prober.refuse("is '\(kind)', which \(reason)", remedy: "choose \(kinds.joined(separator: ", "))")
        }
        for other in kinds + Self.others where other != kind {
            if let section = fields[other] {
                throw section.refuse("is of another prober than '\(kind)'", remedy: "write its keys under \(kind)")
            }
        }
        let section = fields[kind]
        let timeout = try fields.optional("timeout") { node throws(InputError) in
            try node.parsed { text throws(InputError) in try GoDuration.parse(text) }
        }
        let fleet = try fields.optional("fleet") { node throws(InputError) in try self.fleet(node, of: kind) }
        func made(_ section: ModuleSection?, _ prober: ServeModule.Prober) throws(InputError) -> ServeModule {
            ServeModule(
                name: name, timeout: timeout, addresses: try section?.addresses() ?? AddressPreference(),
                prober: prober, fleet: fleet)
        }
        switch kind {
        case "http":
            let section = try section.map { node throws(InputError) in try ModuleSection.http(node) }
            return try made(
                section, .tls(try TLSModuleReader(folder: folder, readIdentity: readIdentity).http(section)))
        case "tcp":
            guard let section else {
                throw node.refuse("has no 'tcp' with 'tls: true'", remedy: ModuleSection.plainRemedy)
            }
            let tcp = try ModuleSection.tcp(section)
            return try made(tcp, .tls(try TLSModuleReader(folder: folder, readIdentity: readIdentity).tcp(tcp)))
        case "dns":
            guard let section else { throw node.refuse("lacks 'dns'", remedy: "add it, with query_name") }
            let dns = try ModuleSection.dns(section)
            return try made(dns, .dns(try self.dns(dns)))
        default:
            guard let section else { throw node.refuse("lacks 'profile'", remedy: "add it, with the profile's file") }
            let profile = try ModuleSection.profile(section)
            return try made(profile, .profile(try self.profile(profile, section)))
        }
    }

    private func fleet(_ node: YAMLNode, of kind: String) throws(InputError) -> ServedFleet {
        guard kind != "dns" else {
            throw node.refuse(
                "is given for a dns module, which no client connects for", remedy: "give it to the module of the server"
            )
        }
        let file = try node.text()
        do throws(InputError) {
            let fleet = try FleetFile.read(ModulePath.resolve(file, in: folder), try ClientCatalogue.shipped())
            // Verdicts are by the roots of this reading, until the next one.
            return ServedFleet(file: file, fleet: fleet.readingRoots())
        } catch {
            throw node.refuse("can't be used: \(error.message)", remedy: error.remedy)
        }
    }

    // MARK: DNS

    /// The codes with a name that a header has room for.
    private static let codes = (UInt16(0)...10).map(DNSAttempt.ResponseCode.init(rawValue:))

    private func dns(_ section: ModuleSection) throws(InputError) -> DNSModule {
        try section.only("query_class", "IN", "only the internet's class is asked for")
        try section.only("transport_protocol", "udp", "queries go over UDP, and over TCP where an answer is truncated")
        try section.only("recursion_desired", "true", "every query asks for recursion")
        try section.only(
            "dns_over_tls", "false", "queries go over UDP and TCP; a profile's models can be asked over HTTPS")
        let codes = try section.fields.optional("valid_rcodes") { node throws(InputError) in
            try node.list { code throws(InputError) in
                let text = try code.text()
                guard let known = Self.codes.first(where: { $0.mnemonic == text }) else {
                    let names = Self.codes.map(\.mnemonic).joined(separator: ", ")
                    throw code.refuse("is '\(text)'", remedy: "choose \(names)")
                }
                return known
            }
        }
        try section.only("query_type", "TXT", "only TXT records are judged here", isNeeded: true)
        return DNSModule(
            name: try section.fields.required("query_name").parsed { text throws(InputError) in try DNSName(text) },
            validCodes: codes.flatMap { $0.isEmpty ? nil : $0 } ?? [.noError])
    }

    // MARK: Profiles

    private func profile(_ section: ModuleSection, _ node: YAMLNode) throws(InputError) -> ProfileModule {
        let file = try section.fields.required("file").text()
        let environments =
            try section.fields.optional("environment") { node throws(InputError) in
                try node.list { name throws(InputError) in try name.text() }
            } ?? []
        let path = ModulePath.resolve(file, in: folder)
        do throws(InputError) {
            let (format, imported) = try ProfileFile.read(path, format: nil)
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            let settings = ProfileCompiler.Settings(
                environments: environments, format: format, policies: policies, readIdentity: readIdentity)
            let checks = try ProfileCompiler(imported.profile, folder: folder, settings: settings).checks()
            return ProfileModule(
                file: file, profile: imported.profile, format: format, environments: environments,
                compiler: Self.hostCompiler(imported.profile, folder, settings),
                services: checks.services,
                models: checks.models.map { model in
                    model.servers.isEmpty && model.httpsServers.isEmpty && model.tlsServers.isEmpty
                        ? model.asking(systemServers()) : model
                }, warnings: imported.notes.filter { $0.severity == .warning }.map(\.message))
        } catch {
            throw node.refuse("can't be used: \(error.message)", remedy: error.remedy)
        }
    }

    /// Returns what compiles the checks of targets that host rules cover, with the files read that they need. A probe must
    /// not wait for a file, whose mount may hang, and judges by what was read with the configuration.
    private static func hostCompiler(
        _ profile: Profile, _ folder: String, _ settings: ProfileCompiler.Settings
    ) -> ProfileCompiler {
        // The files are those of the defaults, whatever the host.
        let defaults = Profile(unlistedHost: .system, defaults: profile.defaults, digests: profile.digests)
        var settings = settings
        // One that can't be read is named by the probe that needs it.
        if let host = try? ServerName("host.invalid"),
            let check = try? ProfileCompiler(defaults, folder: folder, settings: settings).check(of: Target(name: host))
        {
            settings.anchors = check.anchors
            settings.clientIdentity = check.clientIdentity
        }
        return ProfileCompiler(profile, folder: folder, settings: settings)
    }
}

/// Paths in a configuration, which start at its folder.
enum ModulePath {
    static func resolve(_ path: String, in folder: String) -> String {
        // A name alone is of a file, not of standard input.
        path.hasPrefix("/") ? path : "\(folder.isEmpty ? "." : folder)/\(path)"
    }
}

/// Durations as Go writes them: `1m30s`, `500ms`, `0.5s`.
enum GoDuration {
    private static let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]
    /// The longest one: no scraper waits longer.
    private static let limit: Duration = .seconds(3600)

    static func parse(_ text: String) throws(InputError) -> Duration {
        let parts = text.matches(of: #/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/#)
        let seconds = parts.reduce(0) { $0 + (Double($1.1) ?? 0) * (units[$1.2] ?? 0) }
        let duration = Duration.seconds(min(seconds, 1e9))
        guard !parts.isEmpty, parts.map({ $0.0.count }).reduce(0, +) == text.count, duration > .zero, duration <= limit
        else {
            throw InputError("'\(text)' is not a duration up to an hour", remedy: "write one like 5s or 500ms")
        }
        return duration
    }
}
