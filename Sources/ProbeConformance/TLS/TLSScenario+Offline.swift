import ProbeKit
import ProbeRun

extension TLSScenario {
    /// Returns the transport's trust result for the same chain without a connection; nil if there is none to compare.
    ///
    /// - Parameter question: the question, if it is another one than the handshake's.
    func offlineTrust(
        of result: ProbeResult, _ check: Check, through transport: any Transport, asking question: ChainQuestion? = nil
    ) async -> TrustReading? {
        guard transport.capabilities.contains(.trustEvaluation), let connection = result.evidence.connection,
            connection.report.nativeTrust != nil
        else { return nil }
        let staple: TrustQuestion.Staple =
            transport.capabilities.contains(.ocspStaple)
            ? connection.report.ocspStaple.map { .present($0) } ?? .absent : .notAsked
        return await transport.evaluateTrust(
            TrustQuestion(
                chain: connection.report.chain, anchors: check.anchors, name: check.target.name,
                instant: connection.instant, purpose: question?.purpose ?? .server, staple: staple,
                maxDepth: question?.maxDepth))
    }

    /// Returns a difference of the trust result without a connection from the handshake's; an exemption covers that too,
    /// because the handshake's negotiation may be its reason.
    func offlineContradiction(
        of result: ProbeResult, _ offline: TrustReading, exempt: String?
    ) -> String? {
        guard offline.isAnswered else {
            return "no trust decision without a connection: \(offline.problems.first?.message ?? "")"
        }
        guard let live = result.evidence.connection?.report.nativeTrust else { return nil }
        func text(_ reading: TrustReading) -> String { reading.cause?.rawValue ?? "accepted" }
        if let exempt, exempt == text(live) { return "its trust result without a connection is that of the handshake" }
        return text(offline) == exempt ?? text(live)
            ? nil : "in the handshake \(text(live)), and without a connection \(text(offline))"
    }

    /// Returns a difference of the answer to the scenario's question from the expected one.
    func questionContradiction(
        of result: ProbeResult, _ check: Check, through transport: any Transport
    ) async -> String? {
        guard let question,
            let reading = await offlineTrust(of: result, check, through: transport, asking: question)
        else { return nil }
        let seen = reading.isAnswered ? reading.cause?.rawValue ?? "accepted" : "no trust decision"
        return reading.isAnswered && reading.isAccepted == question.isAccepted
            ? nil : "without a connection, asked \(question): \(seen)"
    }
}
