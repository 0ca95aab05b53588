public import ProbePlatform

/// The server's time, from its HTTP response (requirement 13), and its difference from our clock.
public enum ServerTime: Hashable, Sendable {
    /// The server's time when the response arrived, and the seconds our clock is ahead of it.
    case known(Date, skew: Int)
    /// The time is missing or ambiguous, with the reason.
    case unknown(String)

    /// Reads a response: its `Date`, to which `Age` is added if a cache answered (RFC 9111 section 5.1).
    ///
    /// - Parameter instant: our clock when the response arrived.
    public init(_ report: HTTPReport, at instant: Date) {
        switch report.outcome {
        case .none(let reason): self = .unknown("there was no HTTP response: \(reason)")
        case .response(let response): self.init(response, at: instant)
        }
    }

    private init(_ response: HTTPReport.Response, at instant: Date) {
        guard let text = response.date.first else {
            self = .unknown("the HTTP response has no Date")
            return
        }
        guard response.date.count == 1, let date = HTTPDate.parse(text, now: instant) else {
            self = .unknown("the HTTP response has the Date '\(response.date.joined(separator: "', '"))'")
            return
        }
        var age = 0
        if let text = response.age.first {
            guard response.age.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text),
                value <= 1 << 31
            else {
                self = .unknown("the HTTP response has the Age '\(response.age.joined(separator: "', '"))'")
                return
            }
            age = value
        }
        let corrected = date.addingTimeInterval(TimeInterval(age))
        let skew = instant.timeIntervalSince1970.rounded(.down) - corrected.timeIntervalSince1970
        self = .known(corrected, skew: Int(skew))
    }
}
