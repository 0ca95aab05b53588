import ProbeConformance
import ProbeExternal
import ProbeKit
import ProbePlatform
import Subprocess

/// A process of ours that runs `probe verify --batch`: a library that crashes or hangs takes that process along, and not
/// the search.
actor VerifyWorker {
    private struct Pending {
        var lines: [VerifyAnswerLine] = []
        let answer: CheckedContinuation<[VerifyAnswerLine]?, Never>
        let expiry: Task<Void, any Error>
    }

    private let arguments: [String]
    /// The number of lines of an answer.
    private let count: Int
    private let patience: Duration
    private let lines: AsyncStream<[UInt8]>
    private nonisolated let input: AsyncStream<[UInt8]>.Continuation
    private var work: Task<Void, Never>?
    private var pending: [String: Pending] = [:]
    private var lastID = 0
    /// True once it can't be asked any more.
    private(set) var isLost = false
    /// True if it was lost because it did not answer.
    private(set) var hung = false

    /// - Parameters:
    ///   - backends: the backends to ask.
    ///   - options: the options that find them.
    ///   - patience: the time after which it hangs.
    init(backends: [String], options: [String], patience: Duration) {
        arguments =
            ["verify", "--batch", "-"] + backends.flatMap { ["--backend", $0] } + options
        count = backends.count
        self.patience = patience
        (lines, input) = AsyncStream<[UInt8]>.makeStream()
    }

    /// Returns a line for each backend; nil if the process was lost before.
    func ask(_ question: TrustQuestion) async -> [VerifyAnswerLine]? {
        guard !isLost else { return nil }
        if work == nil { start() }
        lastID += 1
        let id = "\(lastID)"
        return await withCheckedContinuation { answer in
            let expiry = Task {
                try await Task.sleep(for: patience)
                expire(id)
            }
            pending[id] = Pending(answer: answer, expiry: expiry)
            input.yield(Array((JSONText.line(VerifyRequest(id, question)) + "\n").utf8))
        }
    }

    /// Lets the process end.
    func stop() async {
        input.finish()
        await work?.value
    }

    private func expire(_ id: String) {
        guard pending[id] != nil else { return }
        hung = true
        lose()
        work?.cancel()
    }

    private func lose() {
        isLost = true
        input.finish()
        for question in pending.values {
            question.expiry.cancel()
            question.answer.resume(returning: nil)
        }
        pending = [:]
    }

    private func take(_ line: String) {
        guard let answer = try? JSONDecoder().decode(VerifyAnswerLine.self, from: Data(line.utf8)), let id = answer.id,
            var question = pending[id]
        else { return }
        question.lines.append(answer)
        pending[id] = question
        guard question.lines.count == count || answer.transport == nil else { return }
        pending[id] = nil
        question.expiry.cancel()
        question.answer.resume(returning: question.lines)
    }

    private func start() {
        work = Task { [arguments, lines] in
            // A worker that can ends its programs, which have groups of their own.
            _ = try? await ProgramSession.run(
                .own, Arguments(arguments), notice: .milliseconds(500), lines: lines, errors: .discarded
            ) { execution in
                do {
                    for try await line in execution.standardOutput.strings() { take(line) }
                } catch {}
                lose()
            }
            lose()
        }
    }
}

extension TrustQuestion {
    /// The question as a line of a batch.
    var batchLine: String { JSONText.line(VerifyRequest("question", self)) }
}

/// A line of the answer of `probe verify --batch`.
struct VerifyAnswerLine: Decodable, Sendable {
    struct Native: Decodable {
        let accepted: Bool
        let cause: TrustCause?
        let nativeCode: String?
    }

    struct Reference: Decodable {
        let accepted: Bool
        let cause: TrustCause?
    }

    let id: String?
    let transport: String?
    let native: Native?
    let reference: Reference?
    let outcome: Outcome?
    let error: String?

    /// The verifier's answer; nil if it does not support the question.
    var answer: ExploredAnswer? {
        guard let native else {
            guard outcome == .internalError else { return nil }
            let message = fault == nil ? error : error.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
            return (fault == .hung ? ExploredAnswer.hung : .crashed).because(fault?.rawValue, message)
        }
        return ExploredAnswer(accepted: native.accepted, cause: native.cause, nativeCode: native.nativeCode)
    }

    /// The fault of a verifier that is a program; nil for any other.
    private var fault: ProgramFault.Code? {
        error.flatMap { ProgramFault.Code(rawValue: String($0.prefix { $0 != ":" })) }
    }
}
