import ArgumentParser
import ProbeKit
import ProbeProfiles

/// Which profile says what to check.
struct ProfileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Check what this profile lists, or hold the targets to its host rules; also an Info.plist, a network security configuration, or any other format of 'probe profile convert'.",
            valueName: "file"))
    var profile: String?

    @Option(
        help: ArgumentHelp("Check only this environment of the profile; repeat it for others.", valueName: "name"))
    var environment: [String] = []

    /// What the profile asks for.
    ///
    /// - Parameter targets: what to hold to the profile; empty is everything it lists.
    func plan(for targets: [Target], _ settings: ProfileCompiler.Settings) throws(InputError) -> CheckPlan {
        guard let path = profile else { return CheckPlan(checks: []) }
        var settings = settings
        settings.environments = environment
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        let compiler = ProfileCompiler(try read(path), folder: folder, settings: settings)
        var checks = try compiler.checks()
        if !targets.isEmpty {
            var chosen: [Check] = []
            for target in targets { chosen += try held(target, to: checks.services, compiler, path) }
            checks = ProfileChecks(services: chosen, models: [])
        }
        guard !checks.services.isEmpty || !checks.models.isEmpty else {
            throw InputError(
                "\(path) lists nothing to check", remedy: "give it services or models, or name targets", source: .file)
        }
        var models: [ModelCheck] = []
        for model in checks.models { models.append(try withServers(model)) }
        return CheckPlan(checks: checks.services, models: models)
    }

    /// A profile, or a file of pins in any other format. A host that such a file does not list fails as it would on the
    /// command line (decision K5), whatever the file's clients do.
    private func read(_ path: String) throws(InputError) -> Profile {
        var (format, imported) = try ProfileFile.read(path, format: nil)
        if !format.isNative { imported.profile.unlistedHost = .fail }
        for note in imported.notes where note.severity == .warning { Terminal.printError("probe: \(path): \(note)") }
        return imported.profile
    }

    /// The services on a target, else what the host rules say of it.
    private func held(
        _ target: Target, to services: [Check], _ compiler: ProfileCompiler, _ path: String
    ) throws(InputError) -> [Check] {
        let own = services.filter { $0.target.description == target.description }
        guard own.isEmpty else { return own }
        guard let check = try compiler.check(of: target) else {
            throw InputError(
                "\(path) has no pins for \(target), and skips such hosts", remedy: "add a host rule, or leave it out")
        }
        return [check]
    }

    /// A model rule that names no server asks the system's.
    private func withServers(_ model: ModelCheck) throws(InputError) -> ModelCheck {
        guard model.servers.isEmpty, model.httpsServers.isEmpty else { return model }
        return model.asking(try DNSOptions.systemServers())
    }
}
