import Foundation
import ProbeKit
import ProbeLab
import Testing

@testable import ProbeTrust

/// The rules of one certificate, by its place in a path and by a verifier's habits.
@Suite struct CertificateRulesTests {
    private static let pki = TestChain.pki

    private func parsed(_ change: (inout LabCertificateRecipe) -> Void = { _ in }) throws -> ParsedCertificate {
        try ParsedCertificate.parse(try Self.pki.issue(.leaf("rules", issuer: nil, change: change))).get()
    }

    private func causes(
        _ certificate: ParsedCertificate, at seconds: TimeInterval = 0, depth: Int, isAnchor: Bool,
        _ habits: VerifierHabits = VerifierHabits()
    ) -> [TrustCause] {
        CertificateRules.common(
            certificate, at: Self.pki.epoch.addingTimeInterval(seconds), depth: depth, isAnchor: isAnchor, habits
        ).map(\.cause)
    }

    // MARK: Places

    /// Dates are judged everywhere but on an anchor above others, where the verifier does not look at them.
    @Test(arguments: [false, true], [0, 1]) func datesByPlace(isAnchor: Bool, depth: Int) throws {
        var careless = VerifierHabits()
        careless.judgesAnchorValidity = false
        let isJudged = !isAnchor || depth == 0
        for (validity, cause) in [(-20 ... -10, TrustCause.expired), (10...20, .notYetValid)]
            as [(ClosedRange<Int>, TrustCause)]
        {
            let certificate = try parsed { $0.validity = validity }
            #expect(causes(certificate, depth: depth, isAnchor: isAnchor) == [cause])
            #expect(causes(certificate, depth: depth, isAnchor: isAnchor, careless) == (isJudged ? [cause] : []))
        }
    }

    /// Certificates count whole seconds; both ends are inclusive.
    @Test func bothEndsAreValid() throws {
        let certificate = try parsed { $0.validity = -10...10 }
        var exclusive = VerifierHabits()
        exclusive.includesLastSecond = false
        let expected: [(TimeInterval, [TrustCause], [TrustCause])] = [
            (-10.5, [.notYetValid], [.notYetValid]), (-10, [], []), (9.5, [], []), (10, [], [.expired]),
            (10.9, [], [.expired]), (11, [.expired], [.expired]),
        ]
        for (second, inclusive, shorter) in expected {
            #expect(causes(certificate, at: second, depth: 0, isAnchor: false) == inclusive, "\(second)")
            #expect(causes(certificate, at: second, depth: 0, isAnchor: false, exclusive) == shorter, "\(second)")
        }
    }

    /// The size of an anchor's key is its owner's matter, unless it is the server's too.
    @Test(arguments: [false, true], [0, 1]) func weakKeysByPlace(isAnchor: Bool, depth: Int) throws {
        var demanding = VerifierHabits()
        demanding.minimumRSABits = 2049
        let usual = try parsed { $0.key = LabKeyID(.rsa2048, "leaf") }
        #expect(causes(usual, depth: depth, isAnchor: isAnchor).isEmpty)
        let refused: [TrustCause] = isAnchor && depth == 1 ? [] : [.weakKey]
        #expect(causes(usual, depth: depth, isAnchor: isAnchor, demanding) == refused)
        demanding.minimumRSABits = 2048
        #expect(causes(usual, depth: depth, isAnchor: isAnchor, demanding).isEmpty)
    }

    // MARK: Extensions

    private static let policies: [UInt8] = [0x30, 4, 0x30, 2, 6, 0]
    private static let known: [(oid: [UInt], value: [UInt8])] = [
        ([2, 5, 29, 15], [3, 2, 7, 0x80]), ([2, 5, 29, 37], [0x30, 10, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 1]),
        ([2, 5, 29, 17], [0x30, 3, 0x82, 1, 0x61]), ([2, 5, 29, 32], [0x30, 8, 0x30, 6, 6, 4, 0x55, 0x1d, 0x20, 0]),
        ([2, 5, 29, 33], [0x30, 10, 0x30, 8, 6, 2, 0x2a, 3, 6, 2, 0x2a, 4]), ([2, 5, 29, 36], [0x30, 3, 0x80, 1, 0]),
        ([2, 5, 29, 54], [2, 1, 0]), ([2, 5, 29, 19], [0x30, 0]),
        ([2, 5, 29, 30], [0x30, 7, 0xa0, 5, 0x30, 3, 0x82, 1, 0x61]),
        ([1, 3, 6, 1, 5, 5, 7, 1, 24], [0x30, 3, 2, 1, 5]),
    ]

    /// RFC 5280 section 4.2: the critical extensions that are processed, and their neighbours, which are not.
    @Test(arguments: known) func aCriticalExtensionIsKnownOrRefuses(oid: [UInt], value: [UInt8]) throws {
        func unknown(_ oid: [UInt]) throws -> [String] {
            let certificate = try parsed {
                $0.extensions.append(LabExtension(oid: oid, isCritical: true, value: value))
            }
            return CertificateRules.common(certificate, at: Self.pki.epoch, depth: 0, isAnchor: false)
                .map(\.reported.message).filter { $0.contains("unknown critical") }
        }
        #expect(try unknown(oid).isEmpty)
        for arc in oid.indices.dropFirst(2) {
            var other = oid
            other[arc] += 100
            #expect(try unknown(other).count == 1, "\(other)")
        }
        #expect(try unknown(oid + [1]).count == 1)
    }

    /// Problems of a server's certificate say that they are its own.
    @Test func problemsOfALeafAreAtDepthZero() throws {
        var short = VerifierHabits()
        short.lifetimes = [.init(since: 0, days: 1)]
        let certificate = try parsed {
            $0.dnsNames = ["other.test"]
            $0.keyUsage = .keyEncipherment
            $0.purposes = [.client]
            $0.role = .authority(pathLength: nil)
        }
        let question = TrustQuestion(
            chain: [certificate.der], anchors: .none, name: try ServerName("good.test"), instant: Self.pki.epoch)
        let problems = CertificateRules.leaf(certificate, question: question, isAnchor: false, short)
        #expect(
            problems.map(\.cause).sorted()
                == [.hostnameMismatch, .wrongPurpose, .wrongPurpose, .wrongPurpose, .constraintViolated].sorted())
        #expect(problems.allSatisfy { $0.depth == 0 })
    }

    /// The last lifetime that had begun when the certificate was issued counts, up to the second.
    @Test func theLongestLifeIsThatOfItsTime() throws {
        let issued = Int(Self.pki.epoch.timeIntervalSince1970) - 30 * 86_400
        func isRefused(_ lifetimes: [VerifierHabits.Lifetime], seconds: Int) throws -> Bool {
            var habits = VerifierHabits()
            habits.lifetimes = lifetimes
            let certificate = try parsed { $0.validity = -30 * 86_400 ... -30 * 86_400 + seconds }
            let question = TrustQuestion(
                chain: [certificate.der], anchors: .none, name: nil, instant: Self.pki.epoch)
            let problems = CertificateRules.leaf(certificate, question: question, isAnchor: false, habits)
            return problems.map(\.cause) == [.constraintViolated]
        }
        let two = 2 * 86_400
        #expect(try !isRefused([.init(since: issued, days: 2)], seconds: two))
        #expect(try isRefused([.init(since: issued, days: 2)], seconds: two + 1))
        #expect(try !isRefused([.init(since: issued, days: 2, slack: 1)], seconds: two + 1))
        #expect(try isRefused([.init(since: issued, days: 2, slack: 1)], seconds: two + 2))
        #expect(try !isRefused([.init(since: issued + 1, days: 2)], seconds: two + 1))
        #expect(try !isRefused([.init(since: 0, days: 2), .init(since: issued, days: 3)], seconds: two + 1))
        #expect(try isRefused([.init(since: 0, days: 3), .init(since: issued, days: 2)], seconds: two + 1))
    }
}
