import ProbeKit

/// Finds platforms of one profile that pin one host to different keys, as happens if pins are in two files.
struct DriftRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        let rules = subject.profile.hosts
        let platforms = HostSemantics.allCases.filter { semantics in
            semantics != .exact && rules.contains { $0.semantics == semantics }
        }
        guard platforms.count > 1 else { return [] }
        var hosts: [(name: ServerName, path: String)] = subject.services.map { ($0.service.target.name, $0.path) }
        var known = Set(hosts.map(\.name))
        for (index, rule) in rules.enumerated() where rule.semantics != .exact {
            // A pattern of OkHttp that is not for its own base is judged at the services below it.
            guard let name = try? ServerName(rule.base), rule.matches(name), known.insert(name).inserted else {
                continue
            }
            hosts.append((name, "hosts[\(index)]"))
        }
        return hosts.flatMap { host in drift(of: host.name, at: host.path, platforms, subject.hosts) }
    }

    private func drift(
        of host: ServerName, at path: String, _ platforms: [HostSemantics], _ rules: HostRuleIndex
    ) -> [LintFinding] {
        let readings = rules.readings(for: host).filter { $0.semantics != .exact }
        guard let first = readings.first else { return [] }
        let missing = platforms.filter { platform in !readings.contains { $0.semantics == platform } }
        var findings = missing.map { platform in
            LintFinding(
                .warning, "platform-misses-host", at: path,
                "\(first.semantics.rawValue) pins \(host) and \(platform.rawValue) does not",
                fix: "add a rule with match: \(platform.rawValue) for it")
        }
        for other in readings.dropFirst() {
            let (left, right) = (Self.keys(first.sets), Self.keys(other.sets))
            guard left != right else { continue }
            let lone = left.subtracting(right).map { "\(first.semantics.rawValue) alone has \($0.digest.base64)" }
            let others = right.subtracting(left).map { "\(other.semantics.rawValue) alone has \($0.digest.base64)" }
            findings.append(
                LintFinding(
                    .warning, "platforms-differ", at: path,
                    "\(host) is pinned differently: \((lone.sorted() + others.sorted()).joined(separator: ", "))",
                    fix: "give both platforms the same pins"))
        }
        return findings
    }

    /// Returns the keys alone: no platform's own format has more.
    private static func keys(_ sets: [PinSet]) -> Set<Pin> {
        Set(sets.flatMap(\.members).map(\.pin).filter { $0.kind == .spki })
    }
}
