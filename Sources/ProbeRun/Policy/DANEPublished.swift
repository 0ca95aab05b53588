import ProbeDNS
import ProbeKit
import ProbePlatform
import ProbeTrust

/// Requires that a mail host has TLSA records that can be used, and that DNSSEC proves them: whoever asks for DANE is not
/// satisfied with less.
struct DANEPublished: Policy {
    let host: MailHost

    func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        switch host.answer {
        case .records(let records):
            let shown = "\(host.owner) TLSA " + records.map(\.description).joined(separator: "; ")
            guard host.usable.isEmpty else { return [.note("dane-records", stage: .trust, shown)] }
            let misstated = MisstatedRecord(of: host, in: evidence.connection?.report.chain ?? [])
            return [
                error(
                    "dane-unusable", "mail servers can use none of \(shown)",
                    fix: misstated.map { Fix($0.fix) }
                        ?? "publish a record of usage 3 or 2, as in 3 1 1 and the SHA-256 of the server's key")
            ]
        case .absent:
            return [
                error(
                    "dane-absent", "\(host.owner) has no TLSA records, as DNSSEC proves",
                    fix: "publish them, as in 3 1 1 and the SHA-256 of the server's key")
            ]
        case .insecure(let what):
            return [
                error(
                    "dane-insecure", "DNSSEC does not prove \(what), so there is no DANE for this host",
                    fix: .signZone)
            ]
        case .failed(let reason):
            return [
                .error(
                    .dnsIndeterminate, code: "dane-lookup-failed", stage: .trust,
                    "the TLSA records of \(host.owner) are not known: \(reason)",
                    fix: "repair the zone or its server; until then mail servers with DANE send this host nothing")
            ]
        }
    }

    private func error(_ code: String, _ message: String, fix: Fix) -> Finding {
        .error(.policyFailed, code: code, stage: .trust, message, fix: fix)
    }
}
