import ProbeKit

/// A transport that makes no connection: its handshakes show certificates that a caller supplied, read and judged by
/// another transport's stack.
struct SuppliedChainTransport: Transport {
    private let chain: [[UInt8]]
    private let stack: any Transport

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
        for certificate in chain { report.keys.append(await stack.readKey(ofCertificate: certificate)) }
        guard !chain.isEmpty else { return report }
        let reading = await stack.evaluateTrust(request.trustQuestion(about: chain))
        // A stack that does not decide does not refuse.
        report.failure = HandshakeFailure(without: reading)
        if reading.isAnswered { report.nativeTrust = reading }
        return report
    }

    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        await stack.evaluateTrust(question)
    }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        await stack.readKey(ofCertificate: certificate)
    }
}
