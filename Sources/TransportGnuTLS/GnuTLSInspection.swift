import CProbeGnuTLS
import ProbeKit
import ProbePlatform

/// A refused chain, certificate by certificate: the faults with their depths, split into the causes that GnuTLS has one
/// bit for.
struct GnuTLSInspection {
    private let path: [GnuTLSCertificate]
    private let isAnchored: Bool
    private let purpose: String?
    private let flags: UInt32
    private let instant: Date
    private let skippedAnchors: Int

    /// Orders the chain from the leaf, each certificate followed by its issuer, an anchor if there is one.
    init(chain: [GnuTLSCertificate], list: GnuTLSTrustList, purpose: String?, flags: UInt32, at instant: Date) {
        self.purpose = purpose
        self.flags = flags
        self.instant = instant
        skippedAnchors = list.skipped
        var path = Array(chain.prefix(1))
        var others = Array(chain.prefix(HandshakeLimits.certificates).dropFirst())
        var isAnchored = false
        while let last = path.last {
            if list.contains(last) {
                isAnchored = true
                break
            }
            if let anchor = list.issuer(of: last) {
                path.append(anchor)
                isAnchored = true
                break
            }
            guard !last.isSelfIssued, let index = others.firstIndex(where: last.isIssued(by:)) else { break }
            path.append(others.remove(at: index))
        }
        self.path = path
        self.isAnchored = isAnchored
    }

    /// Returns all problems: those that each certificate has on its own, and those of the whole chain's verdict.
    func problems(explaining verdict: GnuTLSStatus, _ steps: [GnuTLSVerification.Step]) -> [TrustReading.Problem] {
        let ofTheLeaf: GnuTLSStatus = [.unexpectedOwner, .purposeMismatch, .invalid]
        var found: [TrustReading.Problem] = []
        var explained: GnuTLSStatus = []
        // If only name or purpose is wrong, GnuTLS has seen the whole chain.
        if !verdict.subtracting(ofTheLeaf).isEmpty {
            for (depth, status) in statusByDepth().enumerated() {
                for bit in status.each where bit != .invalid {
                    found += problems(for: bit, at: depth)
                    explained.insert(bit)
                }
            }
        }
        for bit in verdict.each where !explained.contains(bit) {
            found += problems(for: bit, at: depth(of: bit, steps))
        }
        return found.enumerated().filter { index, problem in !found[..<index].contains(problem) }.map(\.element)
    }

    private func statusByDepth() -> [GnuTLSStatus] {
        GnuTLSVerification(at: instant).run {
            path.indices.map { depth in
                // The issuer's own times are judged at its own depth.
                guard depth + 1 < path.count else { return lastStatus }
                let flags = flags | GNUTLS_VERIFY_DISABLE_TRUSTED_TIME_CHECKS.rawValue
                return (try? path[depth].status(under: path[depth + 1], flags: flags)) ?? .invalid
            }
        }
    }

    /// A certificate verified against itself is judged by its times alone.
    private var lastStatus: GnuTLSStatus {
        guard let last = path.last else { return [] }
        let times = (try? last.status(under: last, flags: flags)) ?? .invalid
        return isAnchored ? times : times.union(.signerNotFound)
    }

    private func problems(for bit: GnuTLSStatus, at depth: Int?) -> [TrustReading.Problem] {
        switch bit {
        case .signerNotFound:
            let isSelfSigned = !isAnchored && path.last?.isSelfIssued == true
            let problem = bit.problem(at: depth, cause: isSelfSigned ? .selfSigned : .unknownIssuer)
            return [problem.amongUnreadable(anchors: skippedAnchors)]
        case .insecureAlgorithm:
            let weaknesses = depth.map(weaknesses(at:)) ?? []
            return weaknesses.isEmpty ? [bit.problem(at: depth)] : weaknesses
        case .purposeMismatch:
            let depths = path.indices.filter { depth in purpose.map { !path[depth].allows(purpose: $0) } ?? false }
            return depths.isEmpty ? [bit.problem(at: depth)] : depths.map { bit.problem(at: $0) }
        case .unexpectedOwner:
            return [bit.problem(at: 0)]
        default:
            return [bit.problem(at: depth)]
        }
    }

    /// Returns the weaknesses: one bit covers the signature on a certificate, its key, and its issuer's key.
    private func weaknesses(at depth: Int) -> [TrustReading.Problem] {
        let bit = GnuTLSStatus.insecureAlgorithm
        var found: [TrustReading.Problem] = []
        if path[depth].hasWeakSignature {
            found.append(bit.problem(at: depth, cause: .weakSignature, note: " (the signature)"))
        }
        for depth in depth..<min(depth + 2, path.count) where path[depth].hasWeakKey {
            found.append(bit.problem(at: depth, cause: .weakKey, note: " (the key)"))
        }
        return found
    }

    private func depth(of bit: GnuTLSStatus, _ steps: [GnuTLSVerification.Step]) -> Int? {
        guard let step = steps.last(where: { $0.status.contains(bit) }) else { return nil }
        return path.firstIndex { $0.der == step.certificate }
    }
}
