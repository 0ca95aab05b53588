import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeRun

/// A profile, and the sources of its services' chains.
struct ServedOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A profile, or pins in any format of 'probe profile convert'.", valueName: "file"),
        completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Its format; its content decides when not given.", valueName: "format"))
    var from: Given<ProfileFormat>?

    @Option(
        help: ArgumentHelp(
            "Take this PEM or DER file, the leaf first, for what a host or service serves, and end with its verdict's exit code; repeat it.",
            discussion: """
                HOST may be below a host of the file; what its platform's rules say of it holds. A file alone goes to the hosts \
                of the profile that its leaf names, else to the one host that it names and a rule reaches, else to the only host.
                """, valueName: "[host=]file"), completion: .file())
    var chain: [String] = []

    @Flag(help: "Ask the servers what they serve, and DNS for the allow-lists.")
    var live = false

    @Option(help: ArgumentHelp("Look only at this environment of the profile; repeat it.", valueName: "name"))
    var environment: [String] = []

    @Option(
        help: ArgumentHelp("The TLS backend that asks; the first of the build when not given.", valueName: "name"),
        completion: .transport)
    var backend: String?

    @OptionGroup var place: DialOptions
    @OptionGroup var store: SingleStoreOptions
    @OptionGroup var moment: InstantOption
    @OptionGroup(visibility: .hidden) var revocation: RevocationOptions
    @OptionGroup var format: FormatOptions

    var connection: ConnectionOptions { ConnectionOptions(place, store.anchors, moment) }

    /// A profile that was read.
    struct Read {
        /// The profile, with services for the hosts of its rules if it lists none, and for those of `--chain`.
        let profile: Profile
        let format: ProfileFormat
        /// The notes of the format's reader.
        let notes: [FormatNote]
        let served: ServedChains
    }

    func profile() throws(InputError) -> Read {
        guard !live || chain.isEmpty else {
            throw InputError("--live and --chain are given", remedy: "take the chains from one of the two")
        }
        for (option, isGiven) in [
            ("--connect", connection.connect != nil), ("--backend", backend != nil),
            ("--timeout", connection.timeout != nil),
        ] {
            try Self.refuse(option, where: isGiven && !live)
        }
        guard connection.socket == nil else {
            throw InputError(
                "--connect unix: is not for this command", remedy: "give --connect ADDR:PORT, or probe it with check")
        }
        try revocation.refuse()
        if let option = connection.anchorOption, !live, chain.isEmpty {
            throw InputError(
                "\(option) is of no use without --live or --chain", remedy: "leave it out, or give one of them too")
        }
        let source = from?.value
        let (read, imported) = try ProfileFile.read(file, format: source, context: try format.context(file))
        try format.refuseIdle(for: [read])
        var profile = imported.profile.withImpliedServices
        for name in environment where !profile.environments.contains(where: { $0.name == name }) {
            let known = profile.environments.compactMap(\.name).joined(separator: ", ")
            throw InputError(
                "the profile has no environment '\(name)'",
                remedy: known.isEmpty ? "it has none at all" : "choose \(known)")
        }
        if !environment.isEmpty {
            profile.environments.removeAll { !environment.contains($0.name ?? "") }
        }
        let served = try ServedChains(chain, in: profile)
        return Read(profile: served.profile, format: read, notes: imported.notes, served: served)
    }

    /// Rejects an option that suggests that servers are asked.
    static func refuse(_ option: String, where isIdle: Bool) throws(InputError) {
        guard isIdle else { return }
        throw InputError("\(option) is of no use without --live", remedy: "leave it out, or give --live too")
    }

    /// The folder that the profile's relative paths start at.
    var folder: String { file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "" }

    /// Returns the profile's checks, for their anchors and targets.
    ///
    /// - Parameter models: the settings for the questions about allow-lists.
    func checks(_ read: Read, models: ModelSettings = ModelSettings()) throws(InputError) -> ProfileChecks {
        let dial = connection.dial
        return try ProfileCompiler(
            read.profile, folder: folder,
            settings: ProfileCompiler.Settings(
                anchors: connection.anchorOption == nil ? nil : try connection.anchors(), dial: { _ in dial },
                timeout: connection.limit, models: models,
                format: read.format, policies: Backends.current.policies, readIdentity: ClientIdentities.read)
        ).checks()
    }

    /// Returns the certificates that each service is compared with, by its label.
    func compared(_ profile: Profile) throws(InputError) -> [String: [CertificateEvidence]] {
        var compared: [String: [CertificateEvidence]] = [:]
        for environment in profile.environments {
            for service in environment.services {
                for path in service.certificates {
                    let certificates = try ProfileFiles(folder: folder, digests: profile.digests).certificates(path)
                    compared[environment.label(of: service), default: []] += certificates.map {
                        SuppliedChain.certificate($0)
                    }
                }
            }
        }
        return compared
    }

    /// Returns the evidence from each service, as far as the options ask for it.
    func evidence(_ read: Read, _ checks: ProfileChecks) async throws -> ServedEvidence {
        await ServedEvidence(try await chains(read, checks))
    }

    private func chains(_ read: Read, _ checks: ProfileChecks) async throws -> [String: ConnectionEvidence] {
        let clock = connection.clock
        if live { return try await asked(checks, clock: clock) }
        var served: [String: ConnectionEvidence] = [:]
        for check in checks.services {
            guard let label = check.service, let chain = read.served.chains[label] else { continue }
            served[label] = await SuppliedChain.evidence(
                chain, for: check.target.name, anchors: check.anchors, at: clock.now)
        }
        return served
    }

    private func asked(_ checks: ProfileChecks, clock: ProbeClock) async throws -> [String: ConnectionEvidence] {
        let transport = try Backends.current.withoutPrograms.transport(named: backend)
        let prober = Prober(clock: clock, lateness: OwnLateness.meter)
        // Bare checks: pins do not affect the served chain, and how a server is reached does.
        let bare = checks.services.map {
            Check(
                target: $0.target, service: $0.service, alternates: $0.alternates, anchors: $0.anchors,
                minimumTLS: $0.minimumTLS, alpn: $0.alpn, offer: $0.offer, timeout: $0.timeout,
                clientIdentity: $0.clientIdentity, route: $0.route)
        }
        let seen = await Concurrently.map(bare) { check in
            await prober.observe(check, through: transport, deadline: .after(check.timeout))
        }
        let labelled = zip(bare, seen).compactMap { check, evidence in check.service.map { ($0, evidence) } }
        return Dictionary(labelled) { first, _ in first }
    }
}
