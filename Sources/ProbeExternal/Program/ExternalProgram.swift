import ProbeKit
import ProbePlatform
import Synchronization

/// A backend program: started on demand, kept running, and restarted after a fault.
///
/// Requests are sent to it concurrently. When it is lost, the requests that may not have caused it are repeated, one at
/// a time, so that a fault costs one probe.
actor ExternalProgram {
    nonisolated let path: String
    private nonisolated let report: Mutex<(hello: WireHelloReply, fault: ProgramFault?)>
    /// The reason why this machine can't start it; nil if it can be tried.
    nonisolated let absence: BackendAbsence?
    private let kind: ProgramKind
    /// The reason why it can't be used; nil once it reported its identity.
    private var unusable: ProgramFault?
    /// The time from which a program that can't be used is started again: a slow machine may have made it late.
    private var nextStart = ContinuousClock.now
    private let pause: Duration
    private let gate = ProgramGate()
    /// The faults that ended its lives so far.
    nonisolated let losses: ProgramLosses
    /// The time limit for its hello.
    private let patience: Duration
    private var run: ProgramRun?
    /// The start in progress, which all callers wait for.
    private var starting: (run: ProgramRun, result: Task<Result<ProgramRun, ProgramFault>, Never>)?
    /// The number of stops: a request from before the last one does not start the program again.
    private var stops = 0
    /// The stop in progress, which those that come meanwhile wait for too.
    private var stopping: Task<Void, Never>?

    /// Starts a program and reads its identity.
    ///
    /// - Throws: ``ProgramFault`` if it does not.
    init(
        path: String, kind: ProgramKind, name: String, patience: Duration = ProgramLimits.hello
    ) async throws(ProgramFault) {
        let losses = ProgramLosses()
        let run = ProgramRun(path: path, losses: losses)
        let hello = try await Self.greet(run, kind: kind, within: patience)
        guard hello.name == name else {
            await run.stop()
            throw Self.stranger(hello, path)
        }
        report = Mutex((hello, nil))
        absence = nil
        pause = .zero
        self.path = path
        self.kind = kind
        self.run = run
        self.losses = losses
        self.patience = patience
        unusable = nil
    }

    /// Creates a program that was found and did not report its identity: requests to it fail with that fault, until it does.
    ///
    /// - Parameters:
    ///   - pause: the time between two starts.
    ///   - absence: the reason why it can't be started at all.
    init(
        unusable fault: ProgramFault, path: String, kind: ProgramKind, name: String, capabilities: [String],
        patience: Duration = ProgramLimits.hello, pause: Duration = ProgramLimits.pause, absence: BackendAbsence? = nil
    ) {
        self.path = path
        self.absence = absence
        self.kind = kind
        report = Mutex((WireHelloReply(ofUnusable: name, kind: kind, capabilities: capabilities), fault))
        unusable = fault
        losses = ProgramLosses()
        self.patience = patience
        self.pause = pause
        nextStart = .now + pause
    }

    /// Creates a program that this machine can't start.
    init(absent absence: BackendAbsence, path: String, kind: ProgramKind, name: String) {
        self.init(
            unusable: ProgramFault(.notStarted, "\(absence)"), path: path, kind: kind, name: name, capabilities: [],
            absence: absence)
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
        _ question: ProgramQuestion, read: @Sendable (ProgramReply) throws -> Reply
    ) async throws(ProgramFault) -> Reply {
        let count = await self.stops
        var answer = await ask(question, alone: false, since: count)
        // A question asked for another request's approval can't be asked alone.
        if case .lost(let fault) = answer.1, !ProgramGate.isInside {
            answer = await ask(question, alone: true, since: count)
            // Otherwise the want of time would hide its reason.
            if case .late = answer.1 { answer.1 = .fault(fault.withoutTimeToRepeat) }
        }
        switch answer.1 {
        case .fault(let fault), .lost(let fault), .late(let fault): throw fault
        case .reply(let reply):
            do {
                return try read(reply)
            } catch {
                let fault = ProgramFault(
                    .garbled,
                    "the \(question.type) reply of \(path) is malformed: \(JSONFault.reason(error, in: Array(reply.line)))"
                )
                await answer.0?.markFaulty(fault.message, of: reply.id)
                throw fault
            }
        }
    }

    /// Lets the program end, even while it starts; a request that comes meanwhile starts it anew.
    func stop() async {
        stops += 1
        let ending = [run, starting?.run].compactMap { $0 }
        run = nil
        starting = nil
        let earlier = stopping
        let task = Task {
            for run in ending { await run.stop() }
            await earlier?.value
        }
        stopping = task
        await task.value
        if stopping == task { stopping = nil }
    }

    /// - Parameter count: the number of stops when the request came.
    private nonisolated func ask(
        _ question: ProgramQuestion, alone: Bool, since count: Int
    ) async -> (ProgramRun?, ProgramAnswer) {
        let passes = ProgramGate.isInside
        let late = ProgramAnswer.late(ProgramFault(.notAsked, "there was no time left to ask \(path)"))
        // To start the program for a request that can't be sent any more would only keep the caller.
        guard question.deadline.remaining > .zero else { return (nil, late) }
        guard !Task.isCancelled else { return (nil, .fault(.cancelled)) }
        if !passes, await !gate.enter(alone: alone, by: question.deadline) {
            return (nil, Task.isCancelled ? .fault(.cancelled) : late)
        }
        let answer: (ProgramRun?, ProgramAnswer)
        switch await running(by: question.deadline, since: count) {
        case .failure(let fault):
            answer = (nil, question.deadline.remaining > .zero ? .fault(fault) : .late(fault))
        case .success(let run) where question.deadline.remaining > .zero:
            // It may have reported its capabilities only now, after the caller compared the substitute's.
            let missing = question.needs.subtracting(hello.capabilities)
            answer = (run, missing.isEmpty ? await run.ask(question) : .fault(.lacking(missing, path)))
        case .success(let run): answer = (run, late)
        }
        if !passes { await gate.leave() }
        return answer
    }

    /// Returns the running program; a start that takes longer than the deadline continues for later callers.
    ///
    /// - Parameter count: the number of stops when the request came.
    private func running(by deadline: Deadline, since count: Int) async -> Result<ProgramRun, ProgramFault> {
        guard stops == count else { return .failure(.stopped(path)) }
        if let unusable, ContinuousClock.now < nextStart { return .failure(unusable) }
        if let run, await run.fault == nil { return .success(run) }
        let (results, found) = AsyncStream.makeStream(of: Result<ProgramRun, ProgramFault>.self)
        let late = Result<ProgramRun, ProgramFault>.failure(ProgramFault(.hung, "\(path) did not start in time"))
        Task { found.yield(await running(since: count)) }
        let timer = Task {
            try await Task.sleep(until: deadline.instant + ProgramLimits.grace, clock: .continuous)
            found.yield(late)
        }
        defer { timer.cancel() }
        for await result in results { return result }
        return Task.isCancelled ? .failure(.cancelled) : late
    }

    /// Returns the program as it runs, started if need be.
    private func running(since count: Int) async -> Result<ProgramRun, ProgramFault> {
        guard stops == count else { return .failure(.stopped(path)) }
        if let starting { return await starting.result.value }
        if let run, await run.fault == nil { return .success(run) }
        guard stops == count else { return .failure(.stopped(path)) }
        // Another caller may have started it meanwhile.
        if let starting { return await starting.result.value }
        let isKnown = unusable == nil
        let started = ProgramRun(path: path, losses: losses)
        let result = Task { [path, kind, hello, patience] () -> Result<ProgramRun, ProgramFault> in
            do throws(ProgramFault) {
                let reply = try await Self.greet(started, kind: kind, within: patience)
                guard isKnown ? reply.isSame(as: hello) : reply.name == hello.name else {
                    await started.stop()
                    throw isKnown
                        ? ProgramFault(.garbled, "\(path) reports another identity than when it was first started")
                        : Self.stranger(reply, path)
                }
                guard starting?.run === started else { throw ProgramFault.stopped(path) }
                report.withLock { $0 = (reply, nil) }
                unusable = nil
                run = started
                starting = nil
                return .success(started)
            } catch {
                // A start that was stopped shows nothing of the program, and another may have taken its place.
                guard starting?.run === started else { return .failure(.stopped(path)) }
                starting = nil
                if !isKnown { (unusable, nextStart) = (error, .now + pause) }
                return .failure(error)
            }
        }
        starting = (started, result)
        return await result.value
    }

    private static func stranger(_ hello: WireHelloReply, _ path: String) -> ProgramFault {
        ProgramFault(.garbled, "\(path) reports that it is '\(hello.name)'")
    }

    /// Sends hello and reads the program's identity.
    private static func greet(
        _ run: ProgramRun, kind: ProgramKind, within patience: Duration
    ) async throws(ProgramFault) -> WireHelloReply {
        let hello = ProgramQuestion("hello", WireHello(kind: kind), deadline: .after(patience))
        switch await run.ask(hello) {
        case .fault(let fault), .lost(let fault), .late(let fault):
            await run.stop()
            throw fault
        case .reply(let reply):
            do {
                return try ProgramJSON.decode(WireHelloReply.self, reply.line).checked(kind: kind)
            } catch {
                let fault =
                    error as? ProgramFault
                    ?? ProgramFault(
                        .garbled, "its hello is malformed: \(JSONFault.reason(error, in: Array(reply.line)))")
                await run.markFaulty(fault.message, of: reply.id)
                await run.stop()
                throw fault
            }
        }
    }
}
