public import ProbeKit
public import ProbePlatform

/// Requires that the model is on the list that DNS publishes (requirements 17 to 21).
public struct ModelListed: Policy {
    private let model: ModelName?
    private let announcements: [Finding]
    /// True if the server is one of the zone's own, in whose place no other one can be asked.
    let asksNameServer: Bool

    /// A policy for one model, or for the list alone.
    ///
    /// - Parameters:
    ///   - model: the model to look for; nil asks only whether there is a list.
    ///   - announcements: what was known before anything was asked.
    public init(_ model: ModelName?, announcements: [Finding] = []) {
        self.init(model, announcements: announcements, asksNameServer: false)
    }

    /// A policy for the answer of a zone's own name server, or of any.
    package init(_ model: ModelName?, announcements: [Finding], asksNameServer: Bool) {
        self.model = model
        self.announcements = announcements
        self.asksNameServer = asksNameServer
    }

    /// Returns a note or a warning for a listed model, one error for anything else.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        findings(evidence, at: instant) + announcements
    }

    private func findings(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let evidence = evidence.model else { return [Self.unread] }
        if !evidence.missing.isEmpty {
            let names = evidence.missing.sorted().map(\.rawValue).joined(separator: ", ")
            return [
                .error(
                    .unsupported, stage: .dns, "\(evidence.resolver.name) can't do \(names), so nothing was asked",
                    fix: "\(.chooseResolver)")
            ]
        }
        if let last = evidence.remembered { return [remembered(last, at: instant)] }
        guard let answer = evidence.deciding else { return [Self.unread] }
        return findings(answer) + standingIn(answer, evidence) + staleness(answer)
    }

    /// A check that was not performed must not count as passed.
    private static let unread = Finding.error(
        .internalError, code: "model-unread", stage: .dns, "no resolver was asked about the allow-list",
        fix: "name a host that publishes it, and use a build with a resolver")

    private func findings(_ answer: ModelEvidence.Answer) -> [Finding] {
        let host = answer.host
        return switch answer.reading {
        case .listed(let list):
            [listed(list, answer)] + emptiness(list, host) + boundary(list, host: host)
        case .listedInPart(let list):
            [
                listed(list, answer),
                .warning("txt-records-differ", stage: .dns, difference(list, host), fix: oneRecord(host)),
            ]
                + boundary(list, host: host)
        case .notListed(let list) where model.map(list.contains) ?? false:
            [
                .error(
                    .modelNotListed, code: "model-not-in-every-record", stage: .dns, difference(list, host),
                    fix: oneRecord(host))
            ] + boundary(list, host: host)
        case .notListed(let list):
            [notListed(list, host)] + boundary(list, host: host)
        case .absent(let absence):
            [missing(absence, answer)]
        case .indeterminate(let doubt):
            [
                .error(
                    answer.reading.outcome, code: doubt.code, stage: .dns,
                    "nothing is known about the list of \(host): \(doubt.message)\(Self.asked(answer))",
                    fix: fix(doubt, answer))
            ]
        case .readingsDisagree(let difference):
            [
                .error(
                    .readingsDisagree, code: "txt-readings-disagree", stage: .dns,
                    "the reply about \(host) reads in two ways: \(difference)",
                    fix: "look at the raw reply in the evidence, and at the server that sent it")
            ]
        }
    }

    private func notListed(_ list: ModelList, _ host: DNSName) -> Finding {
        let name = model?.description ?? ""
        // Published already, and lost to the way in which its strings are read.
        if let model, list.readOtherwise.contains(model) {
            let (here, there) =
                list.strings == .joined ? ("joined", "taken one by one") : ("taken one by one", "joined")
            return .error(
                .modelNotListed, stage: .dns,
                "'\(name)' is not on the list of \(host) with its strings \(here): \(Self.text(list)); with them \(there), it is",
                fix: Fix(ModelList.remedy))
        }
        return .error(
            .modelNotListed, stage: .dns, "'\(name)' is not on the list of \(host): \(Self.text(list))",
            fix: "add it to the TXT record of \(host), or ship a build with a listed model")
    }

    /// The servers to look at, or to replace.
    private static func asked(_ answer: ModelEvidence.Answer) -> String {
        answer.asked.isEmpty ? "" : " (asked: \(answer.asked.joined(separator: ", ")))"
    }

    private func listed(_ list: ModelList, _ answer: ModelEvidence.Answer) -> Finding {
        let source = answer.server.map { ", as \($0) answers" } ?? ""
        guard let model else {
            return .note(
                "list-published", stage: .dns,
                "\(answer.host) publishes \(list.items.count.counted("model"))\(source): \(Self.text(list))")
        }
        return .note("model-listed", stage: .dns, "'\(model)' is on the list of \(answer.host)\(source)")
    }

    /// The shipped app reads one record, and takes a model that is missing from it for an unlisted one.
    private func difference(_ list: ModelList, _ host: DNSName) -> String {
        let count = list.records.count
        let what =
            if let model {
                "'\(model)' is in \(list.recordCount(listing: model)) of the \(count) TXT records of \(host)"
            } else {
                "the \(count) TXT records of \(host) hold different lists"
            }
        return what + ": a client that looks at one record alone sees whichever comes first"
    }

    private func oneRecord(_ host: DNSName) -> Fix {
        "publish the whole list as one TXT record of \(host), with several strings where it is long"
    }

    /// Returns a warning if there is a list without a model on it: to the shipped app of requirement 17 that is as final as a
    /// list without its own. Where a model is looked for, it is not listed.
    private func emptiness(_ list: ModelList, _ host: DNSName) -> [Finding] {
        guard list.items.isEmpty else { return [] }
        return [
            .warning(
                "list-empty", stage: .dns,
                "the list of \(host) is empty: every build that asks for its model there is refused",
                fix: "add the models to the TXT record of \(host), or remove the record if it is not a list")
        ]
    }

    /// The list may have changed since, which can't be detected.
    private func staleness(_ answer: ModelEvidence.Answer) -> [Finding] {
        guard let server = answer.server, let error = answer.staleness else { return [] }
        return [
            .warning(
                "stale-answer", stage: .dns,
                "\(server) has no fresh answer for \(answer.host) and gives an old one: \(error)",
                fix: "see why \(server) does not reach the name servers of \(answer.host)")
        ]
    }

    private func remembered(_ last: Date, at instant: Date) -> Finding {
        let age = max(0, Int(instant.timeIntervalSince(last)))
        return .note(
            "model-cached", stage: .dns,
            "'\(model?.description ?? "")' was on the list, validated at \(RFC3339.format(last)), \(age) s ago; nobody was asked again"
        )
    }

    /// Returns a warning if clients that read each string separately would see another list.
    private func boundary(_ list: ModelList, host: DNSName) -> [Finding] {
        guard list.dependsOnStrings else { return [] }
        return [
            .warning(
                "txt-strings-differ", stage: .dns,
                "the TXT record of \(host) reads differently with its strings joined and taken one by one",
                fix: Fix(ModelList.remedy))
        ]
    }

    private static func text(_ list: ModelList) -> String {
        let items = list.items.prefix(20).map { MasterFileText.escape($0) }.joined(separator: ",")
        let more = list.items.count > 20 ? ",… (\(list.items.count) in all)" : ""
        return items.isEmpty ? "it is empty" : items + more
    }
}
