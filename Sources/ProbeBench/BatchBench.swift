import ProbeKit
import ProbePins
import ProbeSHA256

/// The hash path over many certificates at once against the sum of the best single floors.
struct BatchBench {
    let floors: [any DigestFloor]
    let allocations: AllocationCounter?
    let rounds: Int

    private static let certificates = 1024

    func run(_ subjects: [HashSubject], _ report: (BenchLine) -> Void) throws {
        let best = BatchDigester().variant(for: Self.certificates)
        for (name, group) in subjects.map({ ($0.name, [$0]) }) + [("mixed", subjects)] {
            guard let floor = bestFloor(for: group) else { return }
            let stream = try CertificateStream(group, count: Self.certificates)
            // A processor without any of this must not lose by it: the library computes one after the other.
            let single = BatchDigester(single: floor.digester, on: { _ in false })
            report(
                BenchLine(
                    "batch", subject: name, library: "one at a time", try measure(single, stream, group, floor),
                    target: .ratioAtMost(1.2)))
            for variant in SHA256Variant.allCases where variant.isAvailable {
                // A target applies to the variant that this processor uses by default.
                let target = variant == best ? BenchTarget.ratioAtMost(0.6) : nil
                let digester = try BatchDigester(variant)
                let measured = try measure(digester, stream, group, floor)
                report(BenchLine("batch", subject: name, library: variant.rawValue, measured, target: target))
                guard let allocations, variant == best else { continue }
                let index = Self.index(of: stream)
                var matches = [PinMatch](repeating: .notPinned, count: Self.certificates)
                let counted = try allocations.count { try Self.match(stream, index, digester, &matches) }
                report(
                    BenchLine(
                        "batch-allocations", subject: name, library: variant.rawValue, value: Double(counted),
                        unit: "allocations", target: .valueAtMost(0)))
            }
        }
    }

    /// Returns the stack that digests these certificates' keys fastest here.
    private func bestFloor(for group: [HashSubject]) -> (any DigestFloor)? {
        let timed = floors.map { floor in
            (
                floor,
                RatioMeasurement(rounds: 11, value: { digest(group, floor, $0) }, floor: { digest(group, floor, $0) })
            )
        }
        return timed.min { $0.1.floor < $1.1.floor }?.0
    }

    /// Digests one message after the other in C, over bytes that are not moved: the floor has every advantage.
    private func digest(_ group: [HashSubject], _ floor: some DigestFloor, _ batches: Int) {
        for subject in group {
            _ = floor.sha256(subject.spki.span, rounds: batches * Self.certificates / group.count)
        }
    }

    private func measure(
        _ digester: BatchDigester, _ stream: CertificateStream, _ group: [HashSubject], _ floor: any DigestFloor
    ) throws -> RatioMeasurement {
        let index = Self.index(of: stream)
        var matches = [PinMatch](repeating: .notPinned, count: Self.certificates)
        // The answers are checked before, and not while they are timed.
        try Self.match(stream, index, digester, &matches)
        return RatioMeasurement(
            rounds: rounds,
            value: {
                for _ in 0..<$0 {
                    var answers = matches.mutableSpan
                    index.match(
                        certificates: stream.certificates.span, of: stream.bytes.span, digester: digester,
                        into: &answers)
                }
            },
            floor: { digest(group, floor, $0) }
        ).forEach(of: Self.certificates)
    }

    /// Returns every other certificate's pin.
    private static func index(of stream: CertificateStream) -> PinIndex {
        PinIndex(
            stride(from: 0, to: stream.digests.count, by: 2).map { Pin(kind: .spki, digest: stream.digests[$0]) })
    }

    private static func match(
        _ stream: CertificateStream, _ index: PinIndex, _ digester: BatchDigester, _ matches: inout [PinMatch]
    ) throws {
        var answers = matches.mutableSpan
        index.match(
            certificates: stream.certificates.span, of: stream.bytes.span, digester: digester, into: &answers)
        for number in matches.indices
        where (matches[number] == .pinned(.spki)) != number.isMultiple(of: 2) {
            throw BenchError("the batch gave certificate \(number) another answer than it has")
        }
    }
}
