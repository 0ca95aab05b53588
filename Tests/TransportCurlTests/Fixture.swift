import Foundation
import ProbeKit
import ProbeLab

/// The common parts of this target's tests: one PKI, and requests to a server of the lab.
enum Fixture {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))

    static func request(
        to endpoint: Endpoint, name: String = "good.test", versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        alpn: [String] = [], anchors: TrustAnchors? = nil, at offset: Int = 0,
        within patience: Duration = .seconds(1800)
    ) throws -> HandshakeRequest {
        HandshakeRequest(
            endpoint: endpoint, serverName: try ServerName(name), versions: versions, alpn: alpn,
            anchors: try anchors ?? pki.anchors(), instant: pki.epoch.addingTimeInterval(TimeInterval(offset)),
            deadline: .after(patience))
    }
}
