import ProbeKit
import ProbeLab

/// A question about a server's chain that no handshake asks: for another use, or with fewer intermediates.
///
/// The stacks have different names for these refusals. The promise is that they refuse.
struct ChainQuestion: Hashable, Sendable, CustomStringConvertible {
    var purpose = TrustQuestion.Purpose.server
    var maxDepth: Int?
    /// True if the chain is accepted.
    let isAccepted: Bool

    var description: String {
        "for the purpose '\(purpose.rawValue)'" + (maxDepth.map { " with at most \($0.counted("intermediate"))" } ?? "")
    }
}

extension TLSScenario {
    /// Questions without a connection that differ from the handshake's.
    static let questions: [TLSScenario] = [
        good(
            "client", "A server's certificate is not accepted for a client.", source: "RFC 5280 4.2.1.12",
            ChainQuestion(purpose: .client, isAccepted: false)),
        good(
            "no-intermediates", "A path with more intermediates than the question allows is refused.",
            source: "choice: the limit is the most intermediates", ChainQuestion(maxDepth: 0, isAccepted: false)),
        good(
            "one-intermediate", "A path with as many as it allows is accepted.",
            source: "choice: the limit is the most intermediates", ChainQuestion(maxDepth: 1, isAccepted: true)),
        TLSScenario(
            "questions/any", "A client's certificate is accepted for any use.", source: "RFC 5280 4.2.1.12",
            .clientPurpose, .trustFailed, code: TrustCause.wrongPurpose.rawValue
        ).with { $0.question = ChainQuestion(purpose: .any, isAccepted: true) },
    ]

    private static func good(
        _ id: String, _ sentence: String, source: String, _ question: ChainQuestion
    ) -> TLSScenario {
        TLSScenario("questions/" + id, sentence, source: source, .good, .pass).with { $0.question = question }
    }
}
