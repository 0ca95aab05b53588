import NIOCore
import Synchronization

/// The queries and open connections of one server.
final class LabDNSJournal: Sendable {
    private struct State {
        var queries: [LabDNSQuery] = []
        var count = 0
        var connections: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// The maximum number of queries kept, so that a lab can run for days.
    private static let maximumQueries = 10_000

    var queries: [LabDNSQuery] { state.withLock(\.queries) }

    /// Records a query, and returns true if it is the first.
    func note(_ query: LabDNSQuery) -> Bool {
        state.withLock { state in
            if state.queries.count < Self.maximumQueries { state.queries.append(query) }
            state.count += 1
            return state.count == 1
        }
    }

    /// Adds a connection; false once the server has stopped.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            if !state.isClosed { state.connections[id] = channel }
            return !state.isClosed
        }
        if isAdmitted { channel.closeFuture.whenComplete { _ in self.forget(id) } }
        return isAdmitted
    }

    /// Accepts no more connections, and returns the open ones.
    func close() -> [any Channel] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.connections.values)
        }
    }

    private func forget(_ id: ObjectIdentifier) {
        state.withLock { $0.connections[id] = nil }
    }
}
