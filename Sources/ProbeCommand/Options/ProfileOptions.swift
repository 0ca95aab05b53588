import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeRun
import ProbeSignatures

/// The profile to check.
struct ProfileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Check what this profile lists, or hold the targets to its host rules; also an Info.plist, a network security configuration, or any other format of 'probe profile convert'.",
            valueName: "file"), completion: .file())
    var profile: String?

    @Option(
        help: ArgumentHelp("Check only this environment of the profile; repeat it for others.", valueName: "name"))
    var environment: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take the profile only if this detached CMS signature over the file is valid; the files that the profile names need their 'digests' in it.",
            valueName: "file"), completion: .file())
    var signature: String?

    @Option(
        help: ArgumentHelp(
            "Who may have signed the profile: a JSON list as for 'probe signature', or a profile with signers.",
            valueName: "file"), completion: .file())
    var signers: String?

    @OptionGroup var listKey: ListKeyOption

    /// Returns the profile's bytes, signed as required (requirement 84); nil if there is no profile.
    ///
    /// - Throws: `InputError` for an invalid signature; the exit code where it can't be judged, after printing the reason.
    func bytes(at instant: Date) async throws -> [UInt8]? {
        guard let profile else {
            if let idle = [("--signature", signature), ("--signers", signers), ("--key", listKey.key)]
                .first(where: { $0.1 != nil })
            {
                throw InputError("\(idle.0) is given and --profile is not", remedy: "name the profile it is of")
            }
            return nil
        }
        let bytes = try ProfileFile.bytes(of: profile)
        guard signature != nil || signers != nil else { return bytes }
        guard let signature, let signers else {
            throw InputError(
                "\(signature == nil ? "--signature" : "--signers") is missing",
                remedy: "a signed profile needs --signature and --signers")
        }
        let question = SignatureQuestion(
            signature: try InputFile.bytes(of: signature, limit: 1 << 20, kind: "signature"), content: bytes,
            signers: try TrustedSigners.read(signers), instant: instant)
        var outcomes: [Outcome] = []
        var faults: [(words: String, fix: String)] = []
        for validator in try Backends.current.validators(named: .all) {
            let reading = await validator.validate(question)
            outcomes.append(reading.outcome)
            for finding in reading.findings where finding.severity == .error {
                faults.append(("\(validator.name): \(finding.code): \(finding.message)", finding.fix))
            }
        }
        let outcome = outcomes.isEmpty ? .unsupported : Outcome.deciding(among: outcomes)
        guard !outcome.isPass else { return bytes }
        if outcome == .signatureInvalid, let first = faults.first {
            throw InputError(
                "\(profile): \(faults.map(\.words).joined(separator: "; "))", remedy: first.fix, source: .signature)
        }
        for fault in faults {
            Terminal.printError("probe: \(PrintableText.escape(profile)): \(fault.words); \(fault.fix)")
        }
        throw ExitCode(outcome.exitCode)
    }

    /// Returns the profile's checks.
    ///
    /// - Parameters:
    ///   - bytes: the profile's bytes.
    ///   - subject: the part of the profile to check.
    ///   - dns: the options for the model rules' queries.
    ///   - isFollowing: true if their servers are asked for the records that lead to targets too.
    func plan(
        of bytes: [UInt8], for subject: ProfileSubject, _ settings: ProfileCompiler.Settings, _ dns: DNSOptions,
        isFollowing: Bool
    ) throws(InputError) -> CheckPlan {
        guard let path = profile else { return CheckPlan(checks: []) }
        var settings = settings
        let (format, imported) = try ProfileFile.read(
            bytes, from: path, context: FormatContext(path: path, signer: try listKey.read()))
        try listKey.refuseIdle(for: [format])
        let profile = imported.profile
        let isAnchored = settings.anchors != nil
        let notes = imported.notes.filter { !isAnchored || !$0.asksForAnchors }
        for note in notes where note.severity == .warning && note.announcement?.severity != .note {
            Terminal.printError("probe: \(PrintableText.escape(path)): \(note)")
        }
        settings.models = try dns.settings(
            over: subject.isAll ? profile.models : [], of: path, isFollowing: isFollowing)
        settings.isSigned = signature != nil
        settings.environments = environment
        settings.policies = Backends.current.policies
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        settings.format = format
        let compiler = ProfileCompiler(profile, folder: folder, settings: settings)
        var checks = try compiler.checks()
        let services = checks.services
        switch subject {
        case .all: break
        case .targets(let targets):
            var chosen: [Check] = []
            for target in targets { chosen += try held(target, to: services, compiler, path) }
            checks = ProfileChecks(services: chosen, models: [])
        case .chains(let supplied, let words):
            let chosen = try supplied.checks(words, among: services, of: profile) { target throws(InputError) in
                try held(target, to: services, compiler, path)
            }
            checks = ProfileChecks(services: chosen, models: [])
        }
        guard !checks.services.isEmpty || !checks.models.isEmpty else {
            throw InputError(
                "\(path) lists nothing to check", remedy: "give it services or models, or name targets", source: .file)
        }
        var models: [ModelCheck] = []
        for model in checks.models { models.append(try withServers(model)) }
        return CheckPlan(
            checks: checks.services.map { check in
                let own = notes.filter { $0.concerns(check.target) }
                return Set(own.compactMap(\.announcement)).sorted { $0.code < $1.code }
                    .reduce(check) { $0.announcing($1) }
            }, models: models)
    }

    /// Returns the services on a target, else a check from the host rules.
    private func held(
        _ target: Target, to services: [Check], _ compiler: ProfileCompiler, _ path: String
    ) throws(InputError) -> [Check] {
        let own = services.services(on: target)
        guard own.isEmpty else { return own }
        guard let check = try compiler.check(of: target) else {
            throw InputError(
                "\(path) has no pins for \(target), and skips such hosts", remedy: "add a host rule, or leave it out")
        }
        return [check]
    }

    /// Returns the check with the system's servers, if its rule names none.
    private func withServers(_ model: ModelCheck) throws(InputError) -> ModelCheck {
        guard model.servers.isEmpty, model.httpsServers.isEmpty, model.tlsServers.isEmpty else { return model }
        return model.asking(try DNSOptions.systemServers())
    }
}

/// The part of a profile that is checked.
enum ProfileSubject {
    /// Everything that it lists.
    case all
    /// The services at these targets, or what its host rules demand of them.
    case targets([Target])
    /// The services that the words of the command line mean, or the files of chains without any; else targets.
    case chains(SuppliedChainOptions, words: [String])

    var isAll: Bool { if case .all = self { true } else { false } }
}

/// Trusted signers from a file: a JSON list, or a profile that names them.
enum TrustedSigners {
    static func read(_ path: String) throws(InputError) -> [TrustedSigner] {
        let text = try InputFile.text(of: path, limit: SignersFile.maximumBytes, kind: "signers file")
        guard text.first(where: { !$0.isWhitespace }) != "[" else { return try SignersFile.read(text, from: path) }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        var signers: [TrustedSigner] = []
        for record in try ProfileFile.read(Array(text.utf8), from: path, format: .nativeYAML).imported.profile.signers {
            signers.append(try record.signer(in: folder))
        }
        guard !signers.isEmpty else {
            throw InputError(
                "\(path) names no signers", remedy: "name at least one: nothing else is trusted", source: .file)
        }
        return signers
    }
}
