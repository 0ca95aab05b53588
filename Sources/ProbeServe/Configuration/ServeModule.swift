import ProbeClients
import ProbeKit
import ProbePins
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

/// A TLS handshake, and what is asked of its certificates.
struct TLSModule: Sendable {
    /// True if the target is a URL, whose server may choose HTTP/2.
    let isHTTP: Bool
    let anchors: TrustAnchors
    /// The file that they are from; nil for the system's, or those of the configuration itself.
    let anchorFile: String?
    /// The name that certificates have to have, and that is sent; nil is the target's.
    let serverName: ServerName?
    let minimumTLS: TLSVersion
    let alpn: [String]
    /// The protocol that starts TLS; nil speaks it from the first byte.
    var startTLS: StartTLS?
    /// The identity for servers that ask for one.
    var clientIdentity: ClientIdentity?
    /// Its files, as the configuration names them.
    var identityFiles: IdentityFiles?

    /// Returns the target of a text: a URL without its path for HTTP, where `https://` may be missing; else a name and a
    /// port.
    func target(_ text: String) throws(InputError) -> Target {
        if isHTTP {
            let target = try Target(text)
            guard target.startTLS == nil else {
                throw InputError(
                    "'\(text)' is not an https:// URL", remedy: "ask a profile about its STARTTLS services")
            }
            return target
        }
        let endpoint = try Endpoint(text)
        return Target(name: endpoint.host, port: endpoint.port, startTLS: startTLS)
    }

    /// Returns the check of a target.
    ///
    /// - Parameter hostname: the scraper's name for it, which counts where the configuration has none.
    func check(_ target: Target, hostname: ServerName?, timeout: Duration) -> Check {
        Check(
            target: Target(
                name: serverName ?? hostname ?? target.name, port: target.port, connect: target.endpoint,
                startTLS: target.startTLS), anchors: anchors, minimumTLS: minimumTLS, alpn: alpn, timeout: timeout,
            clientIdentity: clientIdentity)
    }

    fileprivate var values: [(String, String)] {
        var values =
            isHTTP
            ? [("enable_http2", "\(alpn.contains("h2"))")]
            : [startTLS.map { ("starttls", $0.rawValue) } ?? ("tls", "true")]
        var tls = [
            "insecure_skip_verify: false", "min_version: \(minimumTLS.rawValue.filter { $0 != " " && $0 != "." })",
        ]
        if let anchorFile {
            tls.append("ca_file: \(JSONText.line(anchorFile))")
        } else if !anchors.isSystem {
            tls.append("ca: \(JSONText.line("sha256:\(anchors.storeDigest.hex)"))")
        }
        if let identityFiles {
            tls.append("cert_file: \(JSONText.line(identityFiles.certificate))")
            if let key = identityFiles.key { tls.append("key_file: \(JSONText.line(key))") }
        }
        if let serverName { tls.append("server_name: \(JSONText.line(serverName.description))") }
        values.append(("tls_config", "{\(tls.joined(separator: ", "))}"))
        return values
    }
}

/// A DNS query for TXT records, which the target is to answer.
struct DNSModule: Sendable {
    /// The standard port of a server.
    private static let port: UInt16 = 53

    let name: DNSName
    /// The response codes that are a success.
    let validCodes: [DNSAttempt.ResponseCode]

    /// Returns the server that a target is.
    static func server(_ text: String) throws(InputError) -> Endpoint { try Endpoint(text, defaultPort: port) }

    /// Returns the check of a server.
    func check(_ server: Endpoint) -> ModelCheck {
        // As blackbox_exporter asks: without an OPT record.
        ModelCheck(model: nil, hosts: [name], servers: [server], ednsSize: nil)
    }

    fileprivate var values: [(String, String)] {
        [
            ("query_name", JSONText.line(name.description)), ("query_type", "TXT"),
            ("valid_rcodes", "[\(validCodes.map(\.mnemonic).joined(separator: ", "))]"),
        ]
    }
}

/// The demands of a profile on its services, or on a host by its rules.
struct ProfileModule: Sendable {
    let file: String
    let profile: Profile
    let format: ProfileFormat
    let environments: [String]
    let compiler: ProfileCompiler
    let services: [Check]
    let models: [ModelCheck]
    /// The parts of the file that are not read, or work otherwise than they look.
    let warnings: [String]

    /// True if it has services or models; a platform's file has host rules alone.
    var hasOwnTargets: Bool { !services.isEmpty || !models.isEmpty }

    /// Returns the checks of a target: of the service with that label, of the services on it, else by the host rules; and
    /// the list of models of that name.
    ///
    /// - Parameter text: the target; nil is everything in the profile.
    func checks(of text: String?) throws(InputError) -> (services: [Check], models: [ModelCheck]) {
        guard let text else {
            guard hasOwnTargets else {
                throw InputError(
                    "\(file) lists nothing to check", remedy: "give it services or models, or name a target",
                    source: .file)
            }
            return (services, models)
        }
        let lists = models.filter { $0.subject == text.lowercased() }
        guard lists.isEmpty else { return ([], lists) }
        let labelled = services.filter { $0.service == text }
        guard labelled.isEmpty else { return (labelled, []) }
        let target = try Target(text)
        let own = services.services(on: target)
        guard own.isEmpty else { return (own, []) }
        guard let check = try compiler.check(of: target) else {
            throw InputError(
                "\(file) has no pins for \(target)", remedy: "add a service or a host rule to it", source: .file)
        }
        return ([check], [])
    }

    /// Returns the failures after changes of the servers' certificates, for the clients of these services.
    ///
    /// - Parameter chains: the chain of each service that proved one, by its label; the others are judged by a supposed one.
    func forecast(
        _ services: [Check], chains: [String: ConnectionEvidence], at instant: Date
    ) async -> [ForecastRow] {
        let named = services.compactMap { check in check.service.map { ($0, check) } }
        let compared = Dictionary(named.filter { !$0.1.certificates.isEmpty }) { first, _ in first }
            .mapValues { $0.certificates.flatMap(\.certificates).map { SuppliedChain.certificate($0) } }
        let labels = Set(named.map(\.0))
        let served = await ServedEvidence(chains)
        let forecast = ProfileForecast(
            profile, chains: served.chains, compared: compared, format: format, refusals: served.reasons)
        // A supposed chain is not served.
        return forecast.rows(at: instant).filter { row in
            labels.contains(row.service) && (row.event != .asServed || chains[row.service] != nil)
        }
    }

    fileprivate var values: [(String, String)] {
        [("file", JSONText.line(file))]
            + (environments.isEmpty
                ? [] : [("environment", "[\(environments.map(JSONText.line).joined(separator: ", "))]")])
    }
}
