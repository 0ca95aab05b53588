import Foundation
import ProbeKit
import ProbeLab
import Testing

@testable import ProbeTrust

/// The one path of each verifier that does not search, whatever rules it breaks.
@Suite struct HabitualPathTests {
    private static let pki = TestChain.pki
    private static let day = 86_400

    private static func leaf(by issuer: LabCertificateRecipe) throws -> ParsedCertificate {
        try TestChain.parsed(.leaf("habit", issuer: nil), by: issuer)
    }

    private func path(
        _ paths: VerifierHabits.PathBuilding, _ leaf: ParsedCertificate, _ sent: [ParsedCertificate],
        anchors: [ParsedCertificate], _ budget: inout SearchBudget
    ) -> [[UInt8]]? {
        let given = ParsedAnchors(TrustAnchors(name: "test", certificates: anchors.map(\.der)))
        var habit = HabitualPath(
            leaf: leaf, sent: sent, instant: Self.pki.epoch, graph: IssuerGraph(anchors: given, intermediates: sent))
        return habit.path(paths, &budget)?.map(\.der)
    }

    private func path(
        _ paths: VerifierHabits.PathBuilding, _ leaf: ParsedCertificate, _ sent: [ParsedCertificate],
        anchors: [ParsedCertificate]
    ) -> [[UInt8]]? {
        var budget = SearchBudget()
        return path(paths, leaf, sent, anchors: anchors, &budget)
    }

    private static let walking: [VerifierHabits.PathBuilding] = [.trustedFirst, .sentFirst, .sentOrder]

    @Test(arguments: walking) func aLeafThatIsAnAnchorIsThePath(paths: VerifierHabits.PathBuilding) throws {
        let own = LabCertificateRecipe.leaf("own", issuer: nil)
        let leaf = try TestChain.parsed(own, by: own)
        #expect(path(paths, leaf, [], anchors: [leaf]) == [leaf.der])
        #expect(path(paths, leaf, [], anchors: []) == nil)
    }

    /// At most a hundred stand below the anchor.
    @Test func aPathIsBounded() throws {
        let recipes = (0...101).map { TestChain.authority("Habit \($0)") }
        let chain = try (0...100).map { try TestChain.parsed(recipes[$0], by: recipes[$0 + 1]) }
        let leaf = try Self.leaf(by: recipes[0])
        for paths in Self.walking {
            for (count, isFound) in [(100, true), (101, false)] {
                let whole = [leaf] + chain.prefix(count)
                let found = path(paths, leaf, Array(whole[1..<count]), anchors: whole.suffix(1))
                #expect(found == (isFound ? whole.map(\.der) : nil), "\(paths)")
            }
        }
    }

    /// Beside its signatures each step costs a unit, and an eighth of the path's length so far.
    @Test(arguments: [(1, 1), (2, 2), (7, 7), (8, 9), (9, 11), (16, 26)])
    func aStepIsPaidFor(steps: Int, units: Int) throws {
        let recipes = (0..<steps).map { TestChain.authority("Step \($0)") }
        let sent = try (0..<steps - 1).map { try TestChain.parsed(recipes[$0], by: recipes[$0 + 1]) }
        let leaf = try Self.leaf(by: recipes[0])
        let anchor = try TestChain.parsed(recipes[steps - 1], by: recipes[steps - 1])
        let signatures = zip([leaf] + sent, sent + [anchor]).reduce(0) {
            $0 + $1.1.verificationCost + $1.0.der.count / 300
        }
        var budget = SearchBudget(units: 50_000)
        #expect(path(.sentFirst, leaf, sent, anchors: [anchor], &budget)?.count == steps + 1)
        #expect(50_000 - budget.remaining - signatures == units)
        var little = SearchBudget(units: signatures + units - 1)
        #expect(path(.sentFirst, leaf, sent, anchors: [anchor], &little) == nil && little.isSpent)
    }

    // MARK: Choosing an issuer

    /// A sent certificate is taken although it leads nowhere; the way back for an anchor goes down to the leaf.
    @Test func theWayBackEndsAtTheLeaf() throws {
        let issuer = TestChain.authority("Twice")
        let leaf = try Self.leaf(by: issuer)
        let sent = try TestChain.parsed(issuer, by: TestChain.authority("Nowhere"))
        let anchor = try TestChain.parsed(issuer, by: issuer)
        #expect(path(.sentFirst, leaf, [sent], anchors: [anchor]) == [leaf, anchor].map(\.der))
        #expect(path(.trustedFirst, leaf, [sent], anchors: [anchor]) == [leaf, anchor].map(\.der))
        #expect(path(.sentFirst, leaf, [sent], anchors: []) == nil)
    }

    /// Certificates that certify each other are each gone through once.
    @Test func aCircleEnds() throws {
        let (one, two) = (TestChain.authority("Circle One"), TestChain.authority("Circle Two"))
        let leaf = try Self.leaf(by: one)
        let sent = [try TestChain.parsed(one, by: two), try TestChain.parsed(two, by: one)]
        let anchor = try TestChain.parsed(one, by: one)
        #expect(path(.sentFirst, leaf, sent, anchors: [anchor]) == ([leaf] + sent + [anchor]).map(\.der))
        #expect(path(.sentFirst, leaf, sent, anchors: []) == nil)
    }

    /// Of several issuers one that is valid comes first, to the second; after that any that made the signature.
    @Test(arguments: [
        (-9 * day ... -1, false), (-9 * day...0, true), (0...day, true), (1...day, false),
    ]) func validIssuersComeFirst(validity: ClosedRange<Int>, isFirst: Bool) throws {
        let issuer = TestChain.authority("Dated")
        let leaf = try Self.leaf(by: issuer)
        let root = TestChain.authority("Dated Root")
        let dated = try TestChain.parsed(issuer.changed { $0.validity = validity }, by: root)
        let valid = try TestChain.parsed(issuer, by: root)
        let anchor = try TestChain.parsed(root, by: root)
        for order in [[dated, valid], [valid, dated]] {
            let chosen = isFirst ? order[0] : valid
            for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst] {
                #expect(path(paths, leaf, order, anchors: [anchor]) == [leaf, chosen, anchor].map(\.der))
            }
        }
        #expect(path(.sentFirst, leaf, [dated], anchors: [anchor]) == [leaf, dated, anchor].map(\.der))
    }

    @Test func anIssuerMadeTheSignature() throws {
        let issuer = TestChain.authority("Signing") { $0.validity = -9 * Self.day ... -1 }
        let namesake = issuer.changed {
            $0.key = LabKeyID(.p256, "not signing")
            $0.validity = -Self.day...Self.day
        }
        let leaf = try Self.leaf(by: issuer)
        let root = TestChain.authority("Signing Root")
        let anchor = try TestChain.parsed(root, by: root)
        let sent = try [TestChain.parsed(namesake, by: root), TestChain.parsed(issuer, by: root)]
        for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst] {
            #expect(path(paths, leaf, sent, anchors: [anchor]) == [leaf, sent[1], anchor].map(\.der))
            #expect(path(paths, leaf, [sent[0]], anchors: [anchor]) == nil)
        }
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
            "leaf": try Self.leaf(by: middle), "middle": try TestChain.parsed(middle, by: upper),
            "upper": try TestChain.parsed(upper, by: root), "root": try TestChain.parsed(root, by: root),
            "renamed": try TestChain.parsed(middle.changed { $0.commonName = "Renamed" }, by: upper),
            "namesake": try TestChain.parsed(middle.changed { $0.key = LabKeyID(.p256, "order namesake") }, by: upper),
            "stranger": try TestChain.parsed(stranger, by: stranger.changed { $0.commonName = "Elsewhere" }),
            "stranger root": try TestChain.parsed(stranger, by: stranger),
        ]
        func named(_ names: [String]) throws -> [ParsedCertificate] { try names.map { try #require(certificates[$0]) } }
        let found = try path(
            .sentOrder, named(["leaf"])[0], named(order.sent), anchors: named(["root", "stranger root"]))
        #expect(try found == order.path.map { try named($0).map(\.der) })
    }
}
