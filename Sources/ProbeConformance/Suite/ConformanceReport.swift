public import ProbeKit

/// The results of a run of the suite: cases × backends.
public struct ConformanceReport: Sendable {
    /// One case on one backend.
    public struct Cell: Sendable {
        /// The backend's name.
        public let backend: String
        /// The outcome; nil if the case could not be played.
        public let outcome: Outcome?
        /// The outcome expected of the backend.
        public let expected: Outcome
        /// The reason why the expectation for this backend differs from the others'; nil if it does not.
        public let deviation: String?
        /// A description of the broken promise; nil if it was kept.
        public let failure: String?
        /// The duration.
        public let duration: Duration
        /// The backend's report and its verdict; nil if there was no result.
        public var evidence: ConformanceEvidence?

        /// True if nothing was found out about the promise: the case could not be played, or the backend faulted.
        public var isFault: Bool { outcome == nil || failure != nil && outcome == .internalError }
    }

    /// One case on all the backends it concerns.
    public struct Case: Sendable, Identifiable {
        /// Its id.
        public let id: String
        /// The promise.
        public let sentence: String
        /// The promise's source.
        public let source: String
        /// The promised outcome.
        public let expected: Outcome
        /// The code of the finding that decides it; nil if any will do.
        public let expectedCode: String?
        /// In the order of the backends.
        public let cells: [Cell]

        /// True if every backend kept the promise.
        public var isKept: Bool { cells.allSatisfy { $0.failure == nil } }

        /// True if every backend had the same outcome. One that declares that it lacks the case's capabilities has
        /// none.
        public var isEqual: Bool { Self.areEqual(cells) }

        /// True if some backend is known to differ.
        public var isKnownToDiffer: Bool { cells.contains { $0.deviation != nil } }

        /// True if backends differ that are not known to.
        public var isDifferent: Bool { !Self.areEqual(cells.filter { $0.deviation == nil }) }

        private static func areEqual(_ cells: [Cell]) -> Bool {
            Set(cells.filter { $0.outcome != .unsupported }.map(\.outcome)).count <= 1
        }
    }

    /// The TLS cases.
    public let tls: [Case]
    /// The DNS cases.
    public let dns: [Case]
    /// The cases about signatures over content.
    public let signatures: [Case]

    /// The ids of the cases that are left out: this machine has no address ::1, and a server of theirs needs it.
    public var leftOut: [String] = []

    /// All cases.
    public var cases: [Case] { tls + dns + signatures }

    /// Descriptions of all broken promises.
    public var failures: [String] {
        cases.flatMap { row in row.cells.compactMap { cell in cell.failure.map { "\(cell.backend): \($0)" } } }
    }

    /// The cases in which backends differ that are not known to.
    public var differences: [Case] { cases.filter(\.isDifferent) }

    /// True if every backend keeps its promises, and all of them agree.
    public var isKept: Bool { cases.allSatisfy(\.isKept) && differences.isEmpty }
}
