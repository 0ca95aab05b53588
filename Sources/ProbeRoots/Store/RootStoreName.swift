public import ProbeKit

/// The name of a root store and the day it is asked for, like `mozilla@2021-05`.
public struct RootStoreName: Hashable, Sendable, CustomStringConvertible {
    /// The store, like `mozilla`.
    public let store: String
    /// The day as it was written: a year, a month or a day; nil is the newest snapshot.
    public let day: String?

    /// Reads a name.
    ///
    /// - Throws: ``InputError`` whose message continues the name of an option.
    public init(_ text: String) throws(InputError) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard name.wholeMatch(of: #/[a-z0-9][a-z0-9.-]*/#) != nil, parts.count <= 2 else {
            throw InputError(
                "'\(text)' is not a root store",
                remedy: "write a name and a day, like mozilla@2021-05; see probe roots list")
        }
        store = name
        day = parts.dropFirst().first.map(String.init)
        if let day, !Self.isDay(day) {
            throw InputError(
                "'\(text)' has no date after the @",
                remedy: "write a year, a month or a day, like 2021, 2021-05 or 2021-05-30")
        }
    }

    /// The last day that the name may mean: the end of a month or of a year.
    var lastDay: String? { day.map { $0 + "-12-31".suffix(max(0, 10 - $0.utf8.count)) } }

    /// The name as it was written.
    public var description: String { day.map { "\(store)@\($0)" } ?? store }

    /// Returns true for a year, a month or a day of the calendar.
    static func isDay(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: #/(\d{4})(?:-(\d\d)(?:-(\d\d))?)?/#) else { return false }
        let day = "\(match.1)-\(match.2 ?? "01")-\(match.3 ?? "01")"
        return (try? RFC3339.parse("\(day)T00:00:00Z")) != nil
    }
}
