public import ProbePlatform

/// All facts that one resolver reports about one model check.
public struct ModelEvidence: Sendable {
    /// One host's answer.
    public struct Answer: Sendable {
        /// The queried name.
        public let host: DNSName
        /// The resolver's report.
        public let report: DNSReport
        /// The combined result of both parses.
        public let reading: ModelReading
        /// The time the resolver took; its attempts may overlap.
        public let duration: Duration

        /// The server whose reply was read; nil if nothing is known.
        public var server: String? {
            if case .indeterminate = reading { return nil }
            return report.attempts.last?.server
        }

        /// The servers that were asked, each once, in that order. A query that could not be made was sent to none.
        package var asked: [String] {
            report.attempts.filter { $0.failure?.code != .badQuery }.map(\.server)
                .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }

        /// Creates an answer.
        public init(host: DNSName, report: DNSReport, reading: ModelReading, duration: Duration) {
            self.host = host
            self.report = report
            self.reading = reading
            self.duration = duration
        }
    }

    /// The resolver.
    public let resolver: BackendIdentity
    /// The model that was looked for; nil if only the list was asked for.
    public let model: ModelName?
    /// The answers in the order of the walk.
    public let answers: [Answer]
    /// The capabilities that the query needed and the resolver does not declare; if there are any, nothing was sent.
    public let missing: Set<ResolverCapability>
    /// The time at which the cache remembers the model being on the list; then no server was asked, and there are no
    /// answers.
    public let remembered: Date?

    /// Creates evidence.
    public init(resolver: BackendIdentity, model: ModelName?, answers: [Answer], missing: Set<ResolverCapability>) {
        self.init(resolver: resolver, model: model, answers: answers, missing: missing, remembered: nil)
    }

    /// The same, or a success that is remembered in place of answers.
    package init(
        resolver: BackendIdentity, model: ModelName?, answers: [Answer], missing: Set<ResolverCapability>,
        remembered: Date?
    ) {
        self.remembered = remembered
        self.resolver = resolver
        self.model = model
        self.answers = answers
        self.missing = missing
    }

    /// The total time of the answers: the names are asked one after the other.
    public var duration: Duration { answers.map(\.duration).reduce(.zero, +) }

    /// True if the check was made and has no result.
    package var isOpen: Bool {
        if case .indeterminate? = deciding?.reading { true } else { false }
    }

    /// The deciding answer: one that mentions the model, else one that leaves it open, else the last one that reports
    /// that there is no list.
    public var deciding: Answer? {
        answers.first { $0.reading.isAuthoritative }
            ?? answers.first { if case .indeterminate = $0.reading { true } else { false } } ?? answers.last
    }
}

extension ModelReading {
    /// True if the walk over hosts ends here: an answer about the model, for or against it, is final.
    package var isAuthoritative: Bool {
        switch self {
        case .listed, .listedInPart, .notListed, .readingsDisagree: true
        case .absent, .indeterminate: false
        }
    }
}
