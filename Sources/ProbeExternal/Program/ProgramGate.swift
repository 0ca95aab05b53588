import ProbeKit

/// Admits requests concurrently, or one alone, in order of arrival.
actor ProgramGate {
    /// True if the task answers for a request that is inside: its own requests bypass the gate, or both would wait for
    /// each other.
    @TaskLocal static var isInside = false

    private var inside = 0
    private var isAlone = false
    private var waiting: [(id: Int, alone: Bool, go: CheckedContinuation<Bool, Never>)] = []
    private var lastID = 0

    /// Waits for this request's turn, until its deadline or until its task is cancelled.
    ///
    /// - Returns: true if it is admitted, and has to ``leave()``.
    func enter(alone: Bool, by deadline: Deadline) async -> Bool {
        if waiting.isEmpty, isFree(alone: alone) {
            admit(alone: alone)
            return true
        }
        lastID += 1
        let id = lastID
        let timer = Task {
            try await Task.sleep(until: deadline.instant, clock: .continuous)
            giveUp(id)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append((id, alone, $0)) }
        } onCancel: {
            Task { await self.giveUp(id) }
        }
    }

    /// Admits the next.
    func leave() {
        inside -= 1
        isAlone = false
        admitWaiting()
    }

    private func giveUp(_ id: Int) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index).go.resume(returning: false)
        // It may have been what the others waited for.
        admitWaiting()
    }

    private func admitWaiting() {
        while let next = waiting.first, isFree(alone: next.alone) {
            waiting.removeFirst()
            admit(alone: next.alone)
            next.go.resume(returning: true)
        }
    }

    private func isFree(alone: Bool) -> Bool { alone ? inside == 0 : !isAlone }

    private func admit(alone: Bool) {
        inside += 1
        isAlone = alone
    }
}
