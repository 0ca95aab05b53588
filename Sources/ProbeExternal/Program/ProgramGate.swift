/// Lets requests through side by side, or one alone: in the order of their coming.
actor ProgramGate {
    /// Whether the task answers for a request that is inside: what it asks meanwhile goes past the gate, or both would wait
    /// for each other.
    @TaskLocal static var isInside = false

    private var inside = 0
    private var isAlone = false
    private var waiting: [(alone: Bool, go: CheckedContinuation<Void, Never>)] = []

    /// Waits until it is this one's turn.
    func enter(alone: Bool) async {
        if waiting.isEmpty, isFree(alone: alone) {
            admit(alone: alone)
        } else {
            await withCheckedContinuation { waiting.append((alone, $0)) }
        }
    }

    /// Makes room for the next.
    func leave() {
        inside -= 1
        isAlone = false
        while let next = waiting.first, isFree(alone: next.alone) {
            waiting.removeFirst()
            admit(alone: next.alone)
            next.go.resume()
        }
    }

    private func isFree(alone: Bool) -> Bool { alone ? inside == 0 : !isAlone }

    private func admit(alone: Bool) {
        inside += 1
        isAlone = alone
    }
}
