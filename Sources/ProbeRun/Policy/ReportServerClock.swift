public import ProbeKit
public import ProbePlatform

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
