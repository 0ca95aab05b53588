import ProbeKit
import ProbeLab
import Testing

@testable import ProbeTrust

/// The one path of each verifier that does not search, whatever rules it breaks.
@Suite struct HabitualPathTests {
    private static let walking = VerifierHabits.PathBuilding.allCases.filter { $0 != .allPaths }

    @Test(arguments: walking) func aLeafThatIsAnAnchorIsThePath(paths: VerifierHabits.PathBuilding) throws {
        let own = LabCertificateRecipe.leaf("own", issuer: nil)
        let leaf = try TestChain.parsed(own, by: own)
        #expect(TestHabit.path(paths, leaf, [], anchors: [leaf]) == [leaf.der])
        #expect(TestHabit.path(paths, leaf, [], anchors: []) == nil)
    }

    /// At most a hundred stand below the anchor.
    @Test func aPathIsBounded() throws {
        let recipes = (0...101).map { TestChain.authority("Habit \($0)") }
        let chain = try (0...100).map { try TestChain.parsed(recipes[$0], by: recipes[$0 + 1]) }
        let leaf = try TestHabit.leaf(by: recipes[0])
        for paths in Self.walking {
            for (count, isFound) in [(100, true), (101, false)] {
                let whole = [leaf] + chain.prefix(count)
                let found = TestHabit.path(paths, leaf, Array(whole[1..<count]), anchors: whole.suffix(1))
                #expect(found == (isFound ? whole.map(\.der) : nil), "\(paths)")
            }
        }
    }

    /// Each step costs a unit, and an eighth of the path's length so far; the signatures are checked, and paid for,
    /// afterwards.
    @Test(arguments: [(1, 1), (2, 2), (7, 7), (8, 9), (9, 11), (16, 26)])
    func aStepIsPaidFor(steps: Int, units: Int) throws {
        let recipes = (0..<steps).map { TestChain.authority("Step \($0)") }
        let sent = try (0..<steps - 1).map { try TestChain.parsed(recipes[$0], by: recipes[$0 + 1]) }
        let leaf = try TestHabit.leaf(by: recipes[0])
        let anchor = try TestChain.parsed(recipes[steps - 1], by: recipes[steps - 1])
        let all = [leaf] + sent + [anchor]
        let signatures = zip(all, all.dropFirst()).reduce(0) { $0 + $1.1.verificationCost + $1.0.der.count / 300 }
        for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst, .sentNames] {
            var habit = TestHabit.builder(paths, leaf, sent, roots: [anchor])
            var budget = SearchBudget(units: 50_000)
            let found = habit.path(&budget) ?? []
            #expect(found.count == steps + 1 && 50_000 - budget.remaining == units)
            let place = habit.firstUnsigned(in: found, &budget)
            #expect(place == nil && 50_000 - budget.remaining - signatures == units)
            var little = SearchBudget(units: units - 1)
            let none = habit.path(&little)
            #expect(none == nil && little.isSpent)
        }
    }

    // MARK: Choosing an issuer

    /// A sent certificate is taken although it leads nowhere; the way back for an anchor goes down to the leaf.
    @Test func theWayBackEndsAtTheLeaf() throws {
        let issuer = TestChain.authority("Twice")
        let leaf = try TestHabit.leaf(by: issuer)
        let sent = try TestChain.parsed(issuer, by: TestChain.authority("Nowhere"))
        let anchor = try TestChain.parsed(issuer, by: issuer)
        #expect(TestHabit.path(.sentFirst, leaf, [sent], anchors: [anchor]) == [leaf, anchor].map(\.der))
        #expect(TestHabit.path(.trustedFirst, leaf, [sent], anchors: [anchor]) == [leaf, anchor].map(\.der))
        #expect(TestHabit.path(.sentFirst, leaf, [sent], anchors: []) == nil)
    }

    /// Certificates that certify each other are each gone through once.
    @Test func aCircleEnds() throws {
        let (one, two) = (TestChain.authority("Circle One"), TestChain.authority("Circle Two"))
        let leaf = try TestHabit.leaf(by: one)
        let sent = [try TestChain.parsed(one, by: two), try TestChain.parsed(two, by: one)]
        let anchor = try TestChain.parsed(one, by: one)
        #expect(TestHabit.path(.sentFirst, leaf, sent, anchors: [anchor]) == ([leaf] + sent + [anchor]).map(\.der))
        #expect(TestHabit.path(.sentFirst, leaf, sent, anchors: []) == nil)
    }

    // MARK: Names

    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: [String]
        let roots: [String]
        let once: [String]?
        let twice: [String]?
    }

    static let ends: [End] = [
        End(
            testDescription: "in place of the last, if nothing is above it", sent: ["middle", "crossed"],
            roots: ["new"], once: ["leaf", "middle", "new"], twice: ["leaf", "middle", "new"]),
        End(
            testDescription: "above the last, or in its place if that one has expired", sent: ["middle", "crossed"],
            roots: ["new", "old"], once: ["leaf", "middle", "crossed", "old"], twice: ["leaf", "middle", "new"]),
        End(
            testDescription: "an expired end without another", sent: ["middle", "crossed"], roots: ["old"],
            once: ["leaf", "middle", "crossed", "old"], twice: ["leaf", "middle", "crossed", "old"]),
        End(
            testDescription: "not at an earlier one", sent: ["middle", "crossed", "elsewhere"], roots: ["new"],
            once: nil, twice: nil),
        End(
            testDescription: "not at an anchor on the way", sent: ["middle", "crossed"], roots: ["middle"], once: nil,
            twice: nil),
        End(
            testDescription: "in any order", sent: ["crossed", "middle"], roots: ["new"],
            once: ["leaf", "middle", "new"], twice: ["leaf", "middle", "new"]),
    ]

    /// GnuTLS sorts what was sent by names, and looks for an anchor at its end alone.
    @Test(arguments: ends) func aPathOfNamesEnds(_ end: End) throws {
        let (middle, new) = (TestChain.authority("Name Middle"), TestChain.authority("Name New"))
        let old = TestChain.authority("Name Old") { $0.validity = -9 * TestHabit.day ... -1 }
        let certificates = [
            "leaf": try TestHabit.leaf(by: middle), "middle": try TestChain.parsed(middle, by: new),
            "crossed": try TestChain.parsed(new, by: old), "new": try TestChain.parsed(new, by: new),
            "old": try TestChain.parsed(old, by: old),
            "elsewhere": try TestChain.parsed(old, by: TestChain.authority("Name Elsewhere")),
        ]
        func named(_ names: [String]) throws -> [ParsedCertificate] { try names.map { try #require(certificates[$0]) } }
        for (paths, wanted) in [(VerifierHabits.PathBuilding.sentNames, end.once), (.sentNamesTwice, end.twice)] {
            let found = try TestHabit.path(paths, named(["leaf"])[0], named(end.sent), anchors: named(end.roots))
            #expect(try found == wanted.map { try named($0).map(\.der) }, "\(paths)")
        }
    }

    /// Of several anchors of a name GnuTLS takes the last valid one, else the first (find_issuer in verify.c), whichever
    /// made the signature. The leaf has no key identifier that decides.
    @Test func theLastValidAnchorIsTaken() throws {
        let root = TestChain.authority("Last Root")
        let other = root.changed { $0.key = LabKeyID(.p256, "last namesake") }
        func expired(_ recipe: LabCertificateRecipe) throws -> ParsedCertificate {
            try TestChain.parsed(recipe.changed { $0.validity = -9 * TestHabit.day ... -1 }, by: recipe)
        }
        let leaf = try TestChain.parsed(
            .leaf("habit", issuer: nil) { $0.omittedExtensions = [[2, 5, 29, 35]] }, by: root)
        let (signer, namesake) = (try TestChain.parsed(root, by: root), try TestChain.parsed(other, by: other))
        let (old, oldNamesake) = (try expired(root), try expired(other))
        let stores = [
            ([signer, namesake], namesake), ([namesake, signer], signer), ([signer, namesake, old], namesake),
            ([oldNamesake, old], oldNamesake), ([old, oldNamesake], old),
        ]
        for (roots, taken) in stores {
            for paths in [VerifierHabits.PathBuilding.sentNames, .sentNamesTwice] {
                #expect(TestHabit.path(paths, leaf, [], anchors: roots) == [leaf, taken].map(\.der), "\(paths)")
            }
        }
    }

    /// A server sends a new root and, for clients without it, the same one as an older root certified it: GnuTLS and Mbed TLS
    /// go on above the first, OpenSSL and BoringSSL do not.
    @Test func aCertificateFollowsItsOwnIssuer() throws {
        let (middle, new) = (TestChain.authority("Above Middle"), TestChain.authority("Above New"))
        let old = TestChain.authority("Above Old")
        let (leaf, issuer) = (try TestHabit.leaf(by: middle), try TestChain.parsed(middle, by: new))
        let (own, crossed) = (try TestChain.parsed(new, by: new), try TestChain.parsed(new, by: old))
        let anchor = try TestChain.parsed(old, by: old)
        let (sent, whole) = ([issuer, own, crossed], [leaf, issuer, own, crossed, anchor].map(\.der))
        for paths in [VerifierHabits.PathBuilding.sentNames, .sentNamesTwice] {
            #expect(TestHabit.path(paths, leaf, sent, anchors: [anchor]) == whole)
            #expect(TestHabit.path(paths, leaf, sent + [anchor], anchors: [anchor]) == whole)
            // One that is among the roots ends it.
            let short = [leaf, issuer, own].map(\.der)
            #expect(TestHabit.path(paths, leaf, sent, anchors: [own]) == short)
            #expect(TestHabit.path(paths, leaf, sent, anchors: [own, anchor]) == short)
            // Another of its name and key takes the place of both.
            let ended = try TestChain.parsed(new.changed { $0.validity = -9 * TestHabit.day ... -1 }, by: new)
            #expect(TestHabit.path(paths, leaf, [issuer, ended, crossed], anchors: [own]) == short)
        }
        for choice in VerifierHabits.IssuerChoice.allCases {
            let found = TestHabit.path(.trustedFirst, leaf, sent, anchors: [anchor]) { $0.issuers = choice }
            #expect(found == (choice == .behind ? whole : nil), "\(choice)")
        }
        #expect(TestHabit.path(.sentFirst, leaf, sent, anchors: [anchor]) == nil)
    }

    // MARK: The order as it is

    struct Order: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The certificates that are sent after the leaf, by their names below.
        let sent: [String]
        let path: [String]?

        init(_ reason: String, _ sent: [String], _ path: [String]?) {
            (testDescription, self.sent, self.path) = (reason, sent, path)
        }
    }

    static let orders: [Order] = [
        Order("each was issued by the next", ["middle", "upper"], ["leaf", "middle", "upper", "root"]),
        Order("one is left out", ["upper"], nil), Order("the wrong order", ["upper", "middle"], nil),
        Order(
            "an anchor that was sent ends it", ["middle", "upper", "root", "stranger"],
            ["leaf", "middle", "upper", "root"]),
        Order("an anchor that signed nothing of it", ["middle", "stranger root"], nil),
        Order("a stranger at the end", ["middle", "upper", "stranger"], nil),
        Order("the issuer's key under another name", ["renamed", "upper"], nil),
        Order("the issuer's name over another key", ["namesake", "upper"], nil),
        Order("nothing but the leaf", [], nil),
    ]

    @Test(arguments: orders) func theOrderIsTakenAsItIs(_ order: Order) throws {
        let (middle, upper) = (TestChain.authority("Order Middle"), TestChain.authority("Order Upper"))
        let (root, stranger) = (TestChain.authority("Order Root"), TestChain.authority("Order Stranger"))
        let certificates = [
            "leaf": try TestHabit.leaf(by: middle), "middle": try TestChain.parsed(middle, by: upper),
            "upper": try TestChain.parsed(upper, by: root), "root": try TestChain.parsed(root, by: root),
            "renamed": try TestChain.parsed(middle.changed { $0.commonName = "Renamed" }, by: upper),
            "namesake": try TestChain.parsed(middle.changed { $0.key = LabKeyID(.p256, "order namesake") }, by: upper),
            "stranger": try TestChain.parsed(stranger, by: stranger.changed { $0.commonName = "Elsewhere" }),
            "stranger root": try TestChain.parsed(stranger, by: stranger),
        ]
        func named(_ names: [String]) throws -> [ParsedCertificate] { try names.map { try #require(certificates[$0]) } }
        let found = try TestHabit.path(
            .sentOrder, named(["leaf"])[0], named(order.sent), anchors: named(["root", "stranger root"]))
        #expect(try found == order.path.map { try named($0).map(\.der) })
    }
}
