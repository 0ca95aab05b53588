import ProbeKit
import ProbePlatform

/// The pins that a service keeps for later, and what is known of certificates that may follow.
struct ForecastBackups {
    /// The sets, in which the backups are marked.
    private let sets: [PinSet]
    /// The digests of certificates of which more than a hash is known.
    private let known: [CertificateDigests]

    init(_ sets: [PinSet], known: [CertificateEvidence] = []) {
        self.sets = sets
        self.known = known.compactMap { try? $0.digests.get() }
    }

    /// Returns true if no backup counts at an instant.
    func isEmpty(at instant: Date) -> Bool {
        !sets.contains { $0.members.contains { $0.isBackup && $0.counts(at: instant) } }
    }

    /// Returns the digests of the certificate that is pinned to follow the leaf; nil if none is.
    ///
    /// - Parameter leaf: the digests of the leaf, whose key is taken to stay where only a hash is known.
    func successor(of leaf: CertificateDigests, at instant: Date) -> CertificateDigests? {
        pin(.cert, depth: 0, at: instant).map { pin in
            digests(of: pin.digest) ?? CertificateDigests(cert: pin.digest, spki: leaf.spki, rawKey: leaf.rawKey)
        }
    }

    /// Returns the digests of a certificate that has the backups for a depth; nil if there are none.
    ///
    /// - Parameter fresh: the digests that have no backup.
    func certificate(at depth: Int, or fresh: CertificateDigests, at instant: Date) -> CertificateDigests? {
        func digest(_ kind: PinKind) -> PinDigest? { pin(kind, depth: depth, at: instant)?.digest }
        let (cert, spki, rawKey) = (digest(.cert), digest(.spki), digest(.rawkey))
        guard cert != nil || spki != nil || rawKey != nil else { return nil }
        return cert.flatMap(digests(of:))
            ?? CertificateDigests(cert: cert ?? fresh.cert, spki: spki ?? fresh.spki, rawKey: rawKey ?? fresh.rawKey)
    }

    /// Returns the backup of a kind that belongs to the leaf, or, if its set's position excludes that, to the certificate
    /// above it: of several the one that most sets have, for one certificate has to meet them all.
    private func pin(_ kind: PinKind, depth: Int, at instant: Date) -> Pin? {
        let pins = sets.filter { depth == ($0.position.includes(index: 0) ? 0 : 1) }.flatMap { set in
            set.members.filter { $0.isBackup && $0.pin.kind == kind && $0.counts(at: instant) }.map(\.pin)
        }
        var counts: [Pin: Int] = [:]
        for pin in pins { counts[pin, default: 0] += 1 }
        return pins.max { counts[$0, default: 0] < counts[$1, default: 0] }
    }

    /// Returns all digests of the certificate with a hash; nil if it is known by that alone.
    private func digests(of hash: PinDigest) -> CertificateDigests? { known.first { $0.cert == hash } }
}
