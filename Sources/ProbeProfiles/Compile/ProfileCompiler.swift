public import ProbeKit
import ProbePins
import ProbePlatform
public import ProbeRun
import ProbeTrust

/// Turns a profile into checks: reads its files, finds the pins of each service, and resolves the requirements of wider
/// scopes.
public struct ProfileCompiler: Sendable {
    /// A caller's settings for all services, from the command line or elsewhere.
    public struct Settings: Sendable {
        /// The anchors to use instead of the profile's.
        public var anchors: TrustAnchors?
        /// The endpoint to dial for a target, whatever the profile contains; nil dials the target's own.
        public var dial: @Sendable (Target) -> Endpoint?
        /// The time limit of one service.
        public var timeout: Duration
        /// The settings for querying allow-lists, over the profile's.
        public var models: ModelSettings
        /// True if a signature covers the profile, which then has to contain the digest of every file that it uses.
        public var isSigned: Bool
        /// The time left to a certificate at which a check fails, instead of the profile's.
        public var expiresWithin: Duration?
        /// The environments to check; empty is all of them.
        public var environments: [String]
        /// The format of the file, whose words advice is given in.
        public var format: ProfileFormat
        /// The policies that a profile can name.
        public var policies: [String: any Policy]
        /// The identity to show instead of the profile's.
        public var clientIdentity: ClientIdentity?
        /// Reads the files of the profile's identities; nil refuses profiles that have some.
        public var readIdentity: (@Sendable (IdentityFiles) throws(InputError) -> ClientIdentity)?

        /// Creates settings.
        public init(
            anchors: TrustAnchors? = nil, dial: @escaping @Sendable (Target) -> Endpoint? = { _ in nil },
            timeout: Duration = .seconds(10),
            dnsServers: [Endpoint] = [], models: ModelSettings? = nil, isSigned: Bool = false,
            expiresWithin: Duration? = nil, environments: [String] = [], format: ProfileFormat = .nativeYAML,
            policies: [String: any Policy] = NamedPolicies.all, clientIdentity: ClientIdentity? = nil,
            readIdentity: (@Sendable (IdentityFiles) throws(InputError) -> ClientIdentity)? = nil
        ) {
            self.anchors = anchors
            self.dial = dial
            self.timeout = timeout
            self.models = models ?? ModelSettings(servers: dnsServers)
            self.isSigned = isSigned
            self.expiresWithin = expiresWithin
            self.environments = environments
            self.format = format
            self.policies = policies
            self.clientIdentity = clientIdentity
            self.readIdentity = readIdentity
        }
    }

    /// The maximum number of pins of one profile's checks in all; every service has those of its hosts.
    static let maximumPins = 1_000_000

    private let profile: Profile
    private let files: ProfileFiles
    private let settings: Settings

    /// Creates a compiler.
    ///
    /// - Parameter folder: the base of the profile's relative paths.
    public init(_ profile: Profile, folder: String, settings: Settings = Settings()) {
        self.profile = profile
        self.settings = settings
        files = ProfileFiles(folder: folder, digests: profile.digests, isSigned: settings.isSigned)
    }

    /// Returns the checks of everything in the profile.
    ///
    /// - Throws: ``InputError`` if a file, a policy or an environment is not there.
    public func checks() throws(InputError) -> ProfileChecks {
        var services: [Check] = []
        var pins = 0
        for environment in try environments() {
            for service in environment.services {
                guard let check = try check(service, in: environment) else { continue }
                pins += check.pins.reduce(0) { $0 + $1.pins.count }
                guard pins <= Self.maximumPins else {
                    throw InputError(
                        "the profile's services have more than \(Self.maximumPins) pins in all",
                        remedy: "give each service or host the pins that it needs, or split the profile",
                        source: .file)
                }
                services.append(check)
            }
        }
        var models: [ModelCheck] = []
        for rule in profile.models { models.append(try ModelRuleCompiler(files: files, settings).check(rule)) }
        return ProfileChecks(services: services, models: models)
    }

    /// Returns the check of a target that is not a service of the profile, from the host rules.
    public func check(of target: Target) throws(InputError) -> Check? {
        try check(Service(name: target.description, target: target), in: ProfileEnvironment(), isNamed: false)
    }

    private func environments() throws(InputError) -> [ProfileEnvironment] {
        guard !settings.environments.isEmpty else { return profile.environments }
        let known = profile.environments.compactMap(\.name)
        for name in settings.environments where !known.contains(name) {
            throw InputError(
                "the profile has no environment '\(name)'",
                remedy: known.isEmpty ? "it has none at all" : "choose \(known.joined(separator: ", "))")
        }
        return profile.environments.filter { $0.name.map(settings.environments.contains) ?? false }
    }

    private func check(
        _ service: Service, in environment: ProfileEnvironment, isNamed: Bool = true
    ) throws(InputError) -> Check? {
        let label = environment.label(of: service)
        let demands = service.demands.within(environment.demands).within(profile.defaults)
        var policies: [any Policy] = []
        var named: Set<String> = []
        for name in demands.policies ?? [] where named.insert(name).inserted { policies.append(try policy(name)) }
        if service.emulation?.readsNamesExactly == true { policies.append(EmulatedName(service.target.name)) }
        var groups: [PinGroup] = []
        if environment.pinning == .off {
            policies.append(Announced(Self.pinningOff(label)))
        } else if let sets = ServicePins.sets(of: service, in: environment, of: profile) {
            groups = sets.map { $0.group(isEnforced: environment.pinning == .enforce) }
            policies += ServicePins.clients(of: service, in: environment, of: profile).flatMap {
                $0.policies(isEnforced: environment.pinning == .enforce, trust: demands.trust ?? .both)
            }
            if sets.isEmpty { policies.append(Announced(Self.exempt(service))) }
            if service.pins.isEmpty, service.sharesWith == nil,
                profile.hosts.dependOnUnknownSuffixes(for: service.target.name)
            {
                policies.append(Announced(.suffixesUnchecked(for: service.target.name)))
            }
            if !ServicePins.passedOver(service, in: environment, of: profile).isEmpty {
                policies.append(Announced(Self.passedOver(service)))
            }
        } else if service.certificates.isEmpty {
            guard profile.unlistedHost != .skip else { return nil }
            policies.append(Announced(unlisted(service, label: label)))
        }
        let check = Check(
            target: dialled(service.target), service: isNamed ? label : nil,
            alternates: service.alternates.map(dialled),
            anchors: try anchors(demands.anchors ?? .system), trust: demands.trust ?? .both,
            pins: groups, certificates: try certificates(service), minimumTLS: demands.minimumTLS ?? .tls12,
            alpn: demands.alpn ?? [], demands: policies,
            serverDate: demands.serverDate ?? .whenItDecides,
            expiresWithin: settings.expiresWithin ?? demands.expiresWithin, timeout: settings.timeout,
            clientIdentity: try identity(demands.clientIdentity))
        return check.withPlatformPins(
            ServicePins.ofPlatforms(service, in: environment, of: profile).mapValues { sets in
                sets.map { $0.group(isEnforced: environment.pinning == .enforce) }.filter(groups.contains)
            }
        ).wording(FormatAdvice.words(in: settings.format))
    }

    private func identity(_ files: IdentityFiles?) throws(InputError) -> ClientIdentity? {
        if let given = settings.clientIdentity { return given }
        guard let files else { return nil }
        guard let read = settings.readIdentity else {
            throw InputError(
                "the profile has a client certificate, and this build reads none",
                remedy: "take it out, or use one that does",
                source: .file)
        }
        return try read(self.files.located(files))
    }

    private func dialled(_ target: Target) -> Target { target.dialled(at: settings.dial(target)) }

    /// Returns the certificates of all the service's files, which are alternatives.
    private func certificates(_ service: Service) throws(InputError) -> [CertificateExpectation] {
        guard !service.certificates.isEmpty else { return [] }
        var certificates: [[UInt8]] = []
        for path in service.certificates {
            certificates += try files.certificates(path)
        }
        return [
            CertificateExpectation(
                name: service.certificates.joined(separator: ", "), certificates: certificates)
        ]
    }

    private func anchors(_ anchors: ConnectionDemands.Anchors) throws(InputError) -> TrustAnchors {
        if let given = settings.anchors { return given }
        switch anchors {
        case .system: return try .system()
        case .files(let paths):
            var certificates: [[UInt8]] = []
            for path in paths { certificates += try files.certificates(path) }
            return TrustAnchors(name: paths.joined(separator: ", "), certificates: certificates)
        }
    }

    private func policy(_ name: String) throws(InputError) -> any Policy {
        guard let policy = settings.policies[name] else {
            let known = settings.policies.keys.sorted()
            let hint = NearestWord.hint(for: name, among: known)
            throw InputError(
                "the profile asks for the policy '\(name)', which this build has not",
                remedy: hint + "it has \(known.joined(separator: ", "))", source: .file)
        }
        return policy
    }

    private static func pinningOff(_ label: String) -> Finding {
        .warning(
            "pinning-off", stage: .pins, "the profile turns pinning off for \(label): the system's trust alone decides",
            fix: "set pinning: enforce in what ships")
    }

    private static func exempt(_ service: Service) -> Finding {
        .warning(
            "host-exempt", stage: .pins,
            "a host rule takes all pins away from \(service.target.name): trust alone decides",
            fix: "if it is to be pinned as wider rules say, take the rule out")
    }

    private static func passedOver(_ service: Service) -> Finding {
        let words = HostRulesWords(service)
        return .warning("host-rules-not-applied", stage: .pins, words.message, fix: Fix(words.fix))
    }

    private func unlisted(_ service: Service, label: String) -> Finding {
        let host = service.target.name
        let advice = FormatAdvice.addHost(host).text(in: settings.format)
        guard profile.unlistedHost == .system else {
            return .error(
                .pinMismatch, code: "host-not-listed", stage: .pins, "the profile has no pins for \(host)",
                fix: settings.format.isNative
                    ? "\(advice), or set unlistedHost: system if its clients do not pin it"
                    : "\(advice), if clients pin it")
        }
        let message = UnlistedHostWords.consequence(host, in: profile.hosts)
        // A profile sets it deliberately; a platform's file has no other value.
        return settings.format.isNative
            ? .note("host-not-listed", stage: .pins, message)
            : .warning("host-not-listed", stage: .pins, message, fix: "\(advice), if its clients should pin it")
    }
}

/// All checks of a profile, ready to be run.
public struct ProfileChecks: Sendable {
    /// A check for each service, in the order of the profile.
    public let services: [Check]
    /// The allow-lists.
    public let models: [ModelCheck]

    /// Creates checks.
    public init(services: [Check], models: [ModelCheck]) {
        self.services = services
        self.models = models
    }
}
