import NIOCore
import NIOPosix
import ProbeKit
import ProbePlatform

/// The place that is dialled for a request: its endpoint, its proxy, or a socket of the file system.
struct DialledPlace: Sendable {
    private let endpoint: Endpoint
    private let route: HandshakeRequest.Route

    init(_ request: HandshakeRequest) {
        route = request.route
        endpoint = route.proxy?.endpoint ?? request.endpoint
    }

    /// Returns a future of the endpoint to ask a proxy for: with ``HandshakeRequest/Proxy/Scheme/socks5`` it is the first
    /// address of the server's name, which is looked up here. Fails as a lookup does.
    func target(
        of request: HandshakeRequest, _ lookup: HostLookup, on loop: any EventLoop
    ) -> EventLoopFuture<Endpoint> {
        guard route.proxy?.scheme == .socks5, case .dns(let name) = request.endpoint.host else {
            return loop.makeSucceededFuture(request.endpoint)
        }
        let port = request.endpoint.port
        return lookup.addresses(of: name, by: request.deadline, on: loop).flatMapThrowing { addresses in
            guard let first = addresses.first else { throw LookupFailure(code: EAI_NONAME) }
            return Endpoint(host: .ip(first), port: port)
        }
    }

    /// Dials: an address, which needs no lookup and has no alternatives, a name, or a path.
    func dial(
        _ bootstrap: ClientBootstrap, _ lookup: HostLookup, on loop: any EventLoop, by deadline: Deadline
    ) -> EventLoopFuture<any Channel> {
        if case .socket(let path) = route { return bootstrap.connect(unixDomainSocketPath: path) }
        let tcp = bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1)
        switch endpoint.host {
        case .dns(let name):
            return tcp.resolver(HostResolver(lookup, on: loop, by: deadline))
                .connect(host: name, port: Int(endpoint.port))
        case .ip(let address):
            do {
                return tcp.connect(to: try SocketAddress(address, port: Int(endpoint.port), zone: endpoint.zone))
            } catch {
                return loop.makeFailedFuture(error)
            }
        }
    }

    /// Returns the failure of a connection that was not there by the deadline.
    ///
    /// - Parameter isConnected: true if that of TCP was, and the TLS with the proxy was not.
    func timeout(isConnected: Bool = false) -> HandshakeFailure {
        guard isConnected, let proxy = route.proxy else { return named(ConnectFailure.timeout(words)) }
        return HandshakeFailure(
            .proxyUnreachable,
            "the proxy \(proxy) took the connection, and the TLS with it was not over before the deadline",
            nativeCode: HandshakeFailure.Code.handshakeTimeout.rawValue)
    }

    /// Returns the failure of a connection that could not be made.
    func failure(_ error: any Error) -> HandshakeFailure {
        named(ConnectFailure.of(error, endpoint: endpoint, dialled: words))
    }

    /// The dialled place, for messages.
    private var words: String {
        if case .socket(let path) = route { "the socket \(path)" } else { "\(endpoint)" }
    }

    /// Returns the failure of the TLS with the proxy.
    func tlsFailure(_ failure: HandshakeFailure) -> HandshakeFailure {
        guard let proxy = route.proxy else { return failure }
        return HandshakeFailure(
            .proxyTLSFailed, "the TLS with the proxy \(proxy) failed: \(failure.message)",
            nativeCode: failure.nativeCode ?? failure.code.rawValue)
    }

    /// Says whose failure it is.
    private func named(_ failure: HandshakeFailure) -> HandshakeFailure {
        switch route {
        case .proxy(let proxy):
            HandshakeFailure(
                .proxyUnreachable, "the proxy \(proxy) is not reached: \(failure.message)",
                nativeCode: failure.nativeCode ?? failure.code.rawValue)
        default: failure
        }
    }
}
