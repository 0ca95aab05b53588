import ProbeKit
import ProbeLab
import ProbePins
import Synchronization

/// A transport that makes no connections: each handshake is the next step of a script, and the last step repeats.
final class ScriptedTransport: Transport {
    enum Step {
        /// The server presents this, and the stack trusts it.
        case presents(LabIdentityName)
        /// It answers the HTTP request too, if there is one.
        case answers(LabIdentityName, HTTPReport.Response)
        case fails(HandshakeFailure.Code)
    }

    /// A handshake request, and its time.
    struct Handshake {
        let endpoint: Endpoint
        let deadline: Deadline
        let moment: Duration
    }

    let identity: BackendIdentity
    let capabilities: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .keyReading, .trustEvaluation, .httpHead,
        .startTLS,
    ]
    private let pki: LabPKI
    private let time: VirtualTime
    private let steps: [Step]
    private let journal = Mutex<[Handshake]>([])

    init(_ steps: [Step], pki: LabPKI, time: VirtualTime, name: String = "scripted") {
        self.steps = steps
        self.pki = pki
        self.time = time
        identity = BackendIdentity(name: name, library: "none", version: "0")
    }

    var handshakes: [Handshake] { journal.withLock { $0 } }
    /// The times of the handshake requests.
    var moments: [Duration] { handshakes.map(\.moment) }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        let moment = time.elapsed
        let count = journal.withLock { journal in
            journal.append(Handshake(endpoint: request.endpoint, deadline: request.deadline, moment: moment))
            return journal.count
        }
        switch steps[min(count, steps.count) - 1] {
        case .fails(let code): return HandshakeReport(failure: HandshakeFailure(code, "as the script says"))
        case .presents(let name): return report(name, request)
        case .answers(let name, let response):
            var report = report(name, request)
            if let exchange = request.exchange, await exchange.isApproved(report) {
                report.http = HTTPReport(.response(response))
            }
            return report
        }
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .accepted(path: nil) }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { Self.key(certificate) }

    private func report(_ name: LabIdentityName, _ request: HandshakeRequest) -> HandshakeReport {
        var report = HandshakeReport()
        report.chain = (try? pki.identity(name).chain) ?? []
        report.keys = report.chain.map(Self.key)
        report.version = .tls13
        report.nativeTrust = .accepted(path: nil)
        return report
    }

    private static func key(_ certificate: [UInt8]) -> KeyReading {
        do {
            let slices = try CertificateSlices(certificate: certificate.span)
            return .spki(Array(certificate[slices.spki]))
        } catch {
            return .unreadable("\(error)")
        }
    }
}
