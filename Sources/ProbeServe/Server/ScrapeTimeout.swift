import ProbeKit

/// The time that a scraper gives a probe.
enum ScrapeTimeout {
    /// The time without a scraper's word.
    private static let usual: Duration = .seconds(120)

    /// Returns the limit of a probe: the scraper's less what the way back takes, or the module's if that is shorter.
    ///
    /// - Parameters:
    ///   - header: the value of `X-Prometheus-Scrape-Timeout-Seconds`; nil if it is not there.
    ///   - offset: what the way back takes.
    static func limit(header: String?, offset: Duration, module: Duration?) throws(ServeRefusal) -> Duration {
        var limit = usual
        if let header {
            guard let seconds = Double(header), seconds >= 0, seconds <= 86_400 else {
                throw ServeRefusal(
                    .badRequest, "X-Prometheus-Scrape-Timeout-Seconds is '\(header)', not a time in seconds")
            }
            if seconds > 0 { limit = .seconds(seconds) }
        }
        limit -= offset
        guard limit > .zero else {
            guard let module else {
                throw ServeRefusal(.badRequest, "the scrape's timeout leaves no time: it is not longer than the offset")
            }
            return module
        }
        return min(limit, module ?? limit)
    }
}
