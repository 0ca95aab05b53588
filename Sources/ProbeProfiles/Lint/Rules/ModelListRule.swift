import ProbeKit
import ProbePlatform

/// The published list against the registry, and how it is written down (requirements 34, 37, 38).
struct ModelListRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.profile.models.enumerated().flatMap { index, rule -> [LintFinding] in
            let path = "models[\(index)]"
            return serverPins(rule, at: path) + list(rule, subject, index, at: path)
        }
    }

    /// Servers change their keys too, and then no build can ask any more.
    private func serverPins(_ rule: ModelRule, at path: String) -> [LintFinding] {
        guard Set(rule.serverPins).count == 1 else { return [] }
        return [
            LintFinding(
                .warning, "no-backup-pin", at: "\(path).serverPins",
                "one key of the DNS server is pinned, and the list can't be read once it has another",
                fix: "pin the server's next key too")
        ]
    }

    private func list(_ rule: ModelRule, _ subject: LintSubject, _ index: Int, at path: String) -> [LintFinding] {
        guard let reading = subject.facts.lists[index] else { return planned(rule, at: path, subject.instant) }
        switch reading {
        case .listed(let list), .listedInPart(let list), .notListed(let list):
            return published(list, rule, at: path, subject.instant) + writing(list, rule, at: path)
                + (rule.hosts.first.map { TXTSizeLint(list.records, of: $0).findings(at: "\(path).hosts") } ?? [])
        case .absent: return [unseen(.error, "none is published", at: path)]
        case .indeterminate(let doubt): return [unseen(.warning, doubt.message, at: path)]
        case .readingsDisagree(let difference): return [unseen(.error, difference, at: path)]
        }
    }

    /// Without a live list: judges the record that the valid rows would make.
    private func planned(_ rule: ModelRule, at path: String, _ instant: Date) -> [LintFinding] {
        guard let host = rule.hosts.first else { return [] }
        let names = rule.registry.filter { $0.state(at: instant) != .retired }.map(\.name.description)
        let record = TXTRecord(owner: host, ttl: 0, strings: TXTSizeLint.strings(of: names))
        return TXTSizeLint([record], of: host).findings(at: "\(path).registry")
    }

    private func unseen(_ severity: Finding.Severity, _ reason: String, at path: String) -> LintFinding {
        LintFinding(
            severity, "list-not-seen", at: "\(path).hosts", "the published list could not be read: \(reason)",
            fix: "look with 'probe models NAME'")
    }

    private func published(_ list: ModelList, _ rule: ModelRule, at path: String, _ instant: Date) -> [LintFinding] {
        var findings: [LintFinding] = []
        if !list.contains(rule.model) {
            findings.append(
                LintFinding(
                    .error, "model-not-published", at: "\(path).model",
                    "'\(rule.model)' is not on the list, so a build that carries it is refused",
                    fix: "publish it before the build ships"))
        }
        findings += scattered(list, rule.model, at: "\(path).model")
        guard !rule.registry.isEmpty else { return findings }
        for (index, row) in rule.registry.enumerated() {
            let isListed = list.contains(row.name)
            let here = "\(path).registry[\(index)]"
            switch row.state(at: instant) {
            case .retired where isListed && !rule.registry.contains(where: { $0.isValid(row.name, at: instant) }):
                findings.append(
                    LintFinding(
                        .error, "retired-model-listed", at: here,
                        "'\(row.name)' is retired and on the list again", fix: "take it off the list"))
            case .ongoing where !isListed && row.name != rule.model:
                findings.append(
                    LintFinding(
                        .error, "ongoing-model-unlisted", at: here,
                        "'\(row.name)' is ongoing and not on the list, so its builds are refused",
                        fix: "put it on the list, or end its row"))
            case .ongoing where row.name != rule.model: findings += scattered(list, row.name, at: here)
            case .retired, .ongoing, .planned: break
            }
        }
        let known = Set(rule.registry.map { Array($0.name.description.utf8) })
        for item in list.items where !known.contains(item) {
            findings.append(
                LintFinding(
                    .error, "listed-model-unregistered", at: "\(path).registry",
                    "'\(MasterFileText.escape(item))' is on the list and not in the registry",
                    fix: "add its row, or take it off the list"))
        }
        return findings
    }

    /// Returns an error if the check refuses a model because some records lack it.
    private func scattered(_ list: ModelList, _ model: ModelName, at path: String) -> [LintFinding] {
        guard list.contains(model), case .notListed = ModelReading(list, model: model) else { return [] }
        let host = list.records.first.map { " of \($0.owner)" } ?? ""
        return [
            LintFinding(
                .error, "model-not-in-every-record", at: path,
                "'\(model)' is in \(list.recordCount(listing: model)) of the \(list.records.count) TXT records\(host), and "
                    + "a client that looks at one record alone sees whichever comes first",
                fix: "publish the whole list as one TXT record\(host), with several strings where it is long")
        ]
    }

    private func writing(_ list: ModelList, _ rule: ModelRule, at path: String) -> [LintFinding] {
        let here = "\(path).hosts"
        var findings: [LintFinding] = []
        if list.dependsOnStrings {
            let other = ModelList(records: list.records, strings: list.strings == .joined ? .separate : .joined)
            let names = rule.registry.map(\.name) + [rule.model]
            let lost = names.first { list.contains($0) != other.contains($0) }
            findings.append(
                LintFinding(
                    lost == nil ? .warning : .error, "token-cut", at: here,
                    (lost.map { "only some clients read '\($0)'" } ?? "clients read two different lists")
                        + ": those that read strings one by one cut items at a string's end, stop at an empty string, "
                        + "and pass over one that is not UTF-8",
                    fix: ModelList.remedy))
        }
        if list.records.count > 1 {
            findings.append(
                LintFinding(
                    .warning, "several-records", at: here,
                    "the list is spread over \(list.records.count) TXT records, of which some clients read only the first",
                    fix: "publish one record with several strings"))
        }
        let texts = list.records.map { Array($0.strings.joined()) }
        let items = texts.flatMap { $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0d, 0x0a].contains(byte) }
        let habits: [(code: String, what: String, fix: String, isThere: Bool)] = [
            ("empty-item", "has an empty item", "remove the comma too many", items.contains { $0.allSatisfy(isBlank) }),
            (
                "blank-in-list", "has blanks around items", "remove them",
                items.contains { item in
                    !item.allSatisfy(isBlank) && (item.first.map(isBlank) ?? false || item.last.map(isBlank) ?? false)
                }
            ),
            (
                "uppercase-item", "has capital letters", "write names in lowercase",
                items.joined().contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            ),
        ]
        findings += habits.filter(\.isThere).map { habit in
            LintFinding(
                .warning, habit.code, at: here, "the list \(habit.what), which not every client reads alike",
                fix: habit.fix)
        }
        return findings
    }
}

extension ModelRegistryRow {
    fileprivate func isValid(_ name: ModelName, at instant: Date) -> Bool {
        self.name == name && state(at: instant) != .retired
    }
}
