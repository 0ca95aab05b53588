import ProbeKit
import ProbePlatform
import Subprocess
import SystemPackage

/// One life of a program: from its start to its end or its first fault.
actor ProgramRun {
    private let path: String
    private let lines: AsyncStream<[UInt8]>
    private nonisolated let input: AsyncStream<[UInt8]>.Continuation
    private var work: Task<Void, Never>?
    private var pending: [Int: PendingRequest] = [:]
    private var lastID = -1
    private var errors = ErrorTail()
    /// The reason why no request can be sent any more.
    private(set) var fault: ProgramFault?
    private var clock = ProgramClock()
    private var hasEndedOutput = false
    /// True if it did not exit by itself after the end of its output or input.
    private var wasKilled = false
    /// True once it was asked to end: its end is then not a fault.
    private var isStopped = false
    private let losses: ProgramLosses

    /// - Parameter losses: counts its fault.
    init(path: String, losses: ProgramLosses = ProgramLosses()) {
        self.path = path
        self.losses = losses
        (lines, input) = AsyncStream<[UInt8]>.makeStream()
    }

    // MARK: Asking

    /// Writes a request and waits for its reply, no longer than its deadline and the grace; the time for which the program
    /// waited for a processor comes on top.
    func ask(_ question: ProgramQuestion) async -> ProgramAnswer {
        // The input of a program that was stopped has ended, and one that did not start before would outlive ``stop()``.
        if isStopped { return .fault(.stopped(path)) }
        if let fault { return .lost(fault) }
        if Task.isCancelled { return .fault(.cancelled) }
        if work == nil { start() }
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                guard let line = try? question.line(id) else {
                    return answer.resume(returning: .fault(ProgramFault(.refused, "the request can't be written")))
                }
                let end = question.deadline.instant + ProgramLimits.grace
                let (start, limit) = (clock.recent(), end - .now)
                let expiry = Task {
                    try await Task.sleep(until: end - ProgramLimits.turn, clock: .continuous)
                    var last = clock.read()
                    try await Task.sleep(until: end, clock: .continuous)
                    while .now < end + ProgramLimits.patience, let time = clock.read(),
                        time.own(since: start) < limit || last.map(time.isWaiting) ?? false
                    {
                        last = time
                        try await Task.sleep(for: ProgramLimits.turn)
                    }
                    expire(id)
                }
                pending[id] = PendingRequest(
                    type: question.type, answer: answer, approve: question.approve, expiry: expiry)
                send(line)
            }
        } onCancel: {
            Task { await self.forget(id) }
        }
    }

    private func send(_ line: Data) { input.yield(Array(line) + [UInt8(ascii: "\n")]) }

    /// Fails the run over a reply without the content its type requires, like over any other fault.
    ///
    /// - Parameter id: the request of the reply; others in progress are not the cause.
    func markFaulty(_ reason: String, of id: Int) {
        fail(ProgramFault(.garbled, reason), of: id)
    }

    private func forget(_ id: Int) {
        pending[id]?.answer?.resume(returning: .fault(.cancelled))
        pending[id]?.answer = nil
        pending[id]?.approving?.cancel()
    }

    private func isAwaited(_ id: Int) -> Bool { pending[id]?.answer != nil }

    private func expire(_ id: Int) {
        guard let late = pending[id] else { return }
        // Nobody waits for the answer to a request that was given up.
        fail(
            ProgramFault(.hung, "\(name) did not answer the \(late.type) request in time"), of: id,
            isLoss: isAwaited(id))
    }

    // MARK: Ending

    /// Lets the program exit by itself, and kills the rest of it after a while.
    nonisolated func close() {
        input.finish()
        Task {
            try? await Task.sleep(for: ProgramLimits.ending)
            await cancel()
        }
    }

    private func cancel() {
        wasKilled = true
        work?.cancel()
    }

    /// Closes the program's input as ``close()`` does, and returns when the program has ended.
    func stop() async {
        isStopped = true
        close()
        await work?.value
    }

    /// Ends this run: answers all requests, and kills the program and all of its process group.
    ///
    /// - Parameters:
    ///   - id: the request that caused it; nil if unknown: then it is the only one in progress, if there is just one.
    ///   - isLoss: false if it is not counted among the program's faults.
    private func fail(_ fault: ProgramFault, of id: Int?, isLoss: Bool = true) {
        guard self.fault == nil else { return }
        let fault = fault.with(errors: errors.text)
        self.fault = fault
        if isLoss, !isStopped { losses.add(fault) }
        for (other, request) in pending {
            let isToBlame = other == id || (id == nil && pending.count == 1) || request.approval == true
            // To repeat a request would start the program again after it was stopped.
            request.end(isToBlame || isStopped ? .fault(fault) : .lost(fault))
        }
        pending = [:]
        input.finish()
        work?.cancel()
    }

    // MARK: The process

    private var name: String { FilePath(path).lastComponent?.string ?? path }

    private func start() {
        work = Task { [path, lines] in
            do {
                let status = try await ProgramSession.run(.path(FilePath(path)), lines: lines, errors: .sequence) {
                    execution in
                    self.clock.process = execution.processIdentifier.value
                    await withTaskGroup { group in
                        group.addTask {
                            do {
                                for try await buffer in execution.standardError {
                                    await self.keep(errors: unsafe buffer.withUnsafeBytes { unsafe Array($0) })
                                }
                            } catch {}
                        }
                        group.addTask {
                            do {
                                for try await buffer in execution.standardOutput {
                                    await self.receive(unsafe buffer.withUnsafeBytes { unsafe Array($0) })
                                }
                            } catch {}
                            await self.outputEnded()
                        }
                    }
                }
                self.ended(status)
            } catch {
                self.notStarted(error)
            }
        }
    }

    /// A run without further output is of no more use.
    private func outputEnded() {
        hasEndedOutput = true
        close()
    }

    private func keep(errors bytes: [UInt8]) { errors.append(bytes) }

    private func ended(_ status: TerminationStatus) {
        fail(ProgramFault(.ended, "\(name) ended \(status.words(isOurs: wasKilled && hasEndedOutput))"), of: nil)
    }

    private func notStarted(_ error: any Error) {
        fail(ProgramFault(.notStarted, "\(path) can't be run: \(error)"), of: nil)
    }

    // MARK: Replies

    private var reader = ProgramLines()

    private func receive(_ bytes: [UInt8]) {
        guard fault == nil else { return }
        guard let lines = reader.append(bytes) else {
            return fail(
                ProgramFault(.lineTooLong, "\(name) wrote a line of more than \(ProgramLimits.lineBytes) bytes"),
                of: nil)
        }
        for (index, line) in lines.enumerated() where fault == nil {
            take(line, before: lines[(index + 1)...])
        }
    }

    /// Takes a reply.
    ///
    /// - Parameter further: the lines that came with it.
    private func take(_ line: [UInt8], before further: ArraySlice<[UInt8]>) {
        let header: WireHeader
        do {
            header = try WireHeader.read(line)
        } catch {
            let words = GarbledLine.words(for: line, error, before: further)
            return fail(ProgramFault(.garbled, "\(name) wrote what is not a reply: \(words)"), of: nil)
        }
        if let key = RepeatedKey.first(in: line) {
            return fail(
                ProgramFault(.garbled, "\(name) wrote the member '\(WireText.name(key))' twice"),
                of: key == "id" ? nil : header.id)
        }
        guard let request = pending[header.id] else {
            return fail(
                ProgramFault(.unaskedReply, "\(name) answered question \(header.id), which is not open"),
                of: header.id)
        }
        switch header.type {
        case request.type:
            answer(header.id, .reply(ProgramReply(line: Data(line), id: header.id, approval: request.approval)))
        case "error":
            let reason = WireText.sentence(header.message ?? "")
            answer(header.id, .fault(ProgramFault(.refused, "\(name) can't answer: \(reason)")))
        case "approve":
            guard let approve = request.approve else { fallthrough }
            pending[header.id]?.approve = nil
            pending[header.id]?.approving = Task {
                await ProgramGate.$isInside.withValue(true) { await approval(approve, Data(line), of: header.id) }
            }
        default:
            fail(
                ProgramFault(
                    .garbled, "\(name) answered a \(request.type) request with '\(WireText.name(header.type))'"),
                of: header.id)
        }
    }

    private func answer(_ id: Int, _ answer: ProgramAnswer) {
        pending.removeValue(forKey: id)?.end(answer)
    }

    private func approval(
        _ approve: @Sendable (Data) async throws -> Bool, _ line: Data, of id: Int
    ) async {
        do {
            // A decision that nobody waits for approves nothing, whether the request was given up before or during it.
            let isApproved = try await isAwaited(id) ? approve(line) && isAwaited(id) : false
            guard pending[id] != nil else { return }
            pending[id]?.approval = isApproved
            let reply = WireApproval(id: id, approved: isApproved)
            if let line = try? ProgramJSON.encode(reply) { send(line) }
        } catch {
            fail(
                ProgramFault(
                    .garbled,
                    "\(name) asked for approval of what is not a report: \(JSONFault.reason(error, in: Array(line)))"),
                of: id)
        }
    }
}
