import ProbeKit
import ProbePlatform

extension FuzzTarget {
    /// Instants of HTTP and of RFC 3339, and lengths of time: what is written is read back as the same.
    static let dateText = FuzzTarget("date-text", upTo: 64) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        if let date = HTTPDate.parse(text, now: now) {
            let written = HTTPDate.format(date)
            try hold(HTTPDate.parse(written, now: now) == date, "'\(text)' is written as '\(written)'")
        }
        if let date = try? RFC3339.parse(text) {
            let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
            let written = RFC3339.format(date)
            try hold((try? RFC3339.parse(written)) == second, "'\(text)' is written as '\(written)'")
        }
        if let duration = try? DurationText.parse(text) {
            let written = DurationText.format(duration)
            try hold((try? DurationText.parse(written)) == duration, "'\(text)' is written as '\(written)'")
            try hold(!DurationText.words(duration).isEmpty, "a duration without words")
        }
    }
}
