import ProbeKit
package import ProbePlatform
import Synchronization

/// A backend program: started on demand, kept running, and restarted after a fault.
///
/// Requests are sent to it concurrently. When it is lost, the requests that may not have caused it are repeated, one at
/// a time, so that a fault costs one probe.
actor ExternalProgram {
    nonisolated let path: String
    private nonisolated let report: Mutex<(hello: WireHelloReply, fault: ProgramFault?)>
    private let kind: ProgramKind
    /// The reason why it can't be used; nil once it reported its identity.
    private var unusable: ProgramFault?
    /// The time from which a program that can't be used is started again: a slow machine may have made it late.
    private var nextStart = ContinuousClock.now
    private let pause: Duration
    private let gate = ProgramGate()
    /// The time limit for its hello.
    private let patience: Duration
    private var run: ProgramRun?
    /// The start in progress, which all callers wait for.
    private var starting: Task<Result<ProgramRun, ProgramFault>, Never>?

    /// Starts a program and reads its identity.
    ///
    /// - Throws: ``ProgramFault`` if it does not.
    init(
        path: String, kind: ProgramKind, name: String, patience: Duration = ProgramLimits.hello
    ) async throws(ProgramFault) {
        let run = ProgramRun(path: path)
        let hello = try await Self.greet(run, kind: kind, within: patience)
        guard hello.name == name else {
            await run.stop()
            throw Self.stranger(hello, path)
        }
        report = Mutex((hello, nil))
        pause = .zero
        self.path = path
        self.kind = kind
        self.run = run
        self.patience = patience
        unusable = nil
    }

    /// Creates a program that was found and did not report its identity: requests to it fail with that fault, until it does.
    ///
    /// - Parameter pause: the time between two starts.
    init(
        unusable fault: ProgramFault, path: String, kind: ProgramKind, name: String, capabilities: [String],
        patience: Duration = ProgramLimits.hello, pause: Duration = ProgramLimits.pause
    ) {
        self.path = path
        self.kind = kind
        report = Mutex((WireHelloReply(ofUnusable: name, kind: kind, capabilities: capabilities), fault))
        unusable = fault
        self.patience = patience
        self.pause = pause
        nextStart = .now + pause
    }

    /// Its last report of its identity, or a substitute before the first one.
    nonisolated var hello: WireHelloReply { report.withLock(\.hello) }

    /// The reason why there is only a substitute; nil once it reported its identity.
    nonisolated var fault: ProgramFault? { report.withLock(\.fault) }

    deinit {
        run?.close()
    }

    /// Asks, and reads the reply.
    ///
    /// - Throws: ``ProgramFault``.
    nonisolated func ask<Reply: Sendable>(
        _ question: ProgramQuestion, read: @Sendable (Data) throws -> Reply
    ) async throws(ProgramFault) -> Reply {
        var answer = await ask(question, alone: false)
        // A question asked for another request's approval can't be asked alone.
        if case .lost = answer.1, !ProgramGate.isInside { answer = await ask(question, alone: true) }
        switch answer.1 {
        case .fault(let fault), .lost(let fault): throw fault
        case .reply(let line, let id):
            do {
                return try read(line)
            } catch {
                let fault = ProgramFault(
                    .garbled, "the \(question.type) reply of \(path) is malformed: \(JSONFault.reason(error))")
                await answer.0?.markFaulty(fault.message, of: id)
                throw fault
            }
        }
    }

    /// Lets the program end; a request that comes meanwhile starts it anew.
    func stop() async {
        let ending = run
        run = nil
        await ending?.stop()
    }

    private nonisolated func ask(
        _ question: ProgramQuestion, alone: Bool
    ) async -> (ProgramRun?, ProgramAnswer) {
        let passes = ProgramGate.isInside
        let late = ProgramAnswer.fault(ProgramFault(.hung, "there was no time left to ask \(path)"))
        if !passes, await !gate.enter(alone: alone, by: question.deadline) {
            return (nil, Task.isCancelled ? .fault(.cancelled) : late)
        }
        let answer: (ProgramRun?, ProgramAnswer)
        switch await running(by: question.deadline) {
        case .failure(let fault): answer = (nil, .fault(fault))
        case .success(let run) where question.deadline.remaining > .zero: answer = (run, await run.ask(question))
        case .success(let run): answer = (run, late)
        }
        if !passes { await gate.leave() }
        return answer
    }

    /// Returns the running program; a start that takes longer than the deadline continues for later callers.
    private func running(by deadline: Deadline) async -> Result<ProgramRun, ProgramFault> {
        if let unusable, ContinuousClock.now < nextStart { return .failure(unusable) }
        if let run, await run.fault == nil { return .success(run) }
        let (results, found) = AsyncStream.makeStream(of: Result<ProgramRun, ProgramFault>.self)
        let late = Result<ProgramRun, ProgramFault>.failure(ProgramFault(.hung, "\(path) did not start in time"))
        Task { found.yield(await running()) }
        let timer = Task {
            try await Task.sleep(until: deadline.instant + ProgramLimits.grace, clock: .continuous)
            found.yield(late)
        }
        defer { timer.cancel() }
        for await result in results { return result }
        return Task.isCancelled ? .failure(.cancelled) : late
    }

    /// Returns the program as it runs, started if need be.
    private func running() async -> Result<ProgramRun, ProgramFault> {
        if let starting { return await starting.value }
        if let run, await run.fault == nil { return .success(run) }
        // Another caller may have started it meanwhile.
        if let starting { return await starting.value }
        let isKnown = unusable == nil
        let start = Task { [path, kind, hello, patience] () -> Result<ProgramRun, ProgramFault> in
            let run = ProgramRun(path: path)
            do throws(ProgramFault) {
                let reply = try await Self.greet(run, kind: kind, within: patience)
                guard isKnown ? reply.isSame(as: hello) : reply.name == hello.name else {
                    await run.stop()
                    throw isKnown
                        ? ProgramFault(.garbled, "\(path) says something else of itself than when it was first started")
                        : Self.stranger(reply, path)
                }
                report.withLock { $0 = (reply, nil) }
                unusable = nil
                return .success(run)
            } catch {
                if !isKnown { (unusable, nextStart) = (error, .now + pause) }
                return .failure(error)
            }
        }
        starting = start
        let result = await start.value
        run = try? result.get()
        starting = nil
        return result
    }

    private static func stranger(_ hello: WireHelloReply, _ path: String) -> ProgramFault {
        ProgramFault(.garbled, "\(path) says that it is '\(hello.name)'")
    }

    /// Sends hello and reads the program's identity.
    private static func greet(
        _ run: ProgramRun, kind: ProgramKind, within patience: Duration
    ) async throws(ProgramFault) -> WireHelloReply {
        let hello = ProgramQuestion("hello", WireHello(kind: kind), deadline: .after(patience))
        switch await run.ask(hello) {
        case .fault(let fault), .lost(let fault):
            await run.stop()
            throw fault
        case .reply(let line, let id):
            do {
                return try ProgramJSON.decode(WireHelloReply.self, line).checked(kind: kind)
            } catch {
                let fault =
                    error as? ProgramFault
                    ?? ProgramFault(.garbled, "its hello is malformed: \(JSONFault.reason(error))")
                await run.markFaulty(fault.message, of: id)
                await run.stop()
                throw fault
            }
        }
    }
}

/// The result of a request.
enum ProgramAnswer: Sendable {
    /// The reply's line.
    case reply(Data, id: Int)
    /// The request is one that the program can't do or answer.
    case fault(ProgramFault)
    /// The program was lost while several requests were in progress, and this one may not be the cause.
    case lost(ProgramFault)
}

/// Limits on the memory and time that a program may use.
public enum ProgramLimits: Sendable {
    /// The longest line, in bytes.
    public static let lineBytes = 8 << 20
    /// The number of bytes of standard error kept.
    public static let errorBytes = 16 << 10
    /// The time limit for a program's hello.
    public static let hello = Duration.seconds(10)
    /// The time after which a program that missed its first hello is started again.
    public static let pause = Duration.seconds(30)
    /// The time that a reply may take after its deadline.
    public static let grace = Duration.milliseconds(500)
    /// The time for which a program may wait for a processor meanwhile, which does not count.
    public static let patience = Duration.seconds(10)
    /// The time between two looks at what a program waited.
    static let turn = Duration.milliseconds(250)
    /// The time limit for a program to exit after its input has ended.
    public static let ending = Duration.seconds(2)
}

/// Splits a stream of bytes into lines of limited length.
package struct ProgramLines {
    private var partial: [UInt8] = []

    package init() {}

    /// Returns the lines that `bytes` complete, without their ends; nil if one is too long.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]]? {
        var lines: [[UInt8]] = []
        for piece in Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if piece.offset > 0 {
                lines.append(partial)
                partial = []
            }
            guard partial.count + piece.element.count <= ProgramLimits.lineBytes else { return nil }
            partial += piece.element
        }
        return lines
    }
}

/// One request to a program, as written each time it is sent.
struct ProgramQuestion: Sendable {
    /// The type of the request, which its reply repeats.
    let type: String
    let deadline: Deadline
    /// The line for an id, without its end.
    let line: @Sendable (_ id: Int) throws -> Data
    /// Decides whether the program may continue, from the facts so far; nil if there is nothing to approve.
    let approve: (@Sendable (Data) async throws -> Bool)?

    init(
        _ type: String, _ body: some Encodable & Sendable, deadline: Deadline,
        approve: (@Sendable (Data) async throws -> Bool)? = nil
    ) {
        self.type = type
        self.deadline = deadline
        self.approve = approve
        line = { id in
            try ProgramJSON.encode(
                WireRequest(id: id, type: type, deadline: deadline.remaining.inSeconds, body: body))
        }
    }
}

/// The JSON encoder and decoder for both sides.
package enum ProgramJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    package static func decode<Value: Decodable>(_ type: Value.Type = Value.self, _ data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
