import Foundation
import ProbeKit
import ProbeLab
import TransportNIOSSL

/// The common parts of this target's tests: one PKI, requests to a port on loopback, handshakes with the lab's servers.
enum Fixture {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))

    static func request(
        _ endpoint: Endpoint? = nil, name: String = "good.test", versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        alpn: [String] = [], timeout: Duration = .seconds(1800)
    ) throws -> HandshakeRequest {
        HandshakeRequest(
            endpoint: try endpoint ?? Endpoint(host: try ServerName("127.0.0.1"), port: 1),
            serverName: try ServerName(name), versions: versions, alpn: alpn, anchors: try pki.anchors(),
            instant: pki.epoch, deadline: .after(timeout))
    }

    /// Returns one handshake with a peer of the lab.
    static func report(
        of peer: LabPeer, name: String = "good.test", versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        alpn: [String] = [], timeout: Duration = .seconds(1800)
    ) async throws -> HandshakeReport {
        let transport = NIOSSLTransport()
        return try await LabServer.run(peer, pki: pki) { server in
            await transport.handshake(
                try request(server.endpoint, name: name, versions: versions, alpn: alpn, timeout: timeout))
        }
    }
}
