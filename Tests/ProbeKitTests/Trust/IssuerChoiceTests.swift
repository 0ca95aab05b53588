import ProbeKit
import ProbeLab
import Testing

@testable import ProbeTrust

/// The issuer that a verifier which follows one path takes of several.
@Suite struct IssuerChoiceTests {
    /// Of several issuers one that is valid comes first, to the second; OpenSSL before 1.1.0 takes the first.
    @Test(arguments: [
        (-9 * TestHabit.day ... -1, false), (-9 * TestHabit.day...0, true), (0...TestHabit.day, true),
        (1...TestHabit.day, false),
    ]) func validIssuersComeFirst(validity: ClosedRange<Int>, isFirst: Bool) throws {
        let issuer = TestChain.authority("Dated")
        let leaf = try TestHabit.leaf(by: issuer)
        let root = TestChain.authority("Dated Root")
        let dated = try TestChain.parsed(issuer.changed { $0.validity = validity }, by: root)
        let valid = try TestChain.parsed(issuer, by: root)
        let anchor = try TestChain.parsed(root, by: root)
        for order in [[dated, valid], [valid, dated]] {
            for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst] {
                for choice in VerifierHabits.IssuerChoice.allCases {
                    let chosen = isFirst || choice == .firstAuthority ? order[0] : valid
                    let found = TestHabit.path(paths, leaf, order, anchors: [anchor]) { $0.issuers = choice }
                    #expect(found == [leaf, chosen, anchor].map(\.der), "\(paths) \(choice)")
                }
            }
            for paths in [VerifierHabits.PathBuilding.sentNames, .sentNamesTwice] {
                #expect(TestHabit.path(paths, leaf, order, anchors: [anchor]) == [leaf, order[0], anchor].map(\.der))
            }
        }
        #expect(TestHabit.path(.sentFirst, leaf, [dated], anchors: [anchor]) == [leaf, dated, anchor].map(\.der))
    }

    /// The choice counts the last second as the rules do: whole, and as the habit has it.
    @Test(arguments: [(0, true, true), (0.5, true, true), (1, true, false), (0, false, false), (-0.5, false, true)])
    func theLastSecondIsCountedAlike(seconds: Double, isIncluded: Bool, isValid: Bool) throws {
        let issuer = TestChain.authority("Second")
        let leaf = try TestHabit.leaf(by: issuer)
        let root = TestChain.authority("Second Root")
        let sent = try [
            TestChain.parsed(issuer.changed { $0.validity = -TestHabit.day...0 }, by: root),
            TestChain.parsed(issuer, by: root),
        ]
        let anchor = try TestChain.parsed(root, by: root)
        let found = TestHabit.path(.trustedFirst, leaf, sent, anchors: [anchor], at: seconds) {
            $0.includesLastSecond = isIncluded
        }
        #expect(found == [leaf, sent[isValid ? 0 : 1], anchor].map(\.der))
    }

    /// The roots are asked as what was sent is: by date, or in the order of the store.
    @Test func rootsAreChosenAlike() throws {
        let root = TestChain.authority("Renewed Root")
        let leaf = try TestHabit.leaf(by: root)
        let old = try TestChain.parsed(root.changed { $0.validity = -9 * TestHabit.day ... -1 }, by: root)
        let new = try TestChain.parsed(root, by: root)
        for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst, .sentNames, .sentNamesTwice] {
            #expect(TestHabit.path(paths, leaf, [], anchors: [old, new]) == [leaf, new].map(\.der), "\(paths)")
        }
        for (order, chosen) in [([old, new], old), ([new, old], new)] {
            // A copy of an anchor that was sent is dropped, and the store is asked for it.
            for sent in [[], [new]] {
                let found = TestHabit.path(.sentFirst, leaf, sent, anchors: order) { $0.issuers = .firstAuthority }
                #expect(found == [leaf, chosen].map(\.der))
            }
        }
    }

    /// An intermediate of the store comes before a sent one, valid or not, where the roots come first.
    @Test func knownIntermediatesAreRoots() throws {
        let (issuer, root) = (TestChain.authority("Known"), TestChain.authority("Known Root"))
        let leaf = try TestHabit.leaf(by: issuer)
        let old = try TestChain.parsed(issuer.changed { $0.validity = -9 * TestHabit.day ... -1 }, by: root)
        let sent = try TestChain.parsed(issuer, by: root)
        let anchor = try TestChain.parsed(root, by: root)
        for (paths, chosen) in [(VerifierHabits.PathBuilding.trustedFirst, old), (.sentFirst, sent)] {
            let found = TestHabit.path(paths, leaf, [sent], anchors: [old, anchor]) { $0.anchors = .selfIssued }
            #expect(found == [leaf, chosen, anchor].map(\.der), "\(paths)")
        }
    }

    /// A path that has come to the roots does not return to what was sent.
    @Test func aboveRootsAreRoots() throws {
        let (issuer, middle) = (TestChain.authority("Stay"), TestChain.authority("Stay Middle"))
        let root = TestChain.authority("Stay Root")
        let leaf = try TestHabit.leaf(by: issuer)
        let known = try TestChain.parsed(issuer, by: middle)
        let sent = try TestChain.parsed(middle, by: root)
        let anchor = try TestChain.parsed(root, by: root)
        for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst] {
            #expect(TestHabit.path(paths, leaf, [sent], anchors: [known, anchor]) { $0.anchors = .selfIssued } == nil)
        }
    }

    /// OpenSSL until 1.1.1g and Mbed TLS pass over an issuer whose key usage forbids it; the others take it.
    @Test func aKeyUsageMayDecide() throws {
        let issuer = TestChain.authority("Usage")
        let root = TestChain.authority("Usage Root")
        let leaf = try TestHabit.leaf(by: issuer)
        let sent = try [
            TestChain.parsed(issuer.changed { $0.keyUsage = .crlSigning }, by: root),
            TestChain.parsed(issuer, by: root),
        ]
        let anchor = try TestChain.parsed(root, by: root)
        for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst] {
            for choice in VerifierHabits.IssuerChoice.allCases {
                let found = TestHabit.path(paths, leaf, sent, anchors: [anchor]) { $0.issuers = choice }
                #expect(found == [leaf, sent[choice == .valid ? 0 : 1], anchor].map(\.der), "\(paths) \(choice)")
            }
        }
        #expect(TestHabit.path(.sentNames, leaf, sent, anchors: [anchor]) == [leaf, sent[0], anchor].map(\.der))
    }

    /// Mbed TLS takes each issuer from behind its subject.
    @Test func anIssuerMayHaveToFollow() throws {
        let (issuer, upper) = (TestChain.authority("Behind"), TestChain.authority("Behind Upper"))
        let root = TestChain.authority("Behind Root")
        let leaf = try TestHabit.leaf(by: issuer)
        let sent = try [TestChain.parsed(issuer, by: upper), TestChain.parsed(upper, by: root)]
        let anchor = try TestChain.parsed(root, by: root)
        let whole = ([leaf] + sent + [anchor]).map(\.der)
        for choice in VerifierHabits.IssuerChoice.allCases {
            #expect(TestHabit.path(.trustedFirst, leaf, sent, anchors: [anchor]) { $0.issuers = choice } == whole)
            let swapped = TestHabit.path(.trustedFirst, leaf, sent.reversed(), anchors: [anchor]) {
                $0.issuers = choice
            }
            #expect(swapped == (choice == .behind ? nil : whole), "\(choice)")
        }
    }

    /// A sent root that is not an anchor gives way to the anchor of its name and key.
    @Test func anOwnIssuerIsDropped() throws {
        let (issuer, root) = (TestChain.authority("Drop"), TestChain.authority("Drop Root"))
        let leaf = try TestHabit.leaf(by: issuer)
        let middle = try TestChain.parsed(issuer, by: root)
        let old = try TestChain.parsed(root.changed { $0.validity = -9 * TestHabit.day ... -1 }, by: root)
        let anchor = try TestChain.parsed(root, by: root)
        for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst, .sentNames, .sentNamesTwice] {
            for sent in [[middle, old], [middle, old, anchor], [old, middle]] {
                #expect(
                    TestHabit.path(paths, leaf, sent, anchors: [anchor]) == [leaf, middle, anchor].map(\.der),
                    "\(paths)")
            }
        }
    }

    /// The signature does not choose, and is found wanting afterwards; key identifiers choose where they have to fit.
    @Test func anIssuerMadeTheSignature() throws {
        let issuer = TestChain.authority("Signing") { $0.validity = -9 * TestHabit.day ... -1 }
        let namesake = issuer.changed {
            $0.key = LabKeyID(.p256, "not signing")
            $0.validity = -TestHabit.day...TestHabit.day
        }
        let leaf = try TestHabit.leaf(by: issuer)
        let root = TestChain.authority("Signing Root")
        let anchor = try TestChain.parsed(root, by: root)
        let sent = try [TestChain.parsed(namesake, by: root), TestChain.parsed(issuer, by: root)]
        for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst] {
            var habit = TestHabit.builder(paths, leaf, sent, roots: [anchor])
            var budget = SearchBudget()
            let found = habit.path(&budget) ?? []
            #expect(found.map(\.der) == [leaf, sent[0], anchor].map(\.der))
            let place = habit.firstUnsigned(in: found, &budget)
            #expect(place == 0)
            let named = TestHabit.path(paths, leaf, sent, anchors: [anchor]) { $0.requiresKeyIdentifiers = true }
            #expect(named == [leaf, sent[1], anchor].map(\.der))
        }
        #expect(TestHabit.path(.sentNames, leaf, sent, anchors: [anchor]) == [leaf, sent[1], anchor].map(\.der))
        // Mbed TLS alone asks its roots for the signature first.
        let roots = try [TestChain.parsed(namesake, by: namesake), TestChain.parsed(issuer, by: issuer)]
        #expect(TestHabit.path(.trustedFirst, leaf, [], anchors: roots) == [leaf, roots[0]].map(\.der))
        #expect(
            TestHabit.path(.trustedFirst, leaf, [], anchors: roots) { $0.issuers = .behind }
                == [leaf, roots[1]].map(\.der))
    }
}
