import ProbeKit
import ProbeNet
import ProbePins
import ProbePlatform

/// A NIOSSL client's trust decision: BoringSSL's `X509_verify_cert` with a TLS client's defaults, driven to the end so that
/// every error it can name is collected, then NIOSSL's own comparison of names.
enum NIOSSLTrust {
    /// Evaluates a question.
    ///
    /// - Parameter dialled: the address that a client dials for the name, if it is known.
    static func evaluate(
        _ question: TrustQuestion, chain: NIOSSLCertificates, anchors: NIOSSLAnchors, dialled: IPAddress? = nil
    ) -> TrustReading {
        ReadableChain.judge(chain.readings) { chain throws(BoringSSLError) in
            let path = try anchors.path(question, chain)
            var problems = path.problems
            if question.purpose == .server, let problem = keyProblem(chain.leaf) { problems.append(problem) }
            if let name = question.name,
                !NIOSSLNameRule.accepts(BoringSSLNames(chain.leaf), for: name, dialled: dialled)
            {
                problems.append(nameProblem(name))
            }
            return problems.isEmpty ? .accepted(path: path.certificates) : .refused(problems)
        }
    }

    /// Returns the problem of a leaf whose key BoringSSL can't decode: a path does not need the key, and every handshake does.
    private static func keyProblem(_ leaf: BoringSSLCertificate) -> TrustReading.Problem? {
        do throws(BoringSSLError) {
            _ = try leaf.spki()
            return nil
        } catch {
            return .init(.malformed, "the key can't be decoded: \(error.message)", nativeCode: error.code, depth: 0)
        }
    }

    private static func nameProblem(_ name: ServerName) -> TrustReading.Problem {
        .init(
            .hostnameMismatch, "no name of the certificate matches \(name)",
            nativeCode: "NIOSSLExtraError.failedToValidateHostname", depth: 0)
    }
}

/// Loaded certificate stores, one for each set of anchors, and the paths that were verified lately: loading the system's
/// store takes longer than a handshake, and many servers of a scan present the same chain.
final class NIOSSLAnchors: Sendable {
    /// The result of `X509_verify_cert`, whatever the server's name.
    struct Path: Sendable {
        let problems: [TrustReading.Problem]
        let certificates: [[UInt8]]
    }

    /// Everything that it depends on. BoringSSL judges at whole seconds.
    private struct Question: Hashable {
        let chain: [ByteKey]
        let anchors: OrderedStore
        let second: Double
        let purpose: TrustQuestion.Purpose
        let maxDepth: Int?
        let policies: TrustQuestion.PolicyInputs

        init(_ question: TrustQuestion) {
            chain = question.chain.map(ByteKey.init)
            anchors = OrderedStore(question.anchors)
            second = question.instant.timeIntervalSince1970.rounded(.down)
            purpose = question.purpose
            maxDepth = question.maxDepth
            policies = question.policies
        }
    }

    private let loaded = BoundedMemory<OrderedStore, BoringSSLStore>(limit: 8)
    private let verified = BoundedMemory<Question, Path>(limit: 64)
    /// Real chains are far smaller; a hostile peer's must not fill the memory.
    private static let maximumBytes = 16384

    /// Returns the path of a chain, verified now or with the same inputs before.
    func path(
        _ question: TrustQuestion, _ chain: ReadableChain<BoringSSLCertificate>
    ) throws(BoringSSLError) -> Path {
        let isKept = question.chain.reduce(0) { $0 + $1.count } <= Self.maximumBytes
        guard isKept else { return try verify(question, chain) }
        return try verified.value(for: Question(question)) { () throws(BoringSSLError) in try verify(question, chain) }
    }

    private func verify(
        _ question: TrustQuestion, _ chain: ReadableChain<BoringSSLCertificate>
    ) throws(BoringSSLError) -> Path {
        let store = try store(for: question.anchors)
        let verification = try BoringSSLVerification(
            store: store, leaf: chain.leaf, untrusted: chain.certificates.dropFirst())
        try verification.set(question)
        let problems = verification.run().map { store.explain($0.problem) }
        return Path(problems: problems, certificates: problems.isEmpty ? verification.path : [])
    }

    private func store(for anchors: TrustAnchors) throws(BoringSSLError) -> BoringSSLStore {
        try loaded.value(for: OrderedStore(anchors)) { () throws(BoringSSLError) in try BoringSSLStore(anchors) }
    }
}
