import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
public import ProbeKit

/// A DNS server of the lab that is asked over HTTPS (RFC 8484), HTTP/1.1 in TLS, on a free port of the loopback interface,
/// until it is stopped.
///
///     try await LabDoHServer.run(LabDNSZone(.answer(.txt("dc,florida"))), pki: pki) { server in
///         // ask try server.server(.post)
///     }
public final class LabDoHServer: Sendable {
    private enum Listener: Sendable {
        case channel(any Channel)
        case nobody(ReservedPort)
    }

    /// The endpoint it listens on.
    public let endpoint: Endpoint
    private let listener: Listener
    private let journal: LabDNSJournal
    let anchors: TrustAnchors

    private init(_ listener: Listener, at endpoint: Endpoint, journal: LabDNSJournal, anchors: TrustAnchors) {
        self.listener = listener
        self.endpoint = endpoint
        self.journal = journal
        self.anchors = anchors
    }

    /// The form of messages inside TLS.
    enum Framing: Sendable {
        /// HTTP/1.1.
        case http
        /// DNS's own, with a length before each message (RFC 7858).
        case stream
    }

    /// Starts a server on a loopback address; the caller has to ``stop()`` it.
    ///
    /// - Parameters:
    ///   - zone: the answers.
    ///   - pki: the issuer of its certificates.
    ///   - recipe: its TLS settings.
    ///   - address: 127.0.0.1 or ::1.
    ///   - isListening: false to refuse connections.
    /// - Throws: ``LabError``, or NIO's or BoringSSL's error for the port, a certificate or a key.
    public static func start(
        _ zone: LabDNSZone, pki: LabPKI, tls recipe: LabTLSRecipe = LabTLSRecipe(.good),
        on address: IPAddress = .loopback4, isListening: Bool = true
    ) async throws -> LabDoHServer {
        try await start(zone, pki: pki, tls: recipe, on: address, isListening: isListening, framing: .http)
    }

    static func start(
        _ zone: LabDNSZone, pki: LabPKI, tls recipe: LabTLSRecipe, on address: IPAddress, isListening: Bool,
        framing: Framing
    ) async throws -> LabDoHServer {
        guard address.isLoopback else { throw LabError.cannotServe("\(address) is not a loopback address") }
        let journal = LabDNSJournal()
        guard isListening else {
            let port = try ReservedPort(address)
            return LabDoHServer(
                .nobody(port), at: Endpoint(host: .ip(address), port: port.port), journal: journal,
                anchors: try pki.anchors())
        }
        let context = try TLSContexts.context(recipe, pki: pki)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { child in
                guard journal.admit(child) else { return child.close() }
                return child.eventLoop.makeCompletedFuture {
                    let pipeline = child.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    guard framing == .http else { return try pipeline.addHandler(LabStreamHandler(zone, journal)) }
                    try pipeline.addHandler(HTTPResponseEncoder())
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(LabHTTPHandler(zone, journal))
                }
            }
            .bind(host: address.description, port: 0).get()
        guard let port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) else {
            throw LabError.cannotServe("the listener has no port")
        }
        return LabDoHServer(
            .channel(channel), at: Endpoint(host: .ip(address), port: port), journal: journal,
            anchors: try pki.anchors())
    }

    /// Starts a server, runs `body` with it, and stops it whatever happens.
    public static func run<Value>(
        _ zone: LabDNSZone, pki: LabPKI, tls recipe: LabTLSRecipe = LabTLSRecipe(.good),
        on address: IPAddress = .loopback4, body: (LabDoHServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(zone, pki: pki, tls: recipe, on: address)
        return try await stopping {
            await server.stop()
        } after: {
            try await body(server)
        }
    }

    /// Returns the server for a query, under the name of its certificate: dialled at its endpoint, trusted by the lab's
    /// root.
    public func server(_ method: DoHServer.Method = .post, name: String = "good.test") throws(InputError) -> DoHServer {
        let url = "https://\(name):\(endpoint.port)\(LabHTTPHandler.path)" + (method == .get ? "{?dns}" : "")
        return try DoHServer(url, connect: endpoint, anchors: anchors)
    }

    /// The queries seen so far, the first ten thousand of them.
    public var queries: [LabDNSQuery] { journal.queries }

    /// Closes the port and every connection; when it returns they are gone. Stopping twice does nothing.
    ///
    /// A port that does not listen stays reserved as long as its `LabDoHServer` lives.
    public func stop() async {
        var channels = journal.close()
        if case .channel(let channel) = listener { channels.append(channel) }
        for channel in channels { channel.close(promise: nil) }
        for channel in channels { try? await channel.closeFuture.get() }
    }
}
