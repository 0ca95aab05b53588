import ProbeKit
import ProbePins
import ProbePlatform

/// The keys that TrustKit can hash.
///
/// TrustKit walks the evaluated chain from the root to the leaf and accepts it at the first pinned key
/// (`verifyPublicKeyPin` of `ssl_pin_verifier.m`). A key for which it has no header (`getAsn1HeaderBytes` of
/// `TSKSPKIHashCache.m`) ends the walk before, and blocks the connection even where pins are only reported
/// (`evaluateTrust` of `TSKPinningValidator.m`). After the last day of the pins it does not look at all.
struct TrustKitKeys: Policy {
    /// A certificate of the chain, as far as the walk depends on it.
    struct Link {
        let name: String
        /// The key's algorithm and size; nil if they are not known.
        let key: String?
        /// The hash of its key; nil if it can't be read.
        let spki: PinDigest?
    }

    private static let hashable: Set<String> = ["RSA 2048", "RSA 3072", "RSA 4096", "EC P-256", "EC P-384"]

    private let groups: [PinGroup]
    private let trust: TrustMode

    /// Creates the policy for the pins of one host.
    ///
    /// - Parameter trust: whose paths are walked.
    init(_ groups: [PinGroup], trust: TrustMode = .both) {
        self.groups = groups
        self.trust = trust
    }

    /// Returns an error if TrustKit blocks on a deciding path; which of several it takes is not known. A chain without
    /// one is refused before a key is looked at.
    func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection else { return [] }
        let findings = connection.deciding(by: trust).lazy.compactMap { path in
            finding(on: path.indices.map { Link(connection.certificates[$0]) }, at: instant)
        }
        return findings.first.map { [$0] } ?? []
    }

    /// Returns the error for a path, the leaf first; nil if TrustKit comes to a pinned key, or to the leaf.
    func finding(on path: [Link], at instant: Date) -> Finding? {
        let second = Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
        let pinned = groups.filter { $0.expiry.map { second <= $0.last } ?? true }.compactMap(\.index.spki)
        guard !pinned.isEmpty else { return nil }
        for (depth, link) in path.enumerated().reversed() {
            if let key = link.key, !Self.hashable.contains(key) {
                return blocked(at: link.name, key, fix: Self.fix(at: depth, of: path.count))
            }
            if let spki = link.spki, pinned.contains(where: { $0.contains(spki) }) { return nil }
        }
        return nil
    }

    /// Returns the advice for a certificate of a path: above the last one no key can be pinned, and who runs a server has no
    /// say in a root's key.
    private static func fix(at depth: Int, of count: Int) -> Fix {
        let keys = "RSA of 2048, 3072 or 4096 bits, P-256 or P-384"
        guard depth == count - 1 else { return "use \(keys), or pin the key of a CA above it" }
        return depth == 0 ? "use \(keys)" : "move to a CA whose root has a key of \(keys)"
    }

    private func blocked(at name: String, _ key: String, fix: Fix) -> Finding {
        .error(
            .pinMismatch, code: "trustkit-key-type", stage: .pins,
            "\(name) has the key \(key), which TrustKit can't hash: on the way down from the root it comes to it before any pinned key, and blocks the connection, even where pins are only reported",
            fix: fix)
    }
}

extension TrustKitKeys.Link {
    init(_ certificate: CertificateEvidence) {
        self.init(
            name: certificate.name, key: certificate.details?.key, spki: (try? certificate.digests.get())?.spki)
    }
}
