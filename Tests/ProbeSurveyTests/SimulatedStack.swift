import ProbeKit
import ProbeTestSupport
import Synchronization

/// A server as its settings are, without a network.
struct SimulatedServer: Sendable {
    /// The offers that it accepts in one version.
    struct Settings: Sendable {
        var cipherSuites: [String]
        var groups: [String] = ["x25519", "secp256r1"]
        var signatureAlgorithms: [String] = ["rsa_pss_rsae_sha256", "rsa_pkcs1_sha256"]
    }

    var versions: [TLSVersion: Settings]
    var alpn: [String] = []
    var prefersItsOrder = true
    var givesTickets = true
    /// A failure instead of an answer, from one handshake on.
    var fault: (from: Int, HandshakeFailure)?
    /// Handshakes that end without an answer, by their numbers.
    var lost: [Int: HandshakeFailure] = [:]
    /// The way it refuses.
    var refusal = HandshakeFailure(.alertReceived, "alert 40", alert: .handshakeFailure)

    /// Answers one ClientHello.
    func answer(_ offer: ClientOffer, _ version: TLSVersion, number: Int) -> HandshakeReport {
        if let fault, number >= fault.from { return HandshakeReport(failure: fault.1) }
        if let failure = lost[number] { return HandshakeReport(failure: failure) }
        let refusal = HandshakeReport(failure: refusal)
        guard let settings = versions[version],
            let suite = choose(settings.cipherSuites, offer.cipherSuites ?? [])
        else { return refusal }
        var report = HandshakeReport()
        report.version = version
        report.cipherSuite = suite
        report.chain = [[1]]
        if suite.contains("ECDHE") || version == .tls13 {
            guard let group = choose(settings.groups, offer.groups ?? []) else { return refusal }
            report.group = group
        }
        if version >= .tls12, !suite.hasPrefix("TLS_RSA_") {
            guard let scheme = choose(settings.signatureAlgorithms, offer.signatureAlgorithms ?? []) else {
                return refusal
            }
            report.signatureAlgorithm = scheme
        }
        report.alpn = choose(alpn, offer.alpn ?? [])
        if offer.sessionTicket { report.sessionTicket = givesTickets }
        return report
    }

    private func choose(_ own: [String], _ offered: [String]) -> String? {
        prefersItsOrder ? own.first(where: offered.contains) : offered.first(where: own.contains)
    }
}

/// A stack that has some entries, before a simulated server.
final class SimulatedStack: Transport {
    let name: String
    let server: SimulatedServer
    /// The cipher suites that it has.
    let suites: Set<String>?
    /// True if it can offer one cipher suite at a time, as a stack that makes its list of parts.
    let isClumsy: Bool
    let features: Set<TransportCapability>
    /// The number of lists that it can offer together.
    let lists: Int
    private let state = Mutex<[ClientOffer]>([])

    init(
        _ name: String, _ server: SimulatedServer, suites: Set<String>? = nil, isClumsy: Bool = false,
        features: Set<TransportCapability> = [.offer, .sessionTicket], lists: Int = 4
    ) {
        self.name = name
        self.server = server
        self.suites = suites
        self.isClumsy = isClumsy
        self.features = features
        self.lists = lists
    }

    /// The offers that were sent.
    var offers: [ClientOffer] { state.withLock { $0 } }

    var identity: BackendIdentity { BackendIdentity(name: name, library: "simulated", version: "1") }
    var capabilities: Set<TransportCapability> {
        features.union([.presentedChain, .keyReading, .trustEvaluation, .versionRange, .sni, .alpn])
    }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        guard var offer = request.offer else { return HandshakeReport() }
        if let suites, let unknown = offer.cipherSuites?.filter({ !suites.contains($0) }), !unknown.isEmpty {
            return HandshakeReport(failure: .cannotOffer(unknown, "cipher suites"))
        }
        if isClumsy, offer.cipherSuites.map({ $0.count > 1 }) == true {
            return HandshakeReport(
                failure: .wouldOffer(
                    ["others"] + (offer.cipherSuites ?? []), insteadOf: offer.cipherSuites ?? [], "cipher suites"))
        }
        if [offer.cipherSuites, offer.groups, offer.signatureAlgorithms, offer.alpn].count(where: {
            $0?.isEmpty == false
        }) > lists {
            return HandshakeReport(
                failure: .wouldOffer(["others"] + (offer.groups ?? []), insteadOf: offer.groups ?? [], "groups"))
        }
        let number = state.withLock { state in
            state.append(offer)
            return state.count
        }
        // The stack's own lists stand in for those that are left to it.
        offer.cipherSuites =
            offer.cipherSuites ?? suites.map { $0.sorted() } ?? ClientOffer.Registry.cipherSuites.allNames
        offer.groups = offer.groups ?? ClientOffer.Registry.groups.allNames
        offer.signatureAlgorithms = offer.signatureAlgorithms ?? ClientOffer.Registry.signatureSchemes.allNames
        var report = server.answer(offer, request.versions.upperBound, number: number)
        report.peerAddress = "192.0.2.1"
        return report
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .accepted(path: nil) }
    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("none") }
}
