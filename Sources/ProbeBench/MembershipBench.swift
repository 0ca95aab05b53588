import ProbeKit
import ProbePins

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
        // All certificates are in the large set, two of them in the small one.
        let others = (0..<many - stream.digests.count).map { number in PinDigest.sha256(of: "pin \(number)".utf8) }
        let (large, small) = (stream.digests + others, Array(stream.digests.prefix(2)))
        let (largeSet, smallSet) = (PinDigestSet(large), PinDigestSet(small))

        // Each is looked up once before the first is looked up again, in an order unrelated to the set's.
        let absent = (0..<asked).map { number in PinDigest.sha256(of: "no pin \(number)".utf8) }
        try measure("absent", (largeSet, absent), (smallSet, absent), found: false, report)
        let (present, few) = (Array(large.shuffled().prefix(asked)), (0..<asked).map { small[$0 % 2] })
        try measure("present", (largeSet, present), (smallSet, few), found: true, report)

        let (largeIndex, smallIndex) = (index(large), index(small))
        let path = try RatioMeasurement(
            rounds: rounds, value: { try matches(stream, largeIndex, $0, of: stream.certificates.count) },
            floor: { try matches(stream, smallIndex, $0, of: 2) })
        report(
            BenchLine("membership", subject: "certificate", library: digester.name, path, target: target))
    }

    /// The number of different digests to look up.
    private let asked = 65_536

    private func measure(
        _ subject: String, _ large: (set: PinDigestSet, asked: [PinDigest]),
        _ small: (set: PinDigestSet, asked: [PinDigest]), found: Bool, _ report: (BenchLine) -> Void
    ) throws {
        func lookups(_ set: PinDigestSet, _ asked: [PinDigest], _ count: Int) throws {
            var members = 0
            for number in 0..<count where set.contains(asked[number % asked.count]) { members += 1 }
            guard members == (found ? count : 0) else { throw BenchError("a set has other members") }
        }
        let measured = try RatioMeasurement(
            rounds: rounds, value: { try lookups(large.set, large.asked, $0) },
            floor: { try lookups(small.set, small.asked, $0) })
        report(BenchLine("membership", subject: subject, library: "probe", measured, target: target))
    }

    private func index(_ digests: [PinDigest]) -> PinIndex { PinIndex(digests.map { Pin(kind: .spki, digest: $0) }) }

    /// Runs the whole path, over all the certificates in turn.
    private func matches(
        _ stream: CertificateStream, _ index: PinIndex, _ count: Int, of members: Int
    ) throws {
        let (bytes, certificates) = (stream.bytes.span, stream.certificates)
        var found = 0
        for number in 0..<count {
            let certificate = bytes.extracting(certificates[number % certificates.count])
            if try index.match(certificate: certificate, digester: digester) != nil { found += 1 }
        }
        let wanted = count / certificates.count * members + min(members, count % certificates.count)
        guard found == wanted else {
            throw BenchError("an index has other pins than it was given")
        }
    }
}
