import NIOCore
import ProbeKit

/// The moments of one handshake, and its timings from them.
struct HandshakeTimes {
    private let began = NIODeadline.now()
    /// The connection of TCP, and of the TLS with a proxy.
    var connected: NIODeadline?
    /// The end of the dialogues before TLS.
    var wentAhead: NIODeadline?
    /// The complete handshake, if something is waited for after it.
    var completed: NIODeadline?

    /// Fills in the time of each step, whether it is over or under way.
    ///
    /// - Parameter isBeforeTLS: true in a dialogue that has not ended.
    func fill(_ timings: inout HandshakeReport.Timings, isBeforeTLS: Bool) {
        timings.connect = connected.map { Self.time(from: began, to: $0) }
        if let connected, let wentAhead { timings.dialogue = Self.time(from: connected, to: wentAhead) }
        guard !isBeforeTLS, let start = wentAhead ?? connected else { return }
        timings.handshake = Self.time(from: start, to: completed ?? .now())
    }

    private static func time(from start: NIODeadline, to end: NIODeadline) -> Duration {
        .nanoseconds((end - start).nanoseconds)
    }
}
