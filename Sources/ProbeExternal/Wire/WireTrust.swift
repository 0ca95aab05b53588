package import ProbeKit
import ProbePlatform

/// A request to decide on a chain.
struct WireTrustQuestion: Encodable, Sendable {
    let chain: [Data]
    let anchors: WireAnchors
    @Always var name: String?
    let instant: String
    let purpose: TrustQuestion.Purpose
    @Always var staple: Data?
    @Always var maxDepth: Int?

    init(_ question: TrustQuestion) {
        chain = question.chain.map { Data($0) }
        anchors = WireAnchors(question.anchors)
        _name = Always(wrappedValue: question.name?.wireText)
        instant = RFC3339.format(question.instant)
        purpose = question.purpose
        if case .present(let der) = question.staple {
            _staple = Always(wrappedValue: Data(der))
        } else {
            _staple = Always(wrappedValue: nil)
        }
        _maxDepth = Always(wrappedValue: question.maxDepth.map { min($0, ProgramLimits.depth) })
    }
}

/// The reply to it.
package struct WireTrustReply: Decodable {
    package let trust: WireTrust
}

/// A stack's own trust decision.
package struct WireTrust: Decodable {
    struct Problem: Decodable {
        let cause: TrustCause
        let message: String
        let nativeCode: String?
        let depth: Int?
    }

    let accepted: Bool
    let problems: [Problem]?
    let path: [Data]?
    let judgesRevocation: Bool?

    /// - Throws: ``WireError`` if it contradicts itself.
    package func reading() throws -> TrustReading {
        let reading = try decision()
        return judgesRevocation ?? false ? reading.judgingRevocation : reading
    }

    private func decision() throws -> TrustReading {
        let problems = problems ?? []
        guard accepted == problems.isEmpty else {
            throw WireError(accepted ? "a chain is accepted with problems" : "a chain is refused for no problem")
        }
        guard !accepted else { return .accepted(path: path.flatMap { $0.isEmpty ? nil : $0.map { Array($0) } }) }
        return .refused(
            problems.prefix(ProgramLimits.entries).map {
                TrustReading.Problem(
                    $0.cause, WireText.sentence($0.message, or: $0.cause.rawValue),
                    nativeCode: $0.nativeCode.map(WireText.name), depth: $0.depth)
            })
    }
}
