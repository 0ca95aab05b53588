import ProbeKit
import ProbePlatform

/// The time for which a server asks not to be asked again (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Reads the fields of a response.
    ///
    /// - Parameter instant: our time, for comparing with a date.
    /// - Returns: the wait: zero for a date in the past, and never more than the longest wait we honour; nil if no
    ///   field can be read.
    static func wait(_ response: HTTPReport.Response, at instant: Date) -> Duration? {
        guard response.retryAfter.count == 1, let text = response.retryAfter.first else { return nil }
        let longest = WatchSettings.longestRetryAfter
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int32(text).map { min(.seconds($0), longest) } ?? longest
        }
        guard let date = HTTPDate.parse(text, now: instant) else { return nil }
        let seconds = date.timeIntervalSince(instant).rounded(.up)
        return seconds < longest.inSeconds ? .seconds(max(0, Int(seconds))) : longest
    }
}
