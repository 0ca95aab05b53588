import ProbeKit

/// The search for differences between implementations: examples are made from a seed, put to all of them, and those that
/// are answered differently are grouped by the fewest rules that make the difference.
///
/// The examples are judged in the order of their numbers, whatever the order of their answers: the same seed and the same
/// number of examples give the same kinds.
public struct Exploration<Example: Explorable>: Sendable {
    /// The result of a search.
    public struct Report: Sendable {
        /// The seed of the examples.
        public let seed: UInt64
        /// The number of examples that were judged.
        public internal(set) var examples = 0
        /// The number of questions that were put, those about simpler examples included.
        public internal(set) var questions = 0
        /// The number of examples that were answered differently.
        public internal(set) var differing = 0
        /// The kinds in the order they were found.
        public internal(set) var kinds: [ExploredKind<Example>] = []
        /// True if there were more kinds than are kept.
        public internal(set) var isFull = false
    }

    private let seed: UInt64
    private let width: Int
    private let ask: @Sendable (Example) async -> ExploredAnswers

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - seed: the seed of the examples.
    ///   - width: the number of questions in progress.
    ///   - ask: puts a question to every implementation; it always returns.
    public init(seed: UInt64, width: Int = 16, ask: @escaping @Sendable (Example) async -> ExploredAnswers) {
        self.seed = seed
        self.width = max(1, width)
        self.ask = ask
    }

    /// The most kinds that are kept.
    private static var maximumKinds: Int { 20_000 }

    /// Searches until there are so many examples, or until no further one is wanted.
    ///
    /// - Parameters:
    ///   - limit: the number of examples; nil for any.
    ///   - shouldContinue: returns false once no further example is to be asked.
    ///   - progress: called after each example.
    public func run(
        examples limit: Int?, while shouldContinue: @escaping @Sendable () -> Bool = { true },
        progress: (@Sendable (Report) -> Void)? = nil
    ) async -> Report {
        var catalogue = Catalogue(Report(seed: seed))
        await withTaskGroup(of: (Int, Example, ExploredAnswers).self) { group in
            var (made, judged) = (0, 0)
            var waiting: [Int: (Example, ExploredAnswers)] = [:]
            while true {
                while made - judged < width, limit.map({ made < $0 }) ?? true, shouldContinue() {
                    let number = made
                    made += 1
                    group.addTask { [seed, ask] in
                        let example = Example(seed: seed, number: number)
                        return (number, example, await ask(example))
                    }
                }
                guard let (number, example, answers) = await group.next() else { break }
                waiting[number] = (example, answers)
                while let (example, answers) = waiting.removeValue(forKey: judged) {
                    await judge(example, judged, answers, &catalogue)
                    judged += 1
                    progress?(catalogue.report)
                }
            }
        }
        return catalogue.report
    }

    private func judge(
        _ example: Example, _ number: Int, _ answers: ExploredAnswers, _ catalogue: inout Catalogue
    ) async {
        catalogue.report.examples += 1
        catalogue.report.questions += 1
        var open = answers.differences
        guard !open.isEmpty else { return }
        catalogue.report.differing += 1
        catalogue.count(rules: example.rules, &open)
        while let difference = open.min() {
            // One that hangs would hang again for each simpler example.
            let isFault = answers.backends.contains { $0.answer?.isFault ?? false }
            let (simple, simpleAnswers) =
                isFault
                ? (example, answers)
                : await simplest(example, answers, showing: difference, &catalogue.report.questions)
            open.subtract(simpleAnswers.differences)
            open.remove(difference)
            guard catalogue.report.kinds.count < Self.maximumKinds else {
                catalogue.report.isFull = true
                return
            }
            catalogue.add(
                ExploredKind(
                    rules: simple.rules.sorted(), differences: simpleAnswers.differences.sorted(), count: 1,
                    first: number, example: simple, answers: simpleAnswers))
        }
    }

    /// Takes away mutations, and takes simpler shapes, as long as one difference remains.
    private func simplest(
        _ example: Example, _ answers: ExploredAnswers, showing difference: ExploredDifference, _ questions: inout Int
    ) async -> (Example, ExploredAnswers) {
        var best = (example, answers)
        search: while true {
            for candidate in best.0.simpler {
                questions += 1
                let found = await ask(candidate)
                guard found.differences.contains(difference) else { continue }
                best = (candidate, found)
                continue search
            }
            return best
        }
    }

    /// The kinds found so far, by their rules.
    private struct Catalogue {
        var report: Report
        private var places: [[String]: [Int]] = [:]

        init(_ report: Report) {
            self.report = report
        }

        /// Counts the known kinds that an example with these rules shows, and takes away what they explain.
        mutating func count(rules: [String], _ open: inout Set<ExploredDifference>) {
            let all = open
            let sorted = Set(rules).sorted()
            for subset in 0..<(1 << min(sorted.count, 16)) {
                let key = sorted.indices.filter { subset >> $0 & 1 == 1 }.map { sorted[$0] }
                for place in places[key] ?? [] where !all.isDisjoint(with: report.kinds[place].differences) {
                    report.kinds[place].count += 1
                    open.subtract(report.kinds[place].differences)
                }
            }
        }

        mutating func add(_ kind: ExploredKind<Example>) {
            let same = places[kind.rules]?.first { report.kinds[$0].differences == kind.differences }
            if let same {
                report.kinds[same].count += 1
            } else {
                places[kind.rules, default: []].append(report.kinds.count)
                report.kinds.append(kind)
            }
        }
    }
}
