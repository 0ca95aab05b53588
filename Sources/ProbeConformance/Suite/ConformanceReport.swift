public import ProbeKit

/// What a run of the suite found: cases × backends.
public struct ConformanceReport: Sendable {
    /// One case on one backend.
    public struct Cell: Sendable {
        /// The backend's name.
        public let backend: String
        /// What came out; nil where the case could not be played.
        public let outcome: Outcome?
        /// What the backend is held to.
        public let expected: Outcome
        /// Why this backend is held to something else than the others; nil where it is not.
        public let deviation: String?
        /// How the promise was broken; nil where it was kept.
        public let failure: String?
        /// How long it took.
        public let duration: Duration
    }

    /// One case on all the backends it concerns.
    public struct Case: Sendable, Identifiable {
        /// Its id.
        public let id: String
        /// What is promised.
        public let sentence: String
        /// Where the promise comes from.
        public let source: String
        /// In the order of the backends.
        public let cells: [Cell]

        /// Whether every backend kept the promise.
        public var isKept: Bool { cells.allSatisfy { $0.failure == nil } }

        /// Whether every backend came to the same outcome. One that declares that it can't do what the case needs has none.
        public var isEqual: Bool { Set(cells.filter { $0.outcome != .unsupported }.map(\.outcome)).count <= 1 }

        /// Whether some backend is known to differ.
        public var isKnownToDiffer: Bool { cells.contains { $0.deviation != nil } }
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

    /// The cases in which backends differ, and are not known to.
    public var differences: [Case] { cases.filter { !$0.isEqual && !$0.isKnownToDiffer } }

    /// Whether every backend is what it promises to be, and all of them are alike.
    public var isKept: Bool { cases.allSatisfy(\.isKept) && differences.isEmpty }
}
