import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
public import ProbeKit

/// One peer of the lab, listening on a free port of the loopback interface until it is stopped.
///
///     try await LabServer.run(.tls(LabTLSRecipe(.expired)), pki: pki) { server in
///         // dial server.endpoint
///     }
public final class LabServer: Sendable {
    private enum Listener: Sendable {
        case channel(any Channel)
        case nobody(ReservedPort)
    }

    /// The endpoint it listens on.
    public let endpoint: Endpoint
    private let listener: Listener
    private let connections: LabConnections

    private init(_ listener: Listener, at endpoint: Endpoint, connections: LabConnections) {
        self.listener = listener
        self.endpoint = endpoint
        self.connections = connections
    }

    /// Starts a peer on `address`, which is 127.0.0.1 or ::1. The caller has to ``stop()`` it.
    ///
    /// - Parameter port: the port of a peer that was stopped and comes back; 0 is any free one.
    /// - Throws: ``LabError``, or NIO's or BoringSSL's error for the port, a certificate or a key.
    public static func start(
        _ peer: LabPeer, pki: LabPKI, on address: IPAddress = .loopback4, port: UInt16 = 0
    ) async throws -> LabServer {
        guard address.isLoopback else { throw LabError.cannotServe("\(address) is not a loopback address") }
        let connections = LabConnections()
        guard let prepare = try preparation(peer, pki: pki, connections: connections) else {
            let port = try ReservedPort(address, port: port)
            return LabServer(
                .nobody(port), at: Endpoint(host: .ip(address), port: port.port), connections: connections)
        }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            // Connections that ended just now do not keep a peer from coming back.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { child in
                guard connections.admit(child) else { return child.close() }
                return child.eventLoop.makeCompletedFuture { try prepare(child) }.flatMap { $0 }
            }
            .bind(host: address.description, port: Int(port)).get()
        guard let port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) else {
            throw LabError.cannotServe("the listener has no port")
        }
        return LabServer(.channel(channel), at: Endpoint(host: .ip(address), port: port), connections: connections)
    }

    /// Starts a peer, runs `body` with it, and stops it whatever happens.
    public static func run<Value>(
        _ peer: LabPeer, pki: LabPKI, on address: IPAddress = .loopback4, body: (LabServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(peer, pki: pki, on: address)
        return try await stopping {
            await server.stop()
        } after: {
            try await body(server)
        }
    }

    /// Returns false if this machine does not have the address: many containers lack ::1.
    public static func canListen(on address: IPAddress) -> Bool {
        do {
            _ = try ReservedPort(address)
            return true
        } catch LabError.noSuchAddress {
            return false
        } catch {
            // Whatever else is wrong shows when a server is started.
            return true
        }
    }

    /// The number of connections accepted so far.
    public var acceptedConnections: Int { connections.accepted }

    /// The number of open connections. Once a client's is gone, everything it sent has been counted.
    public var openConnections: Int { connections.openCount }

    /// The number of bytes that clients sent inside TLS so far, over all connections (requirement 108).
    public var applicationBytes: Int { connections.applicationBytes }

    /// The number of connections that clients broke off so far, without a close_notify after the handshake.
    public var truncatedConnections: Int { connections.truncated }

    /// The HTTP requests that clients sent so far, over all connections.
    public var requests: [LabHTTPRequest] { connections.requests }

    /// The first records that clients sent so far, one message for each connection to a TLS server, as they came.
    public var clientHellos: [[UInt8]] { connections.clientHellos }

    /// Closes the port and every connection; when it returns they are gone. Stopping twice does nothing.
    ///
    /// A dead port stays reserved as long as its `LabServer` lives.
    public func stop() async {
        if case .channel(let channel) = listener {
            channel.close(promise: nil)
            try? await channel.closeFuture.get()
        }
        await connections.close()
    }

    /// Returns the setup of each new connection; nil if there will be none.
    private static func preparation(
        _ peer: LabPeer, pki: LabPKI, connections: LabConnections
    ) throws -> (@Sendable (any Channel) throws -> EventLoopFuture<Void>)? {
        switch peer {
        case .tls(let recipe):
            let makeTLS = try TLSContexts.handlers(recipe, pki: pki)
            let epoch = pki.epoch
            let secure: @Sendable (any Channel) throws -> EventLoopFuture<Void> = { child in
                let pipeline = child.pipeline.syncOperations
                try pipeline.addHandler(HelloHandler(connections))
                let tamper = recipe.tampering.map(TamperHandler.init)
                if let tamper { try pipeline.addHandler(tamper) }
                let outlet = PlaintextHandler.Outlet()
                try pipeline.addHandler(outlet)
                try pipeline.addHandler(makeTLS())
                if let tamper { try pipeline.addHandler(TamperHandler.Ear(of: tamper)) }
                try pipeline.addHandler(CountHandler(connections))
                switch recipe.service {
                case .sink: break
                case .script(let script): try pipeline.addHandler(ScriptHandler(script))
                case .plaintext(let bytes): try pipeline.addHandler(PlaintextHandler(bytes, through: outlet))
                case .http(let recipe):
                    return child.configureCommonHTTPServerPipeline { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(
                                LabWebHandler(recipe, fields: recipe.fields(epoch: epoch), connections))
                        }
                    }
                }
                return child.eventLoop.makeSucceededVoidFuture()
            }
            let outer = try recipe.dialogue?.proxyIdentity.map { try TLSContexts.context(LabTLSRecipe($0), pki: pki) }
            return { child in
                let pipeline = child.pipeline.syncOperations
                if let pace = recipe.pace { try pipeline.addHandler(PaceHandler(pace)) }
                guard let dialogue = recipe.dialogue else { return try secure(child) }
                if let outer { try pipeline.addHandler(NIOSSLServerHandler(context: outer)) }
                try pipeline.addHandler(LabDialogueHandler(dialogue, then: secure))
                return child.eventLoop.makeSucceededVoidFuture()
            }
        case .script(let script):
            return { child in
                try child.pipeline.syncOperations.addHandler(ScriptHandler(script))
                return child.eventLoop.makeSucceededVoidFuture()
            }
        case .dead:
            return nil
        }
    }
}

/// Counts the client's bytes inside TLS, and passes them on; without a recipient they are dropped.
final class CountHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connections: LabConnections

    init(_ connections: LabConnections) {
        self.connections = connections
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connections.count(applicationBytes: unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { connections.countTruncated() }
        context.close(promise: nil)
    }
}

/// Records the first record of a client, and passes everything on.
final class HelloHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connections: LabConnections
    private var seen: ByteBuffer? = ByteBuffer()

    init(_ connections: LabConnections) {
        self.connections = connections
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if seen != nil {
            seen?.writeImmutableBuffer(unwrapInboundIn(data))
            // The header of a record ends with the length of the rest.
            if let bytes = seen?.readableBytesView, let length = seen?.getInteger(at: 3, as: UInt16.self),
                bytes.count >= 5 + Int(length)
            {
                connections.note(clientHello: Array(bytes.prefix(5 + Int(length))))
                seen = nil
            }
        }
        context.fireChannelRead(data)
    }
}
