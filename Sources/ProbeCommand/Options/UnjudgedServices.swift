import ProbeKit
import ProbeProfiles
import ProbeRun

/// The services and hosts of a profile that no file of `--chain` is for. A file alone goes to those that its leaf names: a
/// renewed certificate that lacks a name passes where it has one, and the server that needed the other must not look as if
/// it had passed too.
struct UnjudgedServices {
    private let takers: [ChainTaker]

    /// The number of them that a finding names.
    private static let shown = 4

    /// Finds them among the services and hosts that a file may be for.
    ///
    /// - Parameters:
    ///   - arguments: the values of `--chain`. Where each has a subject, these are all that was asked for.
    ///   - judged: the hosts of the chains that are judged.
    ///   - rules: those that the hosts are of, where the profile has no services.
    ///   - isJudged: returns true for the index of one that has a chain.
    init(
        _ arguments: [String], among all: [ChainTaker], judged: [ServerName] = [], of rules: [HostRule] = [],
        where isJudged: (Int) -> Bool
    ) throws(InputError) {
        let labels = all.compactMap(\.label)
        var isAnyAlone = false
        for text in arguments {
            let argument = try ChainArgument(text, labels: labels)
            if argument.subject == nil { isAnyAlone = true }
        }
        takers =
            isAnyAlone
            ? all.indices.filter { !isJudged($0) && Self.isAsked(all[$0].target.name, judged, rules) }.map { all[$0] }
            : []
    }

    /// Returns true if a rule's host is to be judged by itself: it has pins, and no name of the rule was judged.
    private static func isAsked(_ host: ServerName, _ judged: [ServerName], _ rules: [HostRule]) -> Bool {
        let own = rules.filter { $0.matches(host) }
        guard !own.isEmpty else { return true }
        return own.contains { !$0.pins.isEmpty } && !own.contains { rule in judged.contains { rule.matches($0) } }
    }

    /// The warning that every check of the run has; nil if all are judged.
    var finding: Finding? {
        guard let first = takers.first else { return nil }
        let isOne = takers.count == 1
        let names = takers.prefix(Self.shown).map(\.target.description).joined(separator: ", ")
        let more = takers.count > Self.shown ? " and \(takers.count - Self.shown) more" : ""
        return .warning(
            Self.code, stage: .trust,
            "no --chain is for \(names)\(more): no file without a host has a leaf with \(isOne ? "its name" : "their names")",
            fix: isOne
                ? "\(Self.fix(first))"
                : "issue the certificate for them too, or give each its own, like --chain \(Self.subject(first))=FILE")
    }

    /// The warnings of a lint, one for each.
    var lintFindings: [LintFinding] {
        takers.map { taker in
            LintFinding(
                .warning, Self.code, at: PrintableText.escape(Self.subject(taker)),
                "no --chain is for \(taker.target): no file without a host has a leaf with its name",
                fix: Self.fix(taker))
        }
    }

    private static let code = "service-not-judged"

    private static func fix(_ taker: ChainTaker) -> String {
        "issue the certificate for it too, or give --chain \(subject(taker))=FILE"
    }

    /// Returns the word before `=` that means a service or a host.
    private static func subject(_ taker: ChainTaker) -> String { taker.label ?? ChainArgument.text(taker.target.name) }
}
