import ProbeKit

/// Membership in a set of a hundred thousand pins against a set of two.
struct MembershipBench<Stack: Digester> {
    let digester: Stack
    let rounds: Int

    private let many = 100_000
    private let target = BenchTarget.ratioAtMost(1.1)

    init(digester: Stack, rounds: Int) {
        self.digester = digester
        self.rounds = rounds
    }

    func run(_ subjects: [HashSubject], _ report: (BenchLine) -> Void) throws {
        let stream = try CertificateStream(subjects, count: 1024)
        // The small set's two are in the large one, and so is nothing else that is asked for.
        let members = Array(stream.digests.prefix(2))
        let others = (0..<many - 2).map { number in PinDigest.sha256(of: "pin \(number)".utf8) }
        let (large, small) = (members + others, members)

        let (largeSet, smallSet) = (PinDigestSet(large), PinDigestSet(small))
        let asked = Array(stream.digests.prefix(64))
        func lookups(_ set: PinDigestSet, _ count: Int) throws {
            var found = 0
            for number in 0..<count where set.contains(asked[number % asked.count]) { found += 1 }
            guard found == count / asked.count * 2 + min(2, count % asked.count) else {
                throw BenchError("a set has other members")
            }
        }
        let lookup = try RatioMeasurement(
            rounds: rounds, value: { try lookups(largeSet, $0) }, floor: { try lookups(smallSet, $0) })
        report(BenchLine("membership", subject: "lookup", library: "probe", lookup, target: target))

        let (largeIndex, smallIndex) = (index(large), index(small))
        let path = try RatioMeasurement(
            rounds: rounds, value: { try matches(stream, largeIndex, $0) },
            floor: { try matches(stream, smallIndex, $0) })
        report(
            BenchLine("membership", subject: "certificate", library: digester.identity.name, path, target: target))
    }

    private func index(_ digests: [PinDigest]) -> PinIndex { PinIndex(digests.map { Pin(kind: .spki, digest: $0) }) }

    /// The whole path, over all the certificates by turns.
    private func matches(_ stream: CertificateStream, _ index: PinIndex, _ count: Int) throws {
        let (bytes, certificates) = (stream.bytes.span, stream.certificates)
        var found = 0
        for number in 0..<count {
            let certificate = bytes.extracting(certificates[number % certificates.count])
            if try index.match(certificate: certificate, digester: digester) != nil { found += 1 }
        }
        guard found >= min(2, count), found <= 2 * (count / certificates.count + 1) else {
            throw BenchError("an index has other pins than it was given")
        }
    }
}
