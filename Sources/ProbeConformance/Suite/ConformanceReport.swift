public import ProbeKit

/// What a run of the suite found: cases × backends.
public struct ConformanceReport: Sendable {
    /// One case on one backend.
    public struct Cell: Sendable {
        /// The backend's name.
        public let backend: String
        /// What came out; nil if the case could not be played.
        public let outcome: Outcome?
        /// What the backend is held to.
        public let expected: Outcome
        /// Why this backend is held to something else than the others; nil if it is not.
        public let deviation: String?
        /// How the promise was broken; nil if it was kept.
        public let failure: String?
        /// How long it took.
        public let duration: Duration
        /// What the backend reported, and what was made of it; nil if nothing came out.
        public var evidence: ConformanceEvidence?

        /// Whether nothing was found out about the promise: the case could not be played, or the backend faulted.
        public var isFault: Bool { outcome == nil || failure != nil && outcome == .internalError }
    }

    /// One case on all the backends it concerns.
    public struct Case: Sendable, Identifiable {
        /// Its id.
        public let id: String
        /// What is promised.
        public let sentence: String
        /// Where the promise comes from.
        public let source: String
        /// What is promised to come out.
        public let expected: Outcome
        /// The code of the finding that decides it; nil if any will do.
        public let expectedCode: String?
        /// In the order of the backends.
        public let cells: [Cell]

        /// Whether every backend kept the promise.
        public var isKept: Bool { cells.allSatisfy { $0.failure == nil } }

        /// Whether every backend came to the same outcome. One that declares that it can't do what the case needs has none.
        public var isEqual: Bool { Self.areEqual(cells) }

        /// Whether some backend is known to differ.
        public var isKnownToDiffer: Bool { cells.contains { $0.deviation != nil } }

        /// Whether backends differ that are not known to.
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

    /// All cases.
    public var cases: [Case] { tls + dns + signatures }

    /// How each broken promise was broken.
    public var failures: [String] {
        cases.flatMap { row in row.cells.compactMap { cell in cell.failure.map { "\(cell.backend): \($0)" } } }
    }

    /// The cases in which backends differ that are not known to.
    public var differences: [Case] { cases.filter(\.isDifferent) }

    /// Whether every backend is what it promises to be, and all of them are alike.
    public var isKept: Bool { cases.allSatisfy(\.isKept) && differences.isEmpty }
}
