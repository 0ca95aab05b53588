import ProbeKit

extension Exploration.Report {
    /// The kinds as a table, with the reason of each known difference and a summary. It ends without a line break.
    ///
    /// - Parameters:
    ///   - noun: the examples' name in the plural, like `chains`.
    ///   - list: the differences whose reasons are known.
    public func text(_ noun: String, known list: [KnownDifference]) -> String {
        let rows = kinds.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map { place, kind in
                [
                    "\(place + 1)", "\(kind.count)", Self.mutations(kind), Self.text(kind.answers.reference),
                    kind.differences.map { Self.text($0, kind) }.joined(separator: ", "), Self.knowledge(kind, list),
                ]
            }
        let table = TextTable(
            columns: ["KIND", "COUNT", "MUTATIONS", "REFERENCE", "DIFFERENT", "KNOWN"], rows: rows
        ).text
        return (rows.isEmpty ? "" : table + "\n\n") + summary(noun, known: list)
    }

    /// The summary alone, on one line.
    public func summary(_ noun: String, known list: [KnownDifference]) -> String {
        let new = kinds.count { $0.known(in: list) == nil }
        let faults = kinds.count(where: \.isFault)
        return "seed \(seed): \(examples) \(noun), \(differing) answered differently, \(kinds.count) kinds, \(new) new"
            + (faults == 0 ? "" : ", \(faults) with a backend that hung or crashed")
            + (isFull ? "; there were more kinds than are kept" : "")
    }

    /// One JSON object for each kind, in the order they were found; keys are always present.
    ///
    /// - Parameters:
    ///   - subject: `chain` or `reply`.
    ///   - list: the differences whose reasons are known.
    ///   - files: returns the files of a kind, by its number; nil if none were written.
    public func lines(
        _ subject: String, known list: [KnownDifference], files: (Int) -> [String]? = { _ in nil }
    ) -> [String] {
        kinds.enumerated().map { place, kind in
            let known = kind.known(in: list)
            return JSONText.line(
                Line(
                    subject: subject, kind: place + 1, count: kind.count, seed: seed, first: kind.first,
                    shape: kind.example.shape, mutations: kind.example.rules,
                    reference: Line.Answer(kind.answers.reference),
                    backends: kind.answers.backends.map {
                        .init(backend: $0.name, answer: $0.answer.map(Line.Answer.init))
                    },
                    different: kind.differences.map(\.backend), known: known != nil,
                    reasons: known.map { $0.map(\.reason) } ?? [], cases: known.map { $0.compactMap(\.scenario) } ?? [],
                    files: files(place + 1)))
        }
    }

    private static func mutations(_ kind: ExploredKind<Example>) -> String {
        (kind.example.rules.isEmpty ? ["none"] : kind.example.rules).joined(separator: " + ")
            + " of \(kind.example.shape)"
    }

    private static func text(_ answer: ExploredAnswer) -> String {
        answer.answer + (answer.cause.map { " (\($0))" } ?? "")
    }

    /// Returns a difference as text; a fault with its code.
    private static func text(_ difference: ExploredDifference, _ kind: ExploredKind<Example>) -> String {
        let answer = kind.answers.backends.first { $0.name == difference.backend }?.answer
        guard let answer, answer.isFault, let code = answer.nativeCode else { return difference.description }
        return "\(difference) (\(code))"
    }

    private static func knowledge(_ kind: ExploredKind<Example>, _ list: [KnownDifference]) -> String {
        guard let known = kind.known(in: list) else { return "NEW" }
        return Set(known.map { $0.scenario ?? $0.reason }).sorted().joined(separator: "; ")
    }
}

/// A kind as JSON.
private struct Line: Encodable {
    struct Answer: Encodable {
        let answer: String
        @Always var cause: String?
        @Always var nativeCode: String?
        @Always var message: String?

        init(_ answer: ExploredAnswer) {
            self.answer = answer.answer
            _cause = Always(wrappedValue: answer.cause)
            _nativeCode = Always(wrappedValue: answer.nativeCode)
            _message = Always(wrappedValue: answer.message)
        }
    }

    struct Backend: Encodable {
        let backend: String
        @Always var answer: Answer?
    }

    let schema = "probe-exploration/1"
    let subject: String
    let kind: Int
    let count: Int
    let seed: UInt64
    let first: Int
    let shape: String
    let mutations: [String]
    let reference: Answer
    let backends: [Backend]
    let different: [String]
    let known: Bool
    let reasons: [String]
    let cases: [String]
    @Always var files: [String]?

    private enum CodingKeys: String, CodingKey {
        case schema, subject, kind, count, seed, first, shape, mutations, reference, backends, different, known, reasons
        case cases, files
    }
}
