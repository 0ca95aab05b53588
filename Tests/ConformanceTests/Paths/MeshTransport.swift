import ProbeKit

/// A stack as it would judge a server that presents a chain, without the server.
struct MeshTransport: Transport {
    let stack: any Transport
    let chain: [[UInt8]]

    var identity: BackendIdentity { stack.identity }
    var capabilities: Set<TransportCapability> { stack.capabilities }
    var digester: (any Digester)? { stack.digester }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        var report = HandshakeReport()
        report.version = .tls13
        report.chain = chain
        for certificate in chain { report.keys.append(await readKey(ofCertificate: certificate)) }
        report.nativeTrust = await evaluateTrust(request.trustQuestion(about: chain))
        return report
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { await stack.evaluateTrust(question) }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        await stack.readKey(ofCertificate: certificate)
    }
}
