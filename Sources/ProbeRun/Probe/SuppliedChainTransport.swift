import ProbeKit

/// A transport that makes no connection: its handshakes show certificates that a caller supplied, read and judged by
/// another transport's stack.
struct SuppliedChainTransport: Transport {
    private let chain: [[UInt8]]
    private let stack: any Transport
    /// The time for a decision where the keys left less.
    private static let patience = Duration.seconds(10)

    /// - Parameters:
    ///   - chain: DER, the leaf first.
    ///   - stack: decodes keys and judges trust.
    init(_ chain: [[UInt8]], judgedBy stack: any Transport) {
        self.chain = chain
        self.stack = stack
    }

    var identity: BackendIdentity { stack.identity }

    /// Declares what a connection would need, since nothing is sent; the stack has to support what it is asked for.
    var capabilities: Set<TransportCapability> {
        stack.capabilities.intersection([.keyReading, .trustEvaluation, .revocationLists])
            .union([.presentedChain, .sni, .alpn, .versionRange, .startTLS])
    }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        var report = HandshakeReport()
        report.isSupplied = true
        report.chain = chain
        for certificate in chain {
            report.keys.append(await stack.readKey(of: certificate, by: request.deadline))
        }
        guard !chain.isEmpty else { return report }
        let question = request.trustQuestion(about: chain)
        // Keys that took all of the time say nothing of the decision.
        let end = max(request.deadline, .after(Self.patience))
        let reading = await Deadline.$ofProbe.withValue(end) { await stack.evaluateTrust(question) }
        // A stack that does not decide does not refuse.
        report.failure = HandshakeFailure(without: reading)
        if reading.isAnswered { report.nativeTrust = reading } else { attributeLack(&report, of: question) }
        return report
    }

    /// A program that failed its first hello may have reported only now what it can't do.
    private func attributeLack(_ report: inout HandshakeReport, of question: TrustQuestion) {
        let missing = question.requiredCapabilities.subtracting(stack.capabilities)
        guard !missing.isEmpty else { return }
        let names = missing.sorted().map(\.rawValue).joined(separator: ", ")
        report.failure = HandshakeFailure(.unsupported, "\(stack.name) can't do \(names), so it was not asked")
    }

    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        await stack.evaluateTrust(question)
    }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        await stack.readKey(ofCertificate: certificate)
    }
}
