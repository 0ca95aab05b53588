import ProbeKit
import ProbePlatform
import Testing

@testable import ProbeLab
@testable import ProbeTrust

/// The form of revocation lists, changed in one place each: a body of version, algorithm, issuer, two times, entries and [0]
/// extensions, an algorithm and a signature. Signatures hold no longer, and nobody asks for them here.
@Suite struct RevocationListFormTests {
    private static let pki = TestChain.pki
    private static let serial: [UInt8] = [0x11, 0x22]

    private func list(_ change: (inout LabRevocationList) -> Void = { _ in }) throws -> EditableDER {
        EditableDER(try Self.pki.encode(LabRevocationList([Self.serial], change: change)))
    }

    private func problem(_ list: EditableDER) -> String? {
        do {
            _ = try RevocationList(list.encoded)
            return nil
        } catch {
            return "\(error)"
        }
    }

    typealias Form = MessageForm<EditableDER>

    static let forms: [Form] = [
        Form("as it comes", nil) { _ in },
        Form("a fourth field", "three fields make a list") { $0.children.append(.null) },
        Form("a list has a signature", "three fields make a list") { $0.children.removeLast() },
        Form("a signature of whole octets", "ends within an octet") { $0[2].bytes = [4, 0x10] },
        Form("the version may be missing", nil) { $0[0].children.removeFirst() },
        Form("algorithm, issuer and one time are the least", nil) {
            $0[0].children = Array($0[0].children[1...3])
        },
        Form("a time is missing", "its two signature algorithms differ") {
            $0[0].children = Array($0[0].children[1...2])
        },
        Form("everything is missing", "its two signature algorithms differ") { $0[0].children = [] },
        Form("the algorithm outside is another", "its two signature algorithms differ") {
            $0[1, 0] = .oid("1.2.840.10045.4.3.3")
        },
        Form("the algorithm inside is another", "its two signature algorithms differ") {
            $0[0, 1, 0] = .oid("1.2.840.10045.4.3.3")
        },
        Form("the algorithms have no identifier", "its two signature algorithms differ") {
            $0[1] = .sequence()
            $0[0, 1] = .sequence()
        },
        Form("an issuer has a name", "") { $0[0, 2] = .null },
        Form("an update has a time", "") { $0[0, 3] = .null },
        Form("the next update may be missing", nil) { $0[0].children.remove(at: 4) },
        Form("nothing may be revoked", nil) { $0[0].children.remove(at: 5) },
        Form("nothing may be revoked, with extensions", nil) { list in
            list[0].children.remove(at: 5)
            list[0].children.append(tagged(.sequence()))
        },
        Form("an entry has a date", "an entry has no serial number and date") { $0[0, 5, 0].children.removeLast() },
        Form("an entry has a serial number", "an entry has no serial number and date") { $0[0, 5, 0].children = [] },
        Form("a serial number is a number", "an entry has no serial number and date") { $0[0, 5, 0, 0] = .sequence() },
        Form("an entry is a SEQUENCE", "") { $0[0, 5, 0] = .null },
        Form("the extensions are empty", "its extensions are empty") {
            $0[0].children.append(EditableDER(0xa0, []))
        },
        Form("extensions have a tag of their own", "") { $0[0].children.append(EditableDER(0xa1, [.sequence()])) },
        Form("an extension has a value", "") { list in
            list[0].children.append(tagged(.sequence(.sequence(.oid("1.2.3")))))
        },
    ]

    private static func tagged(_ list: EditableDER) -> EditableDER { EditableDER(0xa0, [list]) }

    @Test(arguments: forms) func aListHasOneForm(_ form: Form) throws {
        var list = try list()
        form.change(&list)
        let found = problem(list)
        if let expected = form.problem {
            let found = try #require(found)
            #expect(expected.isEmpty || found.contains(expected), "\(found)")
        } else {
            #expect(found == nil)
        }
    }

    @Test func atMost8MiBAreRead() throws {
        for (size, isRead) in [(8 << 20, true), (8 << 20 + 1, false)] {
            var list = try list()
            // The value of an extension that nobody asks about fills it up.
            let value = EditableDER(4, bytes: [UInt8](repeating: 0, count: 8 << 20 - 10_000))
            list[0].children.append(Self.tagged(.sequence(.sequence(.oid("1.2.3"), value))))
            let missing = size - list.encoded.count
            list[0, 6, 0, 0, 1].bytes += [UInt8](repeating: 0, count: missing)
            let bytes = list.encoded
            try #require(bytes.count == size)
            #expect(((try? RevocationList(bytes)) != nil) == isRead)
        }
    }

    /// The form of a time is free, as it is in certificates.
    @Test func theTimesAreThoseOfTheirTexts() throws {
        let (first, last) = ("2026-03-01T12:00:01Z", "2026-04-01T12:00:02Z")
        let forms: [[EditableDER]] = [
            [EditableDER(23, bytes: Array("260301120001Z".utf8)), EditableDER(23, bytes: Array("260401120002Z".utf8))],
            [
                EditableDER(24, bytes: Array("20260301120001Z".utf8)),
                EditableDER(24, bytes: Array("20260401120002Z".utf8)),
            ],
        ]
        for times in forms {
            var list = try list()
            list[0].children.replaceSubrange(3...4, with: times)
            list[0, 5, 0, 1] = times[0]
            let read = try RevocationList(list.encoded)
            #expect(RFC3339.format(read.thisUpdate) == first)
            #expect(read.nextUpdate.map(RFC3339.format) == last)
            #expect(read.revocation(of: Self.serial[...]).map(RFC3339.format) == first)
            #expect(read.revocation(of: [0x11]) == nil)
            // Without a date that can be read it is revoked all the same, since the list was made.
            list[0, 5, 0, 1] = .null
            #expect(try RevocationList(list.encoded).revocation(of: Self.serial[...]).map(RFC3339.format) == first)
        }
    }

    // MARK: Extensions

    static let extensions: [(reason: String, isOfEntry: Bool, LabExtension, unknown: String?)] = [
        ("a reason is known", true, LabExtension(oid: [2, 5, 29, 21], isCritical: true, value: [10, 1, 1]), nil),
        (
            "the date from which a key was known is known", true,
            LabExtension(oid: [2, 5, 29, 24], isCritical: true, value: [5, 0]), nil
        ),
        (
            "an entry of another issuer's certificate is not", true,
            LabExtension(oid: [2, 5, 29, 29], isCritical: true, value: [0x30, 0]), "2.5.29.29"
        ),
        (
            "what need not be understood", true,
            LabExtension(oid: [2, 5, 29, 29], isCritical: false, value: [0x30, 0]), nil
        ),
        (
            "a list's scope in an entry", true, LabExtension(oid: [2, 5, 29, 28], isCritical: true, value: [0x30, 0]),
            "2.5.29.28"
        ),
        ("a scope is known", false, LabRevocationList.scope(LabRevocationList.onlyUsers), nil),
        ("a delta list is known, as what it is", false, LabRevocationList.delta, nil),
        (
            "an entry's reason in a list", false,
            LabExtension(oid: [2, 5, 29, 21], isCritical: true, value: [10, 1, 1]), "2.5.29.21"
        ),
        (
            "a number need not be understood", false,
            LabExtension(oid: [2, 5, 29, 20], isCritical: false, value: [2, 1, 1]), nil
        ),
        (
            "but if it must be", false, LabExtension(oid: [2, 5, 29, 20], isCritical: true, value: [2, 1, 1]),
            "2.5.29.20"
        ),
    ]

    @Test(arguments: extensions.indices) func criticalExtensionsAreKnown(_ index: Int) throws {
        let (reason, isOfEntry, value, unknown) = Self.extensions[index]
        let list = try list { list in
            if isOfEntry { list.entryExtensions = [value] } else { list.extensions = [value] }
        }
        let read = try RevocationList(list.encoded)
        #expect(read.unknownExtension == unknown, "\(reason)")
        #expect(read.revocation(of: Self.serial[...]) != nil)
    }

    @Test func unsupportedKindsAreNamed() throws {
        for (value, kind) in [
            (LabRevocationList.delta, "a delta list"),
            (LabRevocationList.scope(LabRevocationList.indirect), "an indirect list"),
            (LabRevocationList.scope([0x84, 1, 0]), nil), (LabRevocationList.scope(LabRevocationList.onlyUsers), nil),
        ] as [(LabExtension, String?)] {
            #expect(try RevocationList(list { $0.extensions = [value] }.encoded).unsupportedKind == kind)
        }
    }

    // MARK: Signatures

    private func issuer(_ name: String, _ change: (inout LabCertificateRecipe) -> Void = { _ in }) throws -> (
        recipe: LabCertificateRecipe, certificate: ParsedCertificate
    ) {
        let recipe = LabCertificateRecipe.authority(name, issuer: nil, change: change)
        return (recipe, try ParsedCertificate.parse(Self.pki.issue(recipe)).get())
    }

    /// Hashing counts a unit for every 300 bytes; the key that signed is remembered, any other is not.
    @Test func aSignatureIsPaidForOnce() throws {
        let (recipe, own) = try issuer("List Issuer")
        let other = try issuer("List Stranger").certificate
        let filler = LabExtension(oid: [1, 2, 3], isCritical: false, value: [UInt8](repeating: 0, count: 100_000))
        let der = try Self.pki.encode(LabRevocationList([Self.serial]) { $0.extensions = [filler] }, by: recipe)
        let cost = own.verificationCost + EditableDER(der)[0].encoded.count / 300
        for (units, isSigned, left) in [(cost - 1, false, 0), (cost, true, 0), (cost + 1, true, 1)] {
            var budget = SearchBudget(units: units)
            #expect(try RevocationList(der).isSigned(by: own, &budget) == isSigned)
            #expect(budget.remaining == left && budget.isSpent == !isSigned)
        }
        let list = try RevocationList(der)
        var budget = SearchBudget(units: 10_000)
        for (signer, isSigned, spent) in [
            (other, false, cost), (other, false, 2 * cost), (own, true, 3 * cost), (own, true, 3 * cost),
            (other, false, 4 * cost), (own, true, 4 * cost),
        ] {
            #expect(list.isSigned(by: signer, &budget) == isSigned)
            #expect(budget.remaining == 10_000 - spent)
        }
    }

    /// The largest key that is read is used; larger ones make a certificate unreadable.
    @Test func theLargestKeyIsUsed() throws {
        let (recipe, _) = try issuer("Giant") { $0.key = LabKeyID(.rsa2048, "authority") }
        let certificate = try TestChain.replacingKey(
            of: Self.pki.issue(recipe), with: LargeModulus.key(bits: 8192).encoded)
        let giant = try ParsedCertificate.parse(certificate).get()
        try #require(giant.rsaBits == 8192)
        var budget = SearchBudget(units: 10_000)
        let list = try RevocationList(Self.pki.encode(LabRevocationList(), by: recipe))
        #expect(list.isSigned(by: giant, &budget) == false)
        #expect(budget.remaining < 10_000 - giant.verificationCost / 2)
    }

    /// An algorithm that no public CA may use is no question of the key.
    @Test func anUnknownAlgorithmHasNoSigner() throws {
        let (recipe, own) = try issuer("List Issuer")
        var list = EditableDER(try Self.pki.encode(LabRevocationList(), by: recipe))
        list[0, 1, 0] = .oid("1.2.840.113549.1.1.5")
        list[1, 0] = .oid("1.2.840.113549.1.1.5")
        var budget = SearchBudget(units: 10_000)
        #expect(try RevocationList(list.encoded).isSigned(by: own, &budget) == nil)
        #expect(budget.remaining == 10_000)
    }
}
