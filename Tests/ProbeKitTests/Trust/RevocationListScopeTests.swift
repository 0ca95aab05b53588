import ProbeKit
import Testing

@testable import ProbeLab
@testable import ProbeTrust

/// The scope of a revocation list (RFC 5280 section 5.2.5), as its fields say, and the certificates within it.
@Suite struct RevocationListScopeTests {
    private static let pki = TestChain.pki

    private func scope(_ fields: EditableDER...) throws -> RevocationListScope {
        try RevocationListScope(EditableDER(0x30, fields).encoded[...])
    }

    /// The name of a distribution point: [0] of the point, [0] of a full name, a URI in it.
    private static func point(_ names: String...) -> EditableDER {
        EditableDER(0xa0, [EditableDER(0xa0, names.map { EditableDER(0x86, bytes: Array($0.utf8)) })])
    }

    private func certificate(_ points: [EditableDER]?, isAuthority: Bool = false) throws -> ParsedCertificate {
        let recipe = LabCertificateRecipe.leaf("scope", issuer: nil) {
            if isAuthority { $0.role = .authority(pathLength: nil) }
            if let points {
                $0.extensions = [
                    LabExtension(oid: [2, 5, 29, 31], isCritical: false, value: EditableDER(0x30, points).encoded)
                ]
            }
        }
        return try ParsedCertificate.parse(Self.pki.issue(recipe)).get()
    }

    // MARK: Reasons

    /// Bit 0 has no meaning, bits 1 to 8 have one, and those behind have none yet.
    static let reasons: [(reason: String, bytes: [UInt8], UInt16)] = [
        ("none", [0], 0), ("the key's compromise", [6, 0x40], 0x4000), ("bit 0", [7, 0x80], 0),
        ("all of one byte", [0, 0x7f], 0x7f00), ("the last of two bytes", [7, 0x01, 0x80], 0x0180),
        ("every one", [7, 0x7f, 0x80], 0x7f80), ("of a third byte none", [7, 0x7f, 0x80, 0x80], 0x7f80),
        ("of a second byte one", [0, 0x7f, 0xff], 0x7f80),
    ]

    @Test(arguments: reasons) func reasonsAreBits(reason: String, bytes: [UInt8], bits: UInt16) throws {
        #expect(try scope(EditableDER(0x83, bytes: bytes)).reasons == bits)
    }

    @Test func withoutReasonsThereAreAll() throws {
        #expect(RevocationListScope().reasons == 0x7f80)
        #expect(try scope().reasons == 0x7f80)
        #expect(try scope(EditableDER(0x81, bytes: [0xff])).reasons == 0x7f80)
    }

    // MARK: Flags

    private static let yes: [UInt8] = [0xff]

    static let flags: [(tag: UInt8, isSet: Bool, leaf: Bool, authority: Bool, isIndirect: Bool)] = [
        (0x81, true, true, false, false), (0x82, true, false, true, false), (0x85, true, false, false, false),
        (0x84, true, true, true, true), (0x81, false, true, true, false), (0x82, false, true, true, false),
        (0x85, false, true, true, false), (0x84, false, true, true, false),
    ]

    /// A flag that is written and not set is as good as none.
    @Test(arguments: flags.indices) func flagsLeaveOut(_ index: Int) throws {
        let (tag, isSet, leaf, authority, isIndirect) = Self.flags[index]
        let scope = try scope(EditableDER(tag, bytes: isSet ? Self.yes : [0]))
        #expect(scope.covers(try certificate(nil)) == leaf)
        #expect(scope.covers(try certificate(nil, isAuthority: true)) == authority)
        #expect(scope.isIndirect == isIndirect)
    }

    @Test func unknownFieldsAreRefused() throws {
        for field in [
            EditableDER(0x86, bytes: Self.yes), EditableDER(0xa6, []), EditableDER(1, bytes: Self.yes),
            EditableDER(0x81, bytes: []), EditableDER(0x81, bytes: [1]), EditableDER(0x83, bytes: []),
        ] {
            #expect(throws: (any Error).self) { try scope(field) }
        }
    }

    // MARK: Distribution points

    struct Points: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let list: EditableDER
        /// The points of the certificate; nil if it has no such extension.
        let certificate: [EditableDER]?
        let isCovered: Bool

        init(_ reason: String, _ list: EditableDER, _ certificate: [EditableDER]?, _ isCovered: Bool) {
            (testDescription, self.list, self.certificate, self.isCovered) = (reason, list, certificate, isCovered)
        }
    }

    private static let issuer = EditableDER(0xa2, [EditableDER(0x86, bytes: Array("u:1".utf8))])
    /// A name relative to the issuer's.
    private static let relative = EditableDER(
        0xa0, [EditableDER(0xa1, [.sequence(.oid("2.5.4.3"), EditableDER(12, bytes: [0x61]))])])

    static let points: [Points] = [
        Points("the same name", point("u:1"), [.sequence(point("u:1"))], true),
        Points("another name", point("u:1"), [.sequence(point("u:2"))], false),
        Points("one of several names", point("u:1", "u:2"), [.sequence(point("u:3", "u:2"))], true),
        Points("one of several points", point("u:2"), [.sequence(point("u:1")), .sequence(point("u:2"))], true),
        Points(
            "a point has its reasons too", point("u:1"),
            [.sequence(point("u:1"), EditableDER(0x81, bytes: [6, 0x40]))], true),
        Points("the certificate names none", point("u:1"), nil, false),
        Points("a point without a field", point("u:1"), [.sequence()], false),
        Points("a point that is none", point("u:1"), [.null], false),
        Points("a point that names the list's issuer alone", point("u:1"), [.sequence(issuer)], false),
        Points("a point whose name is its second field", point("u:1"), [.sequence(issuer, point("u:1"))], false),
        Points("a point's name is relative", point("u:1"), [.sequence(relative)], false),
        Points("the list's name is relative", relative, [.sequence(relative)], false),
        Points("the list's name is empty", EditableDER(0xa0, []), [.sequence(EditableDER(0xa0, []))], false),
    ]

    @Test(arguments: points) func aListCoversWhatNamesIt(_ example: Points) throws {
        let scope = try scope(example.list)
        #expect(scope.covers(try certificate(example.certificate)) == example.isCovered)
    }

    @Test func pointsThatAreNotReadNameNothing() throws {
        let recipe = LabCertificateRecipe.leaf("scope", issuer: nil) {
            $0.extensions = [LabExtension(oid: [2, 5, 29, 31], isCritical: false, value: [5, 0])]
        }
        let certificate = try ParsedCertificate.parse(Self.pki.issue(recipe)).get()
        #expect(try !scope(Self.point("u:1")).covers(certificate))
        #expect(try scope().covers(certificate))
    }
}
