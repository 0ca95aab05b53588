import Foundation
import ProbeKit
import Subprocess

/// A deliberately wrong transport: a real one whose facts are falsified on the way.
struct WrongTransport: Transport {
    typealias Falsify = @Sendable (inout HandshakeReport, HandshakeRequest, any Transport) async -> Void
    typealias Misread = @Sendable (KeyReading) -> KeyReading

    let identity: BackendIdentity
    private let real: any Transport
    private let redirect: @Sendable (HandshakeRequest) -> HandshakeRequest
    private let falsify: Falsify
    private let misread: Misread
    private let offline: @Sendable (TrustQuestion) -> TrustQuestion
    private let decide: @Sendable (TrustReading) -> TrustReading

    init(
        _ real: any Transport, name: String = "wrong", falsify: @escaping Falsify = { _, _, _ in },
        redirect: @escaping @Sendable (HandshakeRequest) -> HandshakeRequest = { $0 },
        misread: @escaping Misread = { $0 }, offline: @escaping @Sendable (TrustQuestion) -> TrustQuestion = { $0 },
        decide: @escaping @Sendable (TrustReading) -> TrustReading = { $0 }
    ) {
        identity = BackendIdentity(name: name, library: "none", version: "0")
        self.real = real
        self.redirect = redirect
        self.misread = misread
        self.falsify = falsify
        self.offline = offline
        self.decide = decide
    }

    var capabilities: Set<TransportCapability> { real.capabilities }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        var report = await real.handshake(redirect(request))
        report.keys = report.keys.map(misread)
        await falsify(&report, request, real)
        return report
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        decide(await real.evaluateTrust(offline(question)))
    }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        misread(await real.readKey(ofCertificate: certificate))
    }
}

extension WrongTransport {
    /// Accepts a chain whatever name it is for.
    static func ignoringTheName(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, request, real in
            guard !report.chain.isEmpty else { return }
            report.nativeTrust = await real.evaluateTrust(
                TrustQuestion(chain: report.chain, anchors: request.anchors, name: nil, instant: request.instant))
        }
    }

    /// Is right in handshakes, and without a connection judges every chain as a server's.
    static func ignoringThePurposeOffline(_ real: any Transport) -> WrongTransport {
        WrongTransport(
            real,
            offline: {
                TrustQuestion(
                    chain: $0.chain, anchors: $0.anchors, name: $0.name, instant: $0.instant, staple: $0.staple,
                    maxDepth: $0.maxDepth)
            })
    }

    /// Is right in handshakes, and without a connection takes paths of any length.
    static func ignoringTheLimitOffline(_ real: any Transport) -> WrongTransport {
        WrongTransport(
            real,
            offline: {
                TrustQuestion(
                    chain: $0.chain, anchors: $0.anchors, name: $0.name, instant: $0.instant, purpose: $0.purpose,
                    staple: $0.staple)
            })
    }

    /// Is right in handshakes, and without a connection accepts a chain whatever name it is for.
    static func ignoringTheNameOffline(_ real: any Transport) -> WrongTransport {
        WrongTransport(
            real,
            offline: {
                TrustQuestion(
                    chain: $0.chain, anchors: $0.anchors, name: nil, instant: $0.instant, purpose: $0.purpose,
                    staple: $0.staple, maxDepth: $0.maxDepth)
            })
    }

    /// Reports the leaf alone.
    static func droppingIntermediates(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, _, _ in
            report.chain = Array(report.chain.prefix(1))
            report.keys = Array(report.keys.prefix(1))
        }
    }

    /// Returns a transport that reports its path instead of the presented chain.
    static func reportingThePath(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, _, real in
            guard let path = report.nativeTrust?.path else { return }
            report.chain = path
            report.keys = []
            for der in path { report.keys.append(await real.readKey(ofCertificate: der)) }
        }
    }

    /// Uses another key than the certificate's.
    static func readingAnotherKey(_ real: any Transport) -> WrongTransport {
        WrongTransport(
            real,
            misread: { reading in
                guard case .spki(var bytes) = reading else { return reading }
                bytes[bytes.count - 1] ^= 1
                return .spki(bytes)
            })
    }

    /// Presents certificates of its own, with keys that fit them.
    static func reporting(_ chain: [[UInt8]], _ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, _, real in
            guard !report.chain.isEmpty else { return }
            report.chain = chain
            report.keys = []
            for der in chain { report.keys.append(await real.readKey(ofCertificate: der)) }
        }
    }

    /// Trusts every chain.
    static func trustingEverything(_ real: any Transport, name: String = "wrong") -> WrongTransport {
        WrongTransport(
            real, name: name,
            falsify: { report, _, _ in
                guard !report.chain.isEmpty else { return }
                report.nativeTrust = .accepted(path: report.chain)
            }, decide: { _ in .accepted(path: nil) })
    }

    /// Shows another path than the one it verified.
    static func showing(
        _ change: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]?, _ real: any Transport
    ) -> WrongTransport {
        WrongTransport(real) { report, _, _ in
            guard let reading = report.nativeTrust, let path = reading.path else { return }
            report.nativeTrust = .accepted(path: change(path), remarks: reading.remarks)
        }
    }

    /// Trusts no chain.
    static func trustingNothing(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, _, _ in
            guard !report.chain.isEmpty else { return }
            report.nativeTrust = .refused([.init(.other, "no")])
        }
    }

    /// Completes handshakes and shows no certificate.
    static func reportingNoChain(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, _, _ in
            report.chain = []
            report.keys = []
            report.nativeTrust = nil
        }
    }

    /// Judges at the system's time.
    static func readingItsOwnClock(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, request, real in
            guard !report.chain.isEmpty else { return }
            report.nativeTrust = await real.evaluateTrust(
                TrustQuestion(
                    chain: report.chain, anchors: request.anchors, name: request.serverName,
                    instant: request.instant.addingTimeInterval(10 * 365 * 86_400)))
        }
    }

    /// Returns a transport that reports every handshake as complete.
    static func hidingFailures(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, _, _ in report.failure = nil }
    }

    /// Returns a transport that sends data inside TLS.
    static func talking(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { _, request, _ in
            let command = "echo hello | openssl s_client -connect \(request.endpoint)"
            _ = try? await Subprocess.run(
                .name("sh"), arguments: ["-c", command], input: .none, output: .discarded, error: .discarded)
        }
    }

    /// Makes its request without asking whether it may.
    static func askingNobody(_ real: any Transport) -> WrongTransport {
        WrongTransport(
            real,
            redirect: { request in
                HandshakeRequest(
                    endpoint: request.endpoint, serverName: request.serverName, versions: request.versions,
                    alpn: HTTPExchange.alpn, anchors: request.anchors, instant: request.instant,
                    deadline: request.deadline,
                    exchange: HTTPExchange(with: Target(name: request.serverName)) { _ in true })
            })
    }

    /// Asks whether it may make its request, and makes another one beside it.
    static func askingTwice(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { _, request, real in
            guard request.exchange != nil else { return }
            _ = await askingNobody(real).handshake(request)
        }
    }

    /// Returns a transport that reports our own time as the server's.
    static func inventingTheServersTime(_ real: any Transport) -> WrongTransport {
        WrongTransport(real) { report, request, _ in
            guard let response = report.http?.response else { return }
            report.http = HTTPReport(
                .response(
                    .init(
                        version: response.version, status: response.status,
                        date: [HTTPDate.format(request.instant)])))
        }
    }

    /// Sends another name than the target's.
    static func sendingAnotherName(_ real: any Transport) -> WrongTransport {
        WrongTransport(
            real,
            falsify: { report, request, real in
                guard !report.chain.isEmpty else { return }
                report.nativeTrust = await real.evaluateTrust(request.trustQuestion(about: report.chain))
            },
            redirect: { request in
                HandshakeRequest(
                    endpoint: request.endpoint, serverName: .dns("other.test"), versions: request.versions,
                    alpn: request.alpn, anchors: request.anchors, instant: request.instant, deadline: request.deadline)
            })
    }
}
