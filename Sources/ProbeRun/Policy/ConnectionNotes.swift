public import ProbeKit
public import ProbePlatform

/// Reports that an alternate stands in for the target (requirement 49): the verdict is the alternate's, and the target
/// may be down.
public struct AlternateUsed: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a note that names the targets tried before, with the reasons; nothing if the target itself answered.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let attempts = evidence.connection?.attempts, attempts.count > 1, let last = attempts.last else {
            return []
        }
        // Addresses of one name look alike.
        let areAlike = Set(attempts.map(\.target.description)).count < attempts.count
        func name(_ target: Target) -> String { areAlike ? "\(target.endpoint)" : "\(target)" }
        let failed = attempts.compactMap { attempt in
            attempt.failure.map { "\(name(attempt.target)) (\($0.code.rawValue))" }
        }.joined(separator: ", ")
        return last.failure == nil
            ? [.note("alternate-used", stage: .connect, "\(name(last.target)) stands in: no answer from \(failed)")]
            : [.note("alternates-failed", stage: .connect, "no answer from any: \(failed)")]
    }
}

/// Reports that certificates were judged without a connection, and which checks that leaves out.
public struct ChainSupplied: Policy {
    /// The code of its note.
    package static let code = "no-connection"

    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a note; nothing if there was a connection.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard evidence.connection?.report.isSupplied == true else { return [] }
        return [
            .note(
                Self.code, stage: .connect,
                "no connection was made: the certificates are judged as if the server presented them and its clock agreed with ours; TLS parameters, a stapled OCSP response and DNS are not judged"
            )
        ]
    }
}

/// Reports that some requests of a connection were skipped, because the same check passed a short while ago.
public struct RememberedConnection: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a note with the time of that success.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let last = evidence.connection?.remembered else { return [] }
        let age = max(0, Int(instant.timeIntervalSince(last)))
        return [
            .note(
                "connection-cached", stage: .pins,
                "the same check passed with these certificates at \(RFC3339.format(last)), \(age) s ago; neither the server's time nor the library's own pin check was asked for again"
            )
        ]
    }
}

/// Reports the server's time, on request; it never fails a check by itself.
public struct ReportServerClock: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a note with the server's time, or a warning that it is not known.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        switch evidence.connection?.serverTime {
        case .known(let date, let skew):
            [.note("server-date", stage: .pins, "the server's time is \(RFC3339.format(date)), \(Self.text(skew))")]
        case .unknown(let reason):
            [
                .warning(
                    "server-date-unknown", stage: .pins, "the server's time is not known: \(reason)",
                    fix: "configure the server to answer HEAD with a Date")
            ]
        case .notOffered(let reason):
            [
                .warning(
                    "server-date-unknown", stage: .pins, "the server's time is not known: \(reason)",
                    fix: "do not ask this server for its time")
            ]
        case nil: []
        }
    }

    private static func text(_ skew: Int) -> String {
        switch skew {
        case 0: "as ours"
        case 1...: "\(skew) s behind ours"
        default: "\(-skew) s ahead of ours"
        }
    }
}
