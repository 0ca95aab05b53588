public import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform

/// `probe bench hash`: from a certificate's DER to whether it is pinned, against the digest alone.
public struct HashBench: Sendable {
    let floors: [any DigestFloor]
    let allocations: AllocationCounter?
    let rounds: Int

    /// - Parameters:
    ///   - floors: the stacks to measure.
    ///   - allocations: counts allocations; nil if this build can't.
    ///   - rounds: the number of pairs of measurements for a figure.
    public init(floors: [any DigestFloor], allocations: AllocationCounter?, rounds: Int) {
        self.floors = floors
        self.allocations = allocations
        self.rounds = rounds
    }

    /// Runs all measurements, and reports each line as soon as it is known.
    ///
    /// - Throws: ``BenchError`` if a stack's result differs from the others'.
    public func run(_ report: (BenchLine) -> Void) throws {
        let subjects = try HashSubject.all()
        if let allocations { report(control(allocations)) }
        for subject in subjects {
            for floor in floors { try measure(subject, floor, report) }
        }
        if let floor = floors.first { try membership(floor, subjects, report) }
        try BatchBench(floors: floors, allocations: allocations, rounds: rounds).run(subjects, report)
    }

    /// Shows that the counter works: it sees a known number of allocations.
    private func control(_ counter: AllocationCounter) -> BenchLine {
        let made = 1000
        let counted = counter.countKnown(made)
        return BenchLine(
            "allocation-counter", subject: "control", library: "libc", value: Double(counted), floor: Double(made),
            unit: "allocations", ratio: Double(counted) / Double(made), target: .ratioAtLeast(1))
    }

    private func measure(_ subject: HashSubject, _ floor: some DigestFloor, _ report: (BenchLine) -> Void) throws {
        let (digester, index, library) = (floor.digester, subject.pinned, floor.digester.name)
        guard floor.sha256(subject.spki.span, rounds: 1) == subject.digest,
            floor.keySHA256(certificate: subject.certificate.span, rounds: 1) == subject.digest
        else { throw BenchError("\(library) reads another key than ProbeKit in the \(subject.name) certificate") }

        func path(_ count: Int) throws { try Self.path(count, subject.certificate.span, index, digester) }
        let single = try RatioMeasurement(rounds: rounds, value: path) {
            _ = floor.sha256(subject.spki.span, rounds: $0)
        }
        report(BenchLine("hash", subject: subject.name, library: library, single, target: .ratioAtMost(1.15)))
        let parser = try RatioMeasurement(
            rounds: rounds, value: { _ = floor.keySHA256(certificate: subject.certificate.span, rounds: $0) },
            floor: path)
        report(BenchLine("parser", subject: subject.name, library: library, parser, target: .ratioAtLeast(100)))
        guard let allocations else { return }
        let count = 1000
        func line(_ bench: String, value: Int, floor: Int?, _ target: BenchTarget?) -> BenchLine {
            BenchLine(
                bench, subject: subject.name, library: library, value: Double(value) / Double(count),
                floor: floor.map { Double($0) / Double(count) }, unit: "allocations", target: target)
        }
        let bare = allocations.count { _ = floor.sha256(subject.spki.span, rounds: count) }
        let ours = try allocations.count { try path(count) }
        report(line("hash-allocations", value: ours, floor: bare, .valueAtMost(0)))
        // Beside it, the allocations of the library's parser, which shows that the counter sees into the library.
        let parsers = allocations.count {
            _ = floor.keySHA256(certificate: subject.certificate.span, rounds: count)
        }
        report(line("parser-allocations", value: parsers, floor: ours, nil))
    }

    private func membership(
        _ floor: some DigestFloor, _ subjects: [HashSubject], _ report: (BenchLine) -> Void
    ) throws {
        try MembershipBench(digester: floor.digester, rounds: rounds).run(subjects, report)
    }

    /// Runs the path a number of times, each with the right answer.
    private static func path(
        _ count: Int, _ certificate: Span<UInt8>, _ index: PinIndex, _ digester: some Digester
    ) throws {
        var matched = 0
        for _ in 0..<count where try index.match(certificate: certificate, digester: digester) == .spki { matched += 1 }
        guard matched == count else { throw BenchError("\(digester.name) did not find a pin that is there") }
    }
}

/// A certificate that the hash path is measured on.
struct HashSubject: Sendable {
    /// The kind of its key, as the lab names it.
    let name: String
    /// Its DER.
    let certificate: [UInt8]
    /// Its SubjectPublicKeyInfo.
    let spki: [UInt8]
    /// SHA-256 of that.
    let digest: PinDigest

    /// Returns leaf certificates of the lab, with each of the servers' kinds of keys.
    static func all() throws -> [HashSubject] {
        let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))
        return try [LabIdentityName.rsa2048, .rsa4096, .good, .ed25519].map { name in
            let identity = try pki.identity(name)
            let slices = try CertificateSlices(certificate: identity.leaf.span)
            let spki = Array(identity.leaf[slices.spki])
            return HashSubject(
                name: identity.key.kind.rawValue, certificate: identity.leaf, spki: spki,
                digest: PinDigest.sha256(of: spki))
        }
    }

    /// An index with this certificate's pin and a backup.
    var pinned: PinIndex { PinIndex([Pin(kind: .spki, digest: digest), Pin(kind: .spki, digest: .sha256(of: [1]))]) }
}
