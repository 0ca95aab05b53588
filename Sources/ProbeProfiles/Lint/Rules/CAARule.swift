import ProbeKit

/// A backup CA that the domain's CAA records do not let issue, so that the failover would be refused.
struct CAARule: LintRule {
    /// The domains that CAs name in their practice statements, by words of their organisation's name.
    private static let domains: [(organisation: String, domains: Set<String>)] = [
        ("let's encrypt", ["letsencrypt.org"]), ("internet security research group", ["letsencrypt.org"]),
        ("digicert", ["digicert.com"]), ("google trust services", ["pki.goog"]), ("globalsign", ["globalsign.com"]),
        ("sectigo", ["sectigo.com", "comodoca.com", "usertrust.com", "trust-provider.com"]),
        ("amazon", ["amazon.com", "amazontrust.com", "awstrust.com", "amazonaws.com"]),
        ("godaddy", ["godaddy.com", "starfieldtech.com"]), ("entrust", ["entrust.net"]), ("ssl corp", ["ssl.com"]),
        ("buypass", ["buypass.com", "buypass.no"]), ("actalis", ["actalis.it"]), ("identrust", ["identrust.com"]),
    ]

    func findings(in subject: LintSubject) -> [LintFinding] {
        // Without an issue property anyone may issue (RFC 8659 section 4.2); issuewild is about wildcards alone.
        let allowed = Set(subject.facts.caa.filter { $0.tag == "issue" }.map(\.issuer))
        guard !allowed.isEmpty else { return [] }
        return subject.sets.flatMap { placed in
            placed.set.members.enumerated().compactMap { index, member in
                guard let certificate = Self.certificate(of: member.pin, in: subject.facts),
                    isForLater(member, of: placed.set, in: subject)
                else { return nil }
                return finding(certificate, allowed, at: "\(placed.path).anyOf[\(index)]")
            }
        }
    }

    /// Only our own format marks backups. In any other a pin that is not served may be one, and without a chain each of
    /// several.
    private func isForLater(_ member: PinSet.Member, of set: PinSet, in subject: LintSubject) -> Bool {
        guard !member.isBackup, !subject.format.isNative else { return member.isBackup }
        return isServed(member.pin, of: set, in: subject).map { !$0 } ?? (set.members.count > 1)
    }

    /// Returns true if a service that uses the pin has its certificate; nil if the chain of none is known.
    private func isServed(_ pin: Pin, of set: PinSet, in subject: LintSubject) -> Bool? {
        let known = subject.services.compactMap { service -> ConnectionEvidence? in
            guard let connection = subject.facts.chains[service.label], !connection.certificates.isEmpty,
                // A list for many names is narrowed to the service's own.
                service.sets.contains(where: {
                    $0.position == set.position && $0.chain == set.chain && $0.members.contains { $0.pin == pin }
                })
            else { return nil }
            return connection
        }
        return known.isEmpty ? nil : known.contains { ServedPin(pin, of: set, in: $0) != nil }
    }

    private func finding(_ certificate: CertificateDetails, _ allowed: Set<String>, at path: String) -> LintFinding? {
        let name = certificate.isCA ? certificate.subject : certificate.issuer
        let listed = allowed.filter { !$0.isEmpty }.sorted().joined(separator: ", ")
        guard !listed.isEmpty else {
            return LintFinding(
                .warning, "caa-forbids-backup", at: path,
                "the CAA records allow nobody, so no authority would issue what is below '\(name)' when it is needed",
                fix: "add 0 issue with its authority's domain to the zone")
        }
        guard let known = Self.domains.first(where: { name.lowercased().contains("o=\($0.organisation)") }) else {
            return LintFinding(
                .note, "caa-unknown", at: path,
                "which CAA domain '\(name)' goes by is not known here; the records allow \(listed)",
                fix: "look it up in the authority's practice statement")
        }
        guard known.domains.isDisjoint(with: allowed) else { return nil }
        return LintFinding(
            .warning, "caa-forbids-backup", at: path,
            "the CAA records allow \(listed), so '\(name)' would refuse to issue when it is needed",
            fix: "add 0 issue \"\(known.domains.sorted()[0])\" to the zone")
    }

    private static func certificate(of pin: Pin, in facts: LintFacts) -> CertificateDetails? {
        let served = facts.chains.sorted { $0.key < $1.key }.flatMap(\.value.certificates)
        return (facts.certificates + served).first { (try? $0.digests.get())?[pin.kind] == pin.digest }?.details
    }
}
