import ProbeDNS
import ProbeKit
import ProbeNet
import ProbePins
import Synchronization

/// Requests as backends saw them, in order.
final class Recorder: Sendable {
    struct Requests: Sendable {
        var handshakes: [(backend: String, request: HandshakeRequest)] = []
        var queries: [(backend: String, query: DNSQuery)] = []
        var trust: [(backend: String, question: TrustQuestion)] = []
        var signatures: [(backend: String, question: SignatureQuestion)] = []
    }

    private let state = Mutex(Requests())

    var requests: Requests { state.withLock { $0 } }

    func note(_ change: (inout Requests) -> Void) { state.withLock { change(&$0) } }
}

/// Answers every handshake with one chain that it trusts.
struct RecordingTransport: Transport {
    let name: String
    let chain: [[UInt8]]
    let recorder: Recorder
    var lacking: Set<TransportCapability> = []

    var identity: BackendIdentity { BackendIdentity(name: name, library: "recording", version: "1") }
    var capabilities: Set<TransportCapability> {
        let all: Set<TransportCapability> = [
            .presentedChain, .sni, .alpn, .versionRange, .keyReading, .trustEvaluation, .httpHead, .revocationLists,
            .startTLS, .clientIdentity, .proxy, .localSocket, .offer,
        ]
        return all.subtracting(lacking)
    }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        recorder.note { $0.handshakes.append((name, request)) }
        var report = HandshakeReport()
        report.peerAddress = "\(request.endpoint)"
        report.sniSent = request.serverName.sni
        report.chain = chain
        report.keys = chain.map(Self.key)
        report.version = .tls12
        report.cipherSuite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
        report.nativeTrust = .accepted(path: nil)
        if let exchange = request.exchange { _ = await exchange.isApproved(report) }
        return report
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        recorder.note { $0.trust.append((name, question)) }
        return .accepted(path: nil)
    }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { Self.key(certificate) }

    private static func key(_ certificate: [UInt8]) -> KeyReading {
        guard let slices = try? CertificateSlices(certificate: certificate.span) else { return .unreadable("none") }
        return .spki(Array(certificate[slices.spki]))
    }
}

/// Answers for every name with a service binding and two addresses, and for other types with nothing.
struct SweptRecords: RecordSource {
    static let addresses = ["192.0.2.77", "2001:db8::77"].compactMap(IPAddress.init)

    func reply(
        _ type: UInt16, of name: DNSName, by deadline: Deadline
    ) async throws(DNSFailure) -> DNSMessage {
        let data: [UInt16: [UInt8]] = [1: Self.addresses[0].bytes, 28: Self.addresses[1].bytes, 65: [0, 1, 0]]
        let records = data[type].map { [0xc0, 12, 0, UInt8(type), 0, 1, 0, 0, 0, 60, 0, UInt8($0.count)] + $0 } ?? []
        let counts: [UInt8] = [0, 1, 0, records.isEmpty ? 0 : 1, 0, 0, 0, 0]
        let message = [0, 7, 0x81, 0x80] + counts + name.wireBytes + [0, UInt8(type), 0, 1] + records
        do throws(ReplyFault) {
            return try DNSMessage(message)
        } catch {
            throw DNSFailure(.gaveUp, error.message)
        }
    }
}

/// Answers for `models.test` with the list `dc` in two strings, `d` and `c`; no other name is answered.
struct RecordingResolver: Resolver {
    let name: String
    let recorder: Recorder
    var lacking: Set<ResolverCapability> = []

    var identity: BackendIdentity { BackendIdentity(name: name, library: "recording", version: "1") }
    var capabilities: Set<ResolverCapability> {
        let all: Set<ResolverCapability> = [
            .rawReply, .chosenServers, .httpsServers, .tlsServers, .serverChain, .ednsSize, .bigEDNSSize, .withoutEDNS,
            .tcpOnTruncation,
            .failureReasons, .dnssecValidation,
        ]
        return all.subtracting(lacking)
    }

    func resolve(_ query: DNSQuery) async -> DNSReport {
        recorder.note { $0.queries.append((name, query)) }
        let isAnswered = query.name.description.hasPrefix("models.test")
        let strings = [Array("d".utf8), Array("c".utf8)]
        return DNSReport(attempts: [
            DNSAttempt(
                server: "recording", channel: .udp, ednsSize: nil, id: 7,
                reply: isAnswered ? Self.reply(to: query.name, strings) : nil,
                native: isAnswered ? .parsed(rcode: .noError, records: [strings]) : nil,
                dnssec: query.dnssec == .off ? nil : .secure,
                failure: isAnswered ? nil : DNSFailure(.timeout, "it is silent"), duration: .zero)
        ])
    }

    private static func reply(to name: DNSName, _ strings: [[UInt8]]) -> [UInt8] {
        var reply: [UInt8] = [0, 7, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]
        for label in name.description.split(separator: ".") { reply += [UInt8(label.utf8.count)] + Array(label.utf8) }
        reply += [0, 0, 16, 0, 1, 0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60]
        var data: [UInt8] = []
        for string in strings { data += [UInt8(string.count)] + string }
        return reply + [0, UInt8(data.count)] + data
    }
}

/// Takes every signature for a trusted signer's.
struct RecordingValidator: SignatureValidator {
    let name: String
    let recorder: Recorder

    var identity: BackendIdentity { BackendIdentity(name: name, library: "recording", version: "1") }

    func validate(_ question: SignatureQuestion) async -> SignatureReading {
        recorder.note { $0.signatures.append((name, question)) }
        return .valid(signer: "somebody", certificate: nil)
    }
}

/// Takes every file for an identity.
struct RecordingIdentities: ClientIdentity.Reader {
    func identity(
        certificate: Secret, key: Secret?, passphrase: Secret?
    ) throws(ClientIdentity.Problem) -> ClientIdentity {
        ClientIdentity(chain: [[0x30, 0]], key: .pkcs8(key ?? certificate))
    }
}
