import ProbeKit
import ProbeTrust
import Synchronization

/// The reference verifier's decision on the chain of one handshake. Whether a request is sent depends on it, and the
/// verdict: it is made once.
final class ReferenceDecision: Sendable {
    typealias Answer = (trust: TrustReading, further: FurtherPaths, stores: [StoreTrust])

    private struct Question: Hashable {
        let chain: [[UInt8]]
        let staple: TrustQuestion.Staple
    }

    private let verifier: ReferenceVerifier
    private let furtherPaths: Int
    private let mailHost: MailHost?
    let certificates: ReadCertificates
    private let decided = Mutex<(question: Question, answer: Answer)?>(nil)

    /// - Parameters:
    ///   - furtherPaths: the maximum number of further paths to search for.
    ///   - mailHost: the host whose TLSA records decide; nil if anchors do.
    ///   - certificates: those of the probe.
    init(
        of verifier: ReferenceVerifier, furtherPaths: Int, mailHost: MailHost? = nil, certificates: ReadCertificates
    ) {
        self.mailHost = mailHost
        self.verifier = verifier
        self.furtherPaths = furtherPaths
        self.certificates = certificates
    }

    /// Returns the decision. All questions are about one handshake, so only what its report adds can differ.
    func answer(_ question: TrustQuestion) async -> Answer {
        let key = Question(chain: question.chain, staple: question.staple)
        if let decided = decided.withLock({ $0 }), decided.question == key { return decided.answer }
        let answer: Answer
        if let mailHost {
            answer = (await mailHost.judge(question, by: verifier, certificates), .none, [])
        } else {
            let (trust, further) = await verifier.evaluate(
                question, furtherPaths: furtherPaths, certificates: certificates)
            answer = (trust, further, await stores(question))
        }
        decided.withLock { $0 = (key, answer) }
        return answer
    }

    /// Returns the decision for each root store, if the anchors are those of several: a search of its own for each, so
    /// that none is cut short by the paths of another.
    private func stores(_ question: TrustQuestion) async -> [StoreTrust] {
        var decisions: [StoreTrust] = []
        for store in question.anchors.stores {
            let trust = await verifier.evaluate(
                question.with(anchors: store), furtherPaths: 0, certificates: certificates
            ).trust
            decisions.append(StoreTrust(store: store.name, trust: trust))
        }
        return decisions
    }
}

extension TrustQuestion {
    /// Returns the same question about other anchors.
    fileprivate func with(anchors: TrustAnchors) -> TrustQuestion {
        TrustQuestion(
            chain: chain, anchors: anchors, name: name, instant: instant, purpose: purpose, staple: staple,
            maxDepth: maxDepth, policies: policies)
    }
}
