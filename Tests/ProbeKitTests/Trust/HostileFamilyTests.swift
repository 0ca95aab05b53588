import CoreFoundation
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTrust
import SwiftASN1
import Testing

/// The families of hostile chains that `probe bench chains` measures in a release build, here for their answers. The bound is
/// for a build without optimisation, which takes some twenty times as long; it is in processor time, whatever else the machine does.
@Suite(.serialized) struct HostileFamilyTests {
    static let boundSeconds = 10.0

    /// Returns the answer of a verifier that has seen nothing yet, within bounds.
    private func bounded(_ question: TrustQuestion, _ verifier: ReferenceVerifier = .init()) async -> TrustReading {
        let start = Self.seconds
        let reading = await verifier.evaluate(question)
        let seconds = Self.seconds - start
        #expect(seconds < Self.boundSeconds, "\(reading.problems.prefix(1))")
        return reading
    }

    private static var seconds: Double {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 else { return 0 }
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    /// The answer is one of work and not of time: a second time, with everything known, it is the same.
    @Test(arguments: HostileChain.Family.allCases) func answersInTimeAndAlways(family: HostileChain.Family) async throws
    {
        for seed in 0..<UInt64(2) {
            let question = try HostileChain.make(family, seed: seed).question()
            let verifier = ReferenceVerifier()
            let first = await bounded(question, verifier)
            #expect(await bounded(question, verifier) == first)
            #expect(first.problems.count <= 32)
        }
    }

    /// Long names are compared and not formatted, except for those of the reported path.
    @Test(arguments: [31, 60]) func longSubjectsAreWrittenOnce(count: Int) async throws {
        let reading = await bounded(try Self.longSubjects(count: count, bytes: 1900, isExpired: true))
        #expect(reading.cause == .expired)
        // And if they have no fault, they are accepted.
        #expect(await bounded(try Self.longSubjects(count: count, bytes: 1900, isExpired: false)).isAccepted)
    }

    /// A name that no report can show is not read at all.
    @Test(arguments: [(31, 20_000), (1, 400_000), (90, 5000)])
    func namesOfTooManyBytesAreTooComplex(count: Int, bytes: Int) async throws {
        let reading = await bounded(try Self.longSubjects(count: count, bytes: bytes, isExpired: true))
        #expect(reading.cause == .tooComplex)
    }

    /// The leaf is charged like the others, before it is read.
    @Test(arguments: [300, 60_000]) func aLeafOfManyAttributesIsBounded(count: Int) async throws {
        let pki = TestChain.pki
        let name = try TestChain.name((0..<count).map { ("a\($0)", .printableString) })
        let leaf = try pki.issue(.leaf("test") { $0.encodedSubject = name }, by: .root)
        let root = TrustAnchors(name: "test", certificates: [try pki.issue(.root)])
        let reading = await bounded(
            TrustQuestion(chain: [leaf], anchors: root, name: try ServerName("good.test"), instant: pki.epoch))
        #expect(reading.cause == .tooComplex)
    }

    /// Signatures of namesakes are checked until the budget for their kind of key is spent: then the search is given up.
    @Test(arguments: [
        HostileChain.Family.namesakesP256, .namesakesP384, .namesakesP521, .namesakesRSA8192, .namesakesSlowRSA,
    ])
    func namesakesAreGivenUp(family: HostileChain.Family) async throws {
        let largest = try #require(
            (0..<UInt64(20)).map { HostileChain.make(family, seed: $0) }.max { $0.chain.count < $1.chain.count })
        let reading = await bounded(try largest.question())
        #expect([.tooComplex, .badSignature, .unknownIssuer].contains(reading.cause))
    }

    private static func longSubjects(count: Int, bytes: Int, isExpired: Bool) throws -> TrustQuestion {
        let pki = TestChain.pki
        let validity = LabCertificateRecipe.days(-9, isExpired ? -1 : 9)
        let authorities = try (0..<count).map { number -> LabCertificateRecipe in
            let name = try TestChain.name([(String(repeating: "x", count: bytes) + "\(number)", .utf8String)])
            return .authority("CA \(number)", issuer: nil) {
                $0.encodedSubject = name
                $0.validity = validity
            }
        }
        let root = LabCertificateRecipe.authority("Root", issuer: nil)
        let recipes = [LabCertificateRecipe.leaf("long") { $0.validity = validity }] + authorities + [root]
        let chain = try recipes.indices.dropLast().map { try pki.issue(recipes[$0], by: recipes[$0 + 1]) }
        return TrustQuestion(
            chain: chain, anchors: TrustAnchors(name: "test", certificates: [try pki.issue(root, by: root)]),
            name: try ServerName("good.test"), instant: pki.epoch)
    }
}
