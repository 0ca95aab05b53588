import ProbeKit
import ProbeTrust

/// A client's decision on a chain, and the path on which its pins are looked for.
struct ClientDecision {
    /// The client's own answer.
    let own: TrustReading
    /// The same answer with a path of the chain. A client that is a program need not show its path, and may claim one with
    /// certificates from elsewhere: the reference verifier's path to the same anchors then stands in.
    let trust: TrustReading
    /// The decision if any path would do, where the client refuses and follows one.
    let onAllPaths: TrustReading?
    /// True if the client accepts that decision's path where the server sends it alone and in its order. If not, the fault is
    /// among the client's own roots.
    let canBeServed: Bool

    /// Decides on a chain as a client does.
    ///
    /// - Parameter program: the client itself; nil emulates it.
    init(
        _ question: TrustQuestion, as client: Client, program: (any Transport)?, reference: ReferenceVerifier
    ) async {
        let own =
            if let program { await program.evaluateTrust(question) } else {
                await reference.evaluate(question, habits: client.habits)
            }
        self.own = own
        if program != nil, own.isAccepted, own.path(of: question.chain, to: question.anchors) == nil {
            let path = await reference.evaluate(question, habits: client.habits).path
            trust = .accepted(path: path, remarks: own.remarks)
        } else {
            trust = own
        }
        if own.isAnswered, !own.isAccepted, client.habits.paths != .allPaths {
            var habits = client.habits
            habits.paths = .allPaths
            let other = await reference.evaluate(question, habits: habits)
            onAllPaths = other
            if let path = other.path {
                let served = TrustQuestion(
                    chain: Array(path.dropLast()), anchors: question.anchors, name: question.name,
                    instant: question.instant, purpose: question.purpose, staple: question.staple,
                    maxDepth: question.maxDepth, policies: question.policies)
                canBeServed = await reference.evaluate(served, habits: client.habits).isAccepted
            } else {
                canBeServed = false
            }
        } else {
            onAllPaths = nil
            canBeServed = false
        }
    }
}

extension Client {
    /// Returns the stapled response as the client's verifier has it: one that judges none did not ask for it.
    ///
    /// - Parameter wasAsked: true if the stack that sent the offer asked for one.
    func staple(in report: HandshakeReport, wasAsked: Bool) -> TrustQuestion.Staple {
        guard judgesStaples, wasAsked else { return .notAsked }
        return report.ocspStaple.map { .present($0) } ?? .absent
    }
}
