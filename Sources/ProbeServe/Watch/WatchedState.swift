import ProbeKit
import ProbePlatform
import ProbeRun

/// The last verdict about a watched target, and how it came about. It is kept as JSON.
struct WatchedState: Codable, Sendable {
    /// A stack's verdict.
    struct Stack: Codable, Hashable, Sendable {
        /// The transport, or the resolver, and the service of a profile.
        let name: String
        let outcome: Outcome
        let code: String?
        let message: String?
        let fix: String?
    }

    /// A verdict that is another than before.
    struct Change: Codable, Hashable, Sendable {
        let time: Date
        let stack: String
        let from: Outcome?
        let to: Outcome
        let code: String?
    }

    /// A certificate that the server sent.
    struct Certificate: Codable, Hashable, Sendable {
        let subject: String
        let notBefore: Date
        let notAfter: Date
    }

    /// The number of changes that are kept.
    private static let maximalChanges = 50

    private(set) var checkedAt: Date
    private(set) var isSuccess: Bool
    /// The reason of a failure that no stack has, like a name without an address.
    private(set) var reason: String?
    private(set) var stacks: [Stack]
    private(set) var certificates: [Certificate]
    /// The last one first.
    private(set) var changes: [Change]
    private(set) var metrics: MetricSet

    /// The state after an answer.
    ///
    /// - Parameter before: the state that it replaces.
    init(_ answer: ProbeAnswer, at now: Date, after before: WatchedState?) {
        checkedAt = now
        isSuccess = answer.isSuccess
        reason = answer.results.isEmpty ? answer.steps.last : nil
        stacks = answer.results.map(Stack.init)
        metrics = answer.metrics
        let connection = answer.results.compactMap(\.evidence.connection).first { !$0.presented.isEmpty }
        certificates =
            connection.map { connection in
                connection.presented.compactMap { index in
                    connection.certificates[index].details.map {
                        Certificate(subject: $0.subject, notBefore: $0.notBefore, notAfter: $0.notAfter)
                    }
                }
            } ?? before?.certificates ?? []
        var changes = before?.changes ?? []
        for stack in stacks {
            let last = before?.stacks.first { $0.name == stack.name }
            guard last?.outcome != stack.outcome || last?.code != stack.code else { continue }
            changes.insert(
                Change(time: now, stack: stack.name, from: last?.outcome, to: stack.outcome, code: stack.code), at: 0)
        }
        self.changes = Array(changes.prefix(Self.maximalChanges))
    }
}

extension WatchedState.Stack {
    fileprivate init(_ result: ProbeResult) {
        let names = [result.evidence.connection?.transport.name, result.evidence.model?.resolver.name]
        let stack = names.compactMap(\.self).joined(separator: "+")
        let finding = result.verdict.decidingFinding
        self.init(
            name: result.service.map { "\($0) \(stack)" } ?? stack, outcome: result.verdict.outcome,
            code: finding?.code, message: finding?.message, fix: finding?.fix)
    }
}
