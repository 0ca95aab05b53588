import Foundation
import ProbeKit
import ProbeLab

/// The common parts of this target's tests: one PKI, and requests to a port on loopback.
enum Fixture {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))

    static func request(
        port: UInt16 = 1, name: String = "good.test", versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        alpn: [String] = [], clientIdentity: ClientIdentity? = nil
    ) throws -> HandshakeRequest {
        HandshakeRequest(
            endpoint: Endpoint(host: try ServerName("127.0.0.1"), port: port), serverName: try ServerName(name),
            versions: versions, alpn: alpn, anchors: try pki.anchors(), instant: pki.epoch,
            deadline: .after(.seconds(1800)), clientIdentity: clientIdentity)
    }
}
