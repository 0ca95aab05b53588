package import ProbeKit
package import ProbeLab
import ProbeTrust

/// The reference verifier and transports of this process, asked about chains.
package struct VerifierPanel: Sendable {
    private let transports: [any Transport]
    private let reference = ReferenceVerifier()
    private let patience: Duration

    /// Creates a panel.
    ///
    /// - Parameters:
    ///   - transports: the backends.
    ///   - patience: the time after which a backend hangs.
    package init(_ transports: [any Transport], patience: Duration = .seconds(60)) {
        self.transports = transports
        self.patience = patience
    }

    /// Returns everybody's answer about a chain.
    package func ask(_ chain: ExploredChain) async -> ExploredAnswers {
        let question = chain.question
        let expected = await reference.evaluate(question)
        var answers: [(name: String, answer: ExploredAnswer?)] = []
        for transport in transports {
            let isAble = question.requiredCapabilities.isSubset(of: transport.capabilities)
            let reading =
                isAble ? await Abandonable.run(within: patience) { _ in await transport.evaluateTrust(question) } : nil
            answers.append((transport.name, isAble ? reading.map(ExploredAnswer.init) ?? .hung : nil))
        }
        return ExploredAnswers(reference: ExploredAnswer(expected), backends: answers)
    }
}
