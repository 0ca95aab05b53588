import ArgumentParser
import ProbeKit
import ProbeProfiles
import ProbeReport
import ProbeRun

/// `probe profile lint`: the faults of a profile, before it ships.
struct ProfileLintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Look for what will go wrong with a profile or a file of pins, before it ships.",
        discussion: """
            The file alone already shows missing backups, windows that never open, rules that miss a host, platforms that \
            differ, names of models used twice. With --live or --chain pins are held against what servers serve; with --live \
            or --txt the models' registry against what DNS publishes.

            EXAMPLES
              probe profile lint app.yaml
              probe profile lint Info.plist --live
              probe profile lint app.yaml --chain api=leaf-and-intermediates.pem --next-release 2026-12-01
              probe profile lint app.yaml --txt '"dc,florida,tampa,atlanta"' --strict

            EXIT CODES
              0 no errors (with --strict: no warnings either) · 15 a list that the key did not sign · 64 usage
              65 errors, or a bad input file
              that of 'probe check --chain' where a chain of --chain does not pass
            """)

    private struct Line: Encodable {
        let schema = "probe-lint/1"
        let profile: String
        let finding: LintFinding

        private enum CodingKeys: CodingKey { case schema, profile }

        func encode(to encoder: any Encoder) throws {
            try finding.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(schema, forKey: .schema)
            try container.encode(profile, forKey: .profile)
        }
    }

    @OptionGroup var served: ServedOptions
    @OptionGroup var known: LintFactOptions

    @Flag(help: "Fail on warnings too.")
    var strict = false

    @OptionGroup var output: PlainOutputOptions

    mutating func run() async throws {
        let printed = try output.chosen()
        let clock = served.connection.clock
        let read = try served.profile()
        let profile = read.profile
        for option in known.givenForQuestions {
            try ServedOptions.refuse(option, where: !served.live)
            guard !profile.models.isEmpty else {
                throw InputError(
                    "\(option) is given, and no model rule of \(served.file) is asked", remedy: "leave it out")
            }
        }
        var facts = try known.facts(profile)
        // A file that can't be read is a finding of its own.
        facts.compared = (try? served.compared(profile)) ?? [:]
        var verdicts: ServedVerdicts?
        var services: [Check] = []
        if served.live || !served.chain.isEmpty {
            let checks = try served.checks(
                read, models: try known.settings(over: profile.models))
            services = checks.services
            let evidence = try await served.evidence(read, checks)
            (facts.chains, facts.refusals) = (evidence.chains, evidence.refusals)
            facts.areSupplied = !served.live
            verdicts = try await ServedVerdicts(read.served, checks: checks.services, clock: clock)
            if served.live {
                let asked = try await known.asked(
                    checks.models, clock: clock, timeout: served.connection.limit)
                facts.lists.merge(asked) { given, _ in given }
            }
        }
        let unjudged = try unjudged(read.served, services)
        // A reader's notes on the file count like the rules' findings.
        let found =
            read.notes.map(LintFinding.init) + files(of: profile) + unjudged
            + ProfileLint(profile, facts: facts, format: read.format).findings(at: clock.now)
        let findings = [.error, .warning, .note].flatMap { severity in found.filter { $0.severity == severity } }
        switch printed {
        case .json:
            for finding in findings { Terminal.print(JSONText.line(Line(profile: served.file, finding: finding))) }
        default:
            Terminal.print(LintText(style: Style(isColoured: Terminal.wantsColour)).text(findings, of: served.file))
        }
        try verdicts?.end()
        let worst: Set<Finding.Severity> = strict ? [.error, .warning] : [.error]
        if findings.contains(where: { worst.contains($0.severity) }) { throw ExitCode(InputError.Source.file.exitCode) }
    }

    /// Returns a warning for each service of a check that no file of `--chain` is for.
    private func unjudged(_ chains: ServedChains, _ services: [Check]) throws(InputError) -> [LintFinding] {
        let takers = services.map { ChainTaker($0) }
        func isJudged(_ taker: ChainTaker) -> Bool { taker.label.map { chains.chains[$0] != nil } ?? false }
        // A rule's host has the rule's name for its label.
        let areHosts = takers.allSatisfy { $0.label == $0.target.name.description }
        return try UnjudgedServices(
            served.chain, among: takers, judged: takers.filter(isJudged).map(\.target.name),
            of: areHosts ? chains.profile.hosts : []
        ) { isJudged(takers[$0]) }.lintFindings
    }

    /// Returns an error for each file that the profile names and a check would not use.
    private func files(of profile: Profile) -> [LintFinding] {
        ProfileFiles(folder: served.folder, digests: profile.digests).faults(of: profile).map { path, error in
            LintFinding(.error, "file-unusable", at: PrintableText.escape(path), error.message, fix: error.remedy)
        }
    }
}
