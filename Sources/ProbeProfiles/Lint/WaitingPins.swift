import ProbeKit
import ProbePlatform
import ProbeTrust

/// The pins that no certificate of a chain has: those for a later key or certificate, and stale ones.
struct WaitingPins {
    private let connection: ConnectionEvidence
    /// The digests of all certificates, of every kind: a pin of another kind than stated waits for nothing.
    private let digests: Set<PinDigest>
    private let leafName: String?

    init(beside connection: ConnectionEvidence) {
        self.connection = connection
        digests = Set(
            connection.certificates.flatMap { certificate in
                (try? certificate.digests.get()).map { [$0.cert, $0.spki, $0.rawKey] } ?? []
            })
        leafName = connection.presented.first.flatMap { connection.certificates[$0].commonName }
    }

    /// Returns true if no certificate has the pin, and it is not for a leaf of another name.
    func contains(_ member: PinSet.Member) -> Bool {
        !digests.contains(member.pin.digest) && member.isFor(leafName)
    }

    /// Returns the position at which the pin matches; nil if it does not.
    func match(_ member: PinSet.Member, of set: PinSet) -> ServedPin? {
        digests.contains(member.pin.digest) ? ServedPin(member.pin, of: set, in: connection) : nil
    }
}

extension PinSet {
    /// Returns the set with its backups for a chain marked. A backup that is served is in use (RFC 7469 section 2.5).
    ///
    /// - Parameter areMarked: true if the file marks its backups; else, where a pin matches, those that wait are backups.
    func markingBackups(beside connection: ConnectionEvidence, areMarked: Bool) -> PinSet {
        let waiting = WaitingPins(beside: connection)
        guard areMarked || members.contains(where: { waiting.match($0, of: self) != nil }) else { return self }
        var set = self
        for (index, member) in members.enumerated() {
            set.members[index].isBackup =
                areMarked
                ? member.isBackup && waiting.match(member, of: self) == nil : waiting.contains(member)
        }
        return set
    }

    /// Creates pins of the certificates that a service is compared with, whose hashes have to be equal too
    /// (requirement 88); nil without any.
    ///
    /// - Parameter connection: the served chain, if it is known: a certificate that is not of it and ends no later than its
    ///   leaf can't follow that.
    init?(comparing certificates: [CertificateEvidence], beside connection: ConnectionEvidence?) {
        let leafEnd = connection?.certificates.first?.details?.notAfter
        let usable = certificates.filter { certificate in
            guard let leafEnd, let end = certificate.details?.notAfter, end <= leafEnd else { return true }
            return connection?.certificates.contains { $0.der == certificate.der } ?? true
        }
        let members = usable.compactMap { certificate in
            (try? certificate.digests.get()).map { Member(Pin(kind: .cert, digest: $0.cert)) }
        }
        guard !members.isEmpty else { return nil }
        let areCAs = Set(usable.map { $0.details?.isCA ?? false })
        self.init(members, position: areCAs == [true] ? .ca : areCAs == [false] ? .leaf : .any)
    }
}

extension PinSet.Member {
    /// Returns true if the pin has not expired by itself in the second that contains an instant.
    func counts(at instant: Date) -> Bool {
        expires.map { instant.timeIntervalSince1970.rounded(.down) <= $0.timeIntervalSince1970 } ?? true
    }
}
