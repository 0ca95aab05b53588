import ProbeKit
import ProbeNet

/// A connection on which TLS may begin, for a handshake that libcurl can't open by itself: libcurl speaks few of the protocols
/// that start TLS, and neither those nor those of proxies as strictly; and some names it does not look up.
final class CurlOpening: Sendable {
    /// The facts up to there, with the failure if there is no socket.
    let report: HandshakeReport
    /// The socket; a handshake takes it.
    let socket: OpenSocket?

    private init(_ report: HandshakeReport, _ socket: OpenSocket?) {
        self.report = report
        self.socket = socket
    }

    /// Opens the connection of a request; nil if libcurl can.
    ///
    /// - Parameter makeEngine: makes the engine of the TLS with a proxy.
    static func of(_ request: HandshakeRequest, makeEngine: @escaping EngineMaker) async -> CurlOpening? {
        guard isNeeded(for: request) else { return nil }
        let (report, socket) = await HandshakeDriver.open(request, makeEngine: makeEngine)
        return CurlOpening(report, socket)
    }

    /// Returns true if libcurl can't open the connection of a request as it was asked for.
    static func isNeeded(for request: HandshakeRequest) -> Bool {
        request.startTLS != nil || request.route.capability != nil || request.endpoint.zone != nil
            || isAnsweredByLibcurl(request.endpoint.host)
    }

    /// Returns true for a name that libcurl takes for this machine without a lookup (RFC 6761 section 6.3, lib/hostip.c), where the
    /// system may have other addresses for it, or none.
    private static func isAnsweredByLibcurl(_ host: ServerName) -> Bool {
        host.sni.map { $0 == "localhost" || $0.hasSuffix(".localhost") } ?? false
    }

    /// Returns an address in place of the one that is connected already, so that libcurl looks nothing up.
    func place(_ request: HandshakeRequest) -> Endpoint {
        Endpoint(host: .ip(.loopback4), port: request.endpoint.port)
    }

    /// The failure of a peer that goes on in clear text where TLS may begin.
    static func injection(_ failure: HandshakeFailure) -> HandshakeFailure {
        HandshakeFailure(
            .startTLSInjection, "clear text follows the go-ahead for TLS: \(failure.message)",
            nativeCode: failure.nativeCode)
    }
}
