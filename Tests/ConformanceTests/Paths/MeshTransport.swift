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

/// The stacks' results for the meshes, as a table.
struct MeshTally {
    struct Stack {
        var accepted = 0
        var sameAsReference = 0
        var otherThanReference = 0
        var refused = 0
        var sameAsProgram = 0
        var pins: [String: Int] = [:]
    }

    var meshes = 0
    var withoutPath = 0
    var validPaths = 0
    var stacks: [String: Stack] = [:]

    var text: String {
        let outcomes = ["pass", "pass-with-warnings", "paths-differ", "pin-mismatch", "stacks-disagree"]
        let head = ["stack", "accepts", "reference's path", "another", "refuses", "its program's path"] + outcomes
        let rows = stacks.sorted { $0.key < $1.key }.map { name, stack in
            [name]
                + [
                    stack.accepted, stack.sameAsReference, stack.otherThanReference, stack.refused,
                ].map(String.init) + [stack.sameAsProgram == 0 ? "none" : String(stack.sameAsProgram)]
                + outcomes.map { String(stack.pins[$0, default: 0]) }
        }
        let lines = ([head] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
        return
            "\(meshes) meshes, \(withoutPath) without a valid path, \(validPaths) valid paths in all; pins judged, by outcome\n"
            + lines.joined(separator: "\n")
    }
}
