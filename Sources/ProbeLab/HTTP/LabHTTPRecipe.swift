import ProbeKit
import ProbePlatform

/// A web server of the lab, which answers every request in the same way: with an empty body, and a `Date`.
public struct LabHTTPRecipe: Hashable, Sendable {
    /// The value of a `Date` field.
    public enum Instant: Hashable, Sendable {
        /// A number of seconds after the PKI's epoch, as IMF-fixdate.
        case at(Int)
        /// Any text.
        case text(String)
    }

    /// The status code.
    public var status: Int
    /// The `Date` fields, in order.
    public var dates: [Instant]
    /// The `Age` fields, in order.
    public var ages: [String]
    /// The `Retry-After` field.
    public var retryAfter: String?
    /// The `Location` field.
    public var location: String?
    /// The number of interim responses, 103, that come first.
    public var interim: Int

    /// Creates a server.
    public init(
        status: Int = 200, dates: [Instant] = [.at(0)], ages: [String] = [], retryAfter: String? = nil,
        location: String? = nil, interim: Int = 0
    ) {
        self.status = status
        self.dates = dates
        self.ages = ages
        self.retryAfter = retryAfter
        self.location = location
        self.interim = interim
    }

    /// Returns the fields of its responses, names in lowercase.
    func fields(epoch: Date) -> [(name: String, value: String)] {
        dates.map { instant in
            switch instant {
            case .at(let seconds): ("date", HTTPDate.format(epoch.addingTimeInterval(TimeInterval(seconds))))
            case .text(let text): ("date", text)
            }
        } + ages.map { ("age", $0) } + (retryAfter.map { [("retry-after", $0)] } ?? [])
            + (location.map { [("location", $0)] } ?? [])
    }
}
