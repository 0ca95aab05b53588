import ProbeKit
import SwiftASN1
import Testing
import X509

@testable import ProbeTrust

/// The policy extensions of a certificate, changed in one place each.
@Suite struct ReadPoliciesTests {
    private func read(_ last: UInt, _ value: EditableDER) throws -> ReadPolicies {
        let ext = Certificate.Extension(
            oid: try ASN1ObjectIdentifier(elements: [2, 5, 29, last]), critical: true, value: value.encoded[...])
        return try ReadPolicies(Certificate.Extensions([ext]))
    }

    private func isRead(_ last: UInt, _ value: EditableDER) -> Bool { (try? read(last, value)) != nil }

    private static func field(_ number: UInt8, _ bytes: [UInt8] = [1]) -> EditableDER {
        EditableDER(0x80 | number, bytes: bytes)
    }

    /// RFC 5280 section 4.2.1.11.
    @Test func constraintsAreOneOfEachInOrder() throws {
        let (require, inhibit) = (Self.field(0), Self.field(1, [2]))
        let both = try read(36, .sequence(require, inhibit))
        #expect(both.requireExplicitPolicy == 1 && both.inhibitPolicyMapping == 2)
        let first = try read(36, .sequence(require))
        #expect(first.requireExplicitPolicy == 1 && first.inhibitPolicyMapping == nil)
        let second = try read(36, .sequence(inhibit))
        #expect(second.requireExplicitPolicy == nil && second.inhibitPolicyMapping == 2)
        for (reason, fields) in [
            ("two of the first", [require, require]), ("two of the second", [inhibit, inhibit]),
            ("the wrong order", [inhibit, require]), ("both, and one again", [require, inhibit, inhibit]),
            ("the first again after both", [require, inhibit, require]), ("a third", [require, Self.field(2)]),
            ("an INTEGER", [EditableDER(2, bytes: [1])]), ("none", []),
        ] {
            #expect(!isRead(36, EditableDER(0x30, fields)), "\(reason)")
        }
    }

    /// A path has never as many certificates as four bytes count, so that a longer number sets no limit.
    @Test func numbersHaveAnySize() throws {
        for (bytes, number) in [
            ([0], 0), ([0x7f], 127), ([0x01, 0x02], 258), ([0x01, 0x02, 0x03], 66_051),
            ([0x7f, 0xff, 0xff, 0xff], 2_147_483_647), ([0, 0x80, 0, 0, 0], 2_147_483_648), ([0x01, 0, 0, 0, 0], .max),
            ([0x01] + [UInt8](repeating: 0, count: 40), .max),
        ] as [([UInt8], Int)] {
            #expect(try read(36, .sequence(Self.field(0, bytes))).requireExplicitPolicy == number)
            #expect(try read(36, .sequence(Self.field(1, bytes))).inhibitPolicyMapping == number)
            #expect(try read(54, EditableDER(2, bytes: bytes)).inhibitAnyPolicy == number)
        }
        for bytes in [[], [0xff], [0x80, 0], [0, 1]] as [[UInt8]] { #expect(!isRead(54, EditableDER(2, bytes: bytes))) }
    }

    @Test func aMappingHasTwoSides() throws {
        let (one, two) = (EditableDER.oid("2.999.1"), EditableDER.oid("2.999.2"))
        let mapping = try #require(try read(33, .sequence(.sequence(one, two))).mappings.first)
        #expect(mapping.issuer.content == one.bytes && mapping.subject.content == two.bytes)
        for sides in [[one], [one, two, one], []] { #expect(!isRead(33, .sequence(EditableDER(0x30, sides)))) }
        #expect(!isRead(33, .sequence(.sequence(one, .null))))
    }

    @Test func aPolicyIsListedOnce() throws {
        let (one, two) = (EditableDER.oid("2.999.1"), EditableDER.oid("2.999.2"))
        let qualified = EditableDER.sequence(two, .sequence(.sequence(.oid("1.3.6.1.5.5.7.2.1"), .null)))
        #expect(try read(32, .sequence(.sequence(one), qualified)).policies?.map(\.content) == [one.bytes, two.bytes])
        for policies in [[.sequence(one), .sequence(one)], [.sequence()], [one], []] as [[EditableDER]] {
            #expect(!isRead(32, EditableDER(0x30, policies)))
        }
    }

    /// Every policy and every mapping is a unit of work, and a certificate without them none.
    @Test func theCountIsThatOfPoliciesAndMappings() throws {
        let (one, two) = (EditableDER.oid("2.999.1"), EditableDER.oid("2.999.2"))
        #expect(ReadPolicies().count == 0)
        #expect(try read(32, .sequence(.sequence(one), .sequence(two))).count == 2)
        #expect(try read(33, .sequence(.sequence(one, two))).count == 1)
        let both = try Certificate.Extensions([
            Certificate.Extension(
                oid: [2, 5, 29, 32], critical: true, value: EditableDER.sequence(.sequence(one)).encoded[...]),
            Certificate.Extension(
                oid: [2, 5, 29, 33], critical: true,
                value: EditableDER.sequence(.sequence(one, two), .sequence(two, one)).encoded[...]),
        ])
        #expect(try ReadPolicies(both).count == 3)
    }
}
