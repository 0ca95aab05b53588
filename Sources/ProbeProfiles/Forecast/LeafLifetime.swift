public import FoundationEssentials
import ProbeKit

/// The maximum lifetimes of public server certificates, by the CA/Browser Forum's ballot SC-081v3.
public enum LeafLifetime: Sendable {
    /// The first day of each limit, and the limit in days.
    public static let schedule: [(from: String, days: Int)] = [
        ("2020-09-01", 398), ("2026-03-15", 200), ("2027-03-15", 100), ("2029-03-15", 47),
    ]

    /// Returns the most days that a certificate issued at an instant may live.
    public static func days(issuedAt instant: Date) -> Int {
        let day = RFC3339.day(instant)
        return schedule.last { $0.from <= day }?.days ?? 825
    }
}
