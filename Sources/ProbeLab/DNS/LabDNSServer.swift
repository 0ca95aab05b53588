import NIOCore
import NIOPosix
public import ProbeKit

/// A DNS server of the lab, on one free port of the loopback interface, over UDP and TCP, until it is stopped.
///
///     try await LabDNSServer.run(LabDNSZone(.answer(.txt("dc,florida")))) { server in
///         // ask server.endpoint
///     }
public final class LabDNSServer: Sendable {
    /// The protocols that the server listens on.
    public enum Listening: Sendable {
        /// UDP, and TCP on the same port.
        case both
        /// UDP; TCP connections are refused.
        case udp
        /// Nothing: the port was free a moment ago.
        case nothing
    }

    /// The server could not be set up.
    public struct SetupError: Error, Sendable, CustomStringConvertible {
        /// The reason.
        public let description: String
    }

    /// The endpoint it listens on.
    public let endpoint: Endpoint
    private let listeners: [any Channel]
    private let journal: LabDNSJournal
    /// Reserves the TCP port on which this server refuses connections.
    private let refused: ReservedPort?

    private init(endpoint: Endpoint, listeners: [any Channel], journal: LabDNSJournal, refused: ReservedPort?) {
        self.endpoint = endpoint
        self.refused = refused
        self.listeners = listeners
        self.journal = journal
    }

    /// Starts a server on a loopback address; the caller has to ``stop()`` it.
    ///
    /// - Parameters:
    ///   - zone: the answers.
    ///   - address: 127.0.0.1 or ::1.
    ///   - port: the port; 0 for any free one.
    ///   - listening: the protocols to listen on.
    /// - Throws: ``SetupError``, or NIO's error for the port.
    public static func start(
        _ zone: LabDNSZone, on address: String = "127.0.0.1", port: UInt16 = 0, listening: Listening = .both
    ) async throws -> LabDNSServer {
        guard let ip = IPAddress(address), ip.isLoopback else {
            throw SetupError(description: "\(address) is not a loopback address")
        }
        let journal = LabDNSJournal()
        var lastError: any Error = SetupError(description: "no port is free on \(address)")
        // A port that is free for one protocol may be in use for the other.
        for _ in 0..<(port == 0 ? 20 : 1) {
            do {
                let (bound, listeners) = try await listen(zone, journal, on: address, port: port, listening)
                let endpoint = Endpoint(host: .ip(ip), port: bound)
                do {
                    let refused = listening == .both ? nil : try ReservedPort(ip, port: bound)
                    return LabDNSServer(endpoint: endpoint, listeners: listeners, journal: journal, refused: refused)
                } catch {
                    for channel in listeners { channel.close(promise: nil) }
                    throw error
                }
            } catch {
                lastError = error
            }
        }
        throw lastError
    }

    /// Starts a server, runs `body` with it, and stops it whatever happens.
    public static func run<Value>(
        _ zone: LabDNSZone, on address: String = "127.0.0.1", listening: Listening = .both,
        body: (LabDNSServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(zone, on: address, listening: listening)
        return try await stopping {
            await server.stop()
        } after: {
            try await body(server)
        }
    }

    /// The queries seen so far, the first ten thousand of them.
    public var queries: [LabDNSQuery] { journal.queries }

    /// Closes the port and every connection; when it returns they are gone. Stopping twice does nothing.
    public func stop() async {
        let channels = listeners + journal.close()
        for channel in channels { channel.close(promise: nil) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    private static func listen(
        _ zone: LabDNSZone, _ journal: LabDNSJournal, on address: String, port: UInt16, _ listening: Listening
    ) async throws -> (port: UInt16, listeners: [any Channel]) {
        let group = MultiThreadedEventLoopGroup.singleton
        let elsewhere = try await DatagramBootstrap(group: group).bind(host: address, port: 0).get()
        var listeners: [any Channel] = [elsewhere]
        do {
            let udp = try await DatagramBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = LabDatagramHandler(zone, journal, elsewhere: elsewhere)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .bind(host: address, port: Int(port)).get()
            listeners.append(udp)
            guard let bound = udp.localAddress?.port.flatMap(UInt16.init(exactly:)) else {
                throw SetupError(description: "the socket has no port")
            }
            if listening == .both { listeners.append(try await listenOnTCP(zone, journal, on: address, port: bound)) }
            guard listening != .nothing else {
                for channel in listeners { try await channel.close() }
                return (bound, [])
            }
            return (bound, listeners)
        } catch {
            for channel in listeners { channel.close(promise: nil) }
            throw error
        }
    }

    private static func listenOnTCP(
        _ zone: LabDNSZone, _ journal: LabDNSJournal, on address: String, port: UInt16
    ) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { child in
                guard journal.admit(child) else { return child.close() }
                return child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(LabStreamHandler(zone, journal))
                }
            }
            .bind(host: address, port: Int(port)).get()
    }
}
