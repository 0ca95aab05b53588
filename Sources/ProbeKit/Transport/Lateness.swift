/// A measure of how late this process is with its own work: for want of processor time, or because its work waits in a
/// queue behind other work of its own.
public protocol LatenessMeter: Sendable {
    /// Begins a measurement, and returns what each of its queues lost so far. ``end(_:)`` has to follow.
    func begin() -> [Duration]

    /// Ends a measurement, and returns the time that the process lost since.
    ///
    /// - Parameter start: what ``begin()`` returned.
    func end(_ start: [Duration]) -> Duration
}

extension LatenessMeter {
    /// Runs an operation, and measures the time that the process lost meanwhile.
    public func measure<Value: Sendable>(
        _ operation: @Sendable () async -> Value
    ) async -> (value: Value, lost: Duration) {
        let start = begin()
        let value = await operation()
        return (value, end(start))
    }
}

extension HandshakeFailure {
    /// The failure as it stands if this process lost some of the time that the server was allowed.
    ///
    /// A server is late only if somebody was there to hear it: with more than a quarter of its time lost, nothing is said
    /// about it.
    ///
    /// - Parameters:
    ///   - lost: the time that passed while the process was late with its own work.
    ///   - allowed: the time that the handshake was given.
    public func attributed(lost: Duration, of allowed: Duration) -> HandshakeFailure {
        guard Self.mayBeOurs.contains(code), Overload.is(lost, of: allowed) else { return self }
        return HandshakeFailure(.localOverload, Overload.message(lost, instead: message), nativeCode: nativeCode)
    }

    /// The failures that are blamed on a peer, and that a process without processor time causes by itself.
    private static let mayBeOurs: Set<Code> = [
        .connectTimeout, .handshakeTimeout, .connectionClosed, .connectionReset, .nameLookupFailed,
    ]
}

extension DNSFailure {
    /// The failure as it stands if this process lost some of the time that the DNS server was allowed, as for a handshake.
    public func attributed(lost: Duration, of allowed: Duration) -> DNSFailure {
        guard Self.mayBeOurs.contains(code), Overload.is(lost, of: allowed) else { return self }
        return DNSFailure(.localOverload, Overload.message(lost, instead: message))
    }

    private static let mayBeOurs: Set<Code> = [.timeout, .closed, .gaveUp]
}

/// The judgement of lost time, the same for everything that waits for a server.
private enum Overload {
    /// Returns true if so much was lost that nothing can be said about the server.
    static func `is`(_ lost: Duration, of allowed: Duration) -> Bool { lost > allowed / 4 }

    static func message(_ lost: Duration, instead message: String) -> String {
        "this process was \(lost.formatted) late with its own work, so that nothing is known about the "
            + "server: \(message)"
    }
}

extension Duration {
    /// The seconds with one decimal, below one second the milliseconds.
    fileprivate var formatted: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        return "\(milliseconds / 1000).\(milliseconds / 100 % 10) s"
    }
}
