import ProbePlatform

/// The maximum validity period of a server certificate, by its date of issue.
///
/// A period counts both ends (RFC 5280 section 4.1.2.5), a day has 86 400 seconds, and any excess is a further day
/// (Apple 102028). Apple's code is more lenient than its text: it does not count the last second, and for the limit of
/// 825 days it accepts an extra hour. A period that only the text forbids is a warning.
struct ATSLifetime: Equatable {
    /// The first `notBefore` it applies to, in seconds since 1970.
    let since: Int
    let days: Int
    /// The seconds beyond `days` that Apple's code accepts.
    let slack: Int

    /// Below the anchors that Apple ships: 398 days for certificates issued on or after 2020-09-01, before that 825.
    static let system = [
        ATSLifetime(since: 1_561_939_200, days: 825, slack: 3600),
        ATSLifetime(since: 1_598_918_400, days: 398, slack: 0),
    ]

    /// Below added anchors: 825 days for certificates issued on or after 2019-07-01.
    static let added = [ATSLifetime(since: 1_561_939_200, days: 825, slack: 3600)]

    /// CA/Browser Forum ballot SC-081v3: from 2026-03-15, 2027-03-15 and 2029-03-15.
    static let schedule = [
        ATSLifetime(since: 1_773_532_800, days: 200, slack: 0), ATSLifetime(since: 1_805_068_800, days: 100, slack: 0),
        ATSLifetime(since: 1_868_227_200, days: 47, slack: 0),
    ]

    /// The result of comparing a validity period with a limit.
    enum Judgement: Equatable {
        case within
        /// The text forbids it, the code accepts it.
        case tolerated
        case exceeded
    }

    /// Returns the limit for a certificate of an age; nil if none applies.
    static func limit(for notBefore: Date, among limits: [ATSLifetime]) -> ATSLifetime? {
        limits.last { notBefore >= Date(timeIntervalSince1970: TimeInterval($0.since)) }
    }

    func judge(notBefore: Date, notAfter: Date) -> Judgement {
        let seconds = notAfter.timeIntervalSince(notBefore)
        let limit = TimeInterval(days * 86_400)
        return seconds + 1 <= limit ? .within : seconds <= limit + TimeInterval(slack) ? .tolerated : .exceeded
    }

    /// Returns the days a validity has, a begun one counting.
    static func days(notBefore: Date, notAfter: Date) -> Int {
        Int(((notAfter.timeIntervalSince(notBefore) + 1) / 86_400).rounded(.up))
    }
}
