import NIOCore
import Synchronization

/// The connections of one server: the open ones, and the data received over them.
final class LabConnections: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var accepted = 0
        var applicationBytes = 0
        var truncated = 0
        var requests: [LabHTTPRequest] = []
        var clientHellos: [[UInt8]] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    var accepted: Int { state.withLock { $0.accepted } }
    var openCount: Int { state.withLock { $0.open.count } }
    var applicationBytes: Int { state.withLock { $0.applicationBytes } }
    var truncated: Int { state.withLock { $0.truncated } }
    var requests: [LabHTTPRequest] { state.withLock { $0.requests } }
    var clientHellos: [[UInt8]] { state.withLock { $0.clientHellos } }

    /// The maximum number of requests kept, so that a lab can run for days.
    private static let maximumRequests = 10_000

    /// Adds a connection; false once the server has stopped.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.open[id] = channel
            state.accepted += 1
            return true
        }
        if isAdmitted {
            channel.closeFuture.whenComplete { _ in self.forget(id) }
        }
        return isAdmitted
    }

    func count(applicationBytes count: Int) {
        state.withLock { $0.applicationBytes += count }
    }

    func countTruncated() {
        state.withLock { $0.truncated += 1 }
    }

    func note(_ request: LabHTTPRequest) {
        state.withLock { state in
            if state.requests.count < Self.maximumRequests { state.requests.append(request) }
        }
    }

    func note(clientHello records: [UInt8]) {
        state.withLock { state in
            if state.clientHellos.count < Self.maximumRequests { state.clientHellos.append(records) }
        }
    }

    /// Closes every connection and accepts no more.
    func close() async {
        let open = state.withLock { state in
            state.isClosed = true
            return Array(state.open.values)
        }
        for channel in open {
            channel.close(promise: nil)
        }
        for channel in open {
            try? await channel.closeFuture.get()
        }
    }

    private func forget(_ id: ObjectIdentifier) {
        state.withLock { $0.open[id] = nil }
    }
}
