import ProbeKit
import ProbeLab
import SwiftASN1
import Testing
import X509

@testable import ProbeTrust

/// Extensions as they are read, bit by bit and at their limits.
@Suite struct ReadExtensionsTests {
    private func usage(_ bits: [UInt8], unused: UInt8) throws -> ReadKeyUsage {
        let value = EditableDER(3, bytes: [unused] + bits).encoded
        return try ReadKeyUsage(
            Certificate.Extension(oid: .X509ExtensionID.keyUsage, critical: true, value: value[...]))
    }

    /// RFC 5280 section 4.2.1.3: bit 0 is the highest of the first octet.
    @Test func eachBitHasItsName() throws {
        let names: [KeyPath<KeyUsage, Bool>] = [
            \.digitalSignature, \.nonRepudiation, \.keyEncipherment, \.dataEncipherment, \.keyAgreement, \.keyCertSign,
            \.cRLSign, \.encipherOnly, \.decipherOnly,
        ]
        for bit in names.indices {
            let octets: [UInt8] = bit < 8 ? [0x80 >> UInt8(bit)] : [0, 0x80]
            let read = try usage(octets, unused: UInt8(7 - bit % 8))
            #expect(names.map { read.usage[keyPath: $0] } == names.indices.map { $0 == bit }, "\(bit)")
            #expect(!read.isPadded)
        }
    }

    @Test func zeroBitsAtTheEndArePadding() throws {
        #expect(try usage([0x80], unused: 6).isPadded)
        #expect(try usage([0x80, 0], unused: 7).isPadded)
        #expect(try usage([0x80, 0, 0], unused: 0).isPadded)
        #expect(try !usage([], unused: 0).isPadded)
        #expect(try !usage([0x80, 0x80], unused: 7).isPadded)
    }

    @Test func bitsWithoutANameAreRefused() throws {
        for (octets, unused) in [([0, 0x40], 6), ([0x80, 1], 0), ([0x80, 0, 1], 0), ([0x80, 0, 0, 0x80], 7)]
            as [([UInt8], UInt8)]
        {
            #expect(throws: ASN1Error.self, "\(octets)") { try usage(octets, unused: unused) }
        }
    }

    private func extensions(_ added: LabExtension...) throws -> ParsedCertificate {
        try ParsedCertificate.parse(
            try TestChain.pki.issue(.leaf("extensions") { $0.extensions += added })
        ).get()
    }

    /// RFC 7633: feature 5 is the staple.
    @Test(
        arguments: [
            ([0x30, 3, 2, 1, 5], true), ([0x30, 6, 2, 1, 17, 2, 1, 5], true), ([0x30, 3, 2, 1, 6], false),
            ([0x30, 0], false),
        ] as [([UInt8], Bool)])
    func theFeatureThatDemandsAStaple(value: [UInt8], isDemanded: Bool) throws {
        let read = try extensions(LabExtension(oid: [1, 3, 6, 1, 5, 5, 7, 1, 24], isCritical: false, value: value))
        #expect(read.extensions.demandsStaple == isDemanded)
        #expect(read.extensionError == nil)
    }

    /// Features that can't be read may be a demand.
    @Test(
        arguments: [
            [0x30, 4, 2, 2, 0, 5], [0x30, 5, 0x30, 3, 2, 1, 5], [2, 1, 5], [0x30, 9], [0xff, 0xff, 0xff],
            [0x31, 3, 2, 1, 5],
        ] as [[UInt8]])
    func unreadFeaturesAreNotAbsent(value: [UInt8]) throws {
        let read = try extensions(LabExtension(oid: [1, 3, 6, 1, 5, 5, 7, 1, 24], isCritical: false, value: value))
        #expect(read.extensionError != nil)
    }

    /// The library compares each purpose with each other one.
    @Test func atMost4096BytesOfPurposesAreRead() throws {
        for (count, isRead) in [(4096, true), (4097, false)] {
            // A header of four bytes, and one identifier that fills the rest.
            let identifier =
                [6, 0x82, UInt8((count - 8) >> 8), UInt8((count - 8) & 0xff), 0x2a]
                + [UInt8](repeating: 1, count: count - 9)
            let value = [0x30, 0x82, UInt8((count - 4) >> 8), UInt8((count - 4) & 0xff)] + identifier
            #expect(value.count == count)
            let read = try extensions(LabExtension(oid: [2, 5, 29, 37], isCritical: false, value: value))
            #expect((read.extensionError == nil) == isRead, "\(read.extensionError ?? "")")
        }
    }

    /// A comparison reads the name's bytes; the subject is one of the names.
    @Test func theNamesHaveASize() throws {
        let names = LabExtension(
            oid: [2, 5, 29, 17], isCritical: false, value: [0x30, 8, 0x82, 6] + Array("a.test".utf8))
        let read = try extensions(names)
        #expect(read.extensions.constrained.count == 2)
        // A host is kept behind a period; a subject of one attribute costs 64 beside its value.
        #expect(read.extensions.constrainedBytes == 7 + 64 + "good.test".utf8.count)
    }

    /// RFC 5280 section 4.2.1.10: one of the two lists at least, and a subtree in each.
    @Test func constraintsAreNotEmpty() throws {
        let subtree: [UInt8] = [0x30, 3, 0x82, 1, 0x61]
        let rows: [(value: [UInt8], isRead: Bool)] = [
            ([0x30, 7, 0xa0, 5] + subtree, true), ([0x30, 7, 0xa1, 5] + subtree, true),
            ([0x30, 14, 0xa0, 5] + subtree + [0xa1, 5] + subtree, true), ([0x30, 0], false),
            ([0x30, 2, 0xa0, 0], false),
            ([0x30, 9, 0xa0, 5] + subtree + [0xa1, 0], false),
        ]
        for (value, isRead) in rows {
            let read = try extensions(LabExtension(oid: [2, 5, 29, 30], isCritical: true, value: value))
            #expect((read.extensionError == nil) == isRead, "\(value)")
        }
    }

    // MARK: Forms that are accepted

    /// Only a name for all names below a domain of two labels or more asks for the list of public suffixes.
    @Test func whichWildcardsAreLookedUp() throws {
        func isWarned(_ names: [String]) throws -> Bool {
            let leaf = try ParsedCertificate.parse(
                try TestChain.pki.issue(.leaf("suffix") { $0.dnsNames = names })
            ).get()
            return !AcceptedForms.remarks(ofLeaf: leaf) { _ in true }.isEmpty
        }
        #expect(try isWarned(["*.co.test"]))
        #expect(try isWarned(["good.test", "*.co.test"]))
        #expect(try !isWarned(["co.test"]))
        #expect(try !isWarned(["a.co.test"]))
        #expect(try !isWarned(["*.test"]))
        let label = String(repeating: "a", count: 63)
        let longest = [label, label, label, String(repeating: "a", count: 63)].joined(separator: ".")
        #expect(try isWarned(["*." + longest]))
        #expect(try !isWarned(["*." + longest + "a"]))
        let many = (1...1000).map { "\($0).test" }
        #expect(try isWarned(many.dropLast() + ["*.co.test"]))
        #expect(try !isWarned(many + ["*.co.test"]))
    }

    /// The reasons come most severe first, and no more than anyone reads.
    @Test func problemsAreSortedAndCut() {
        let problems =
            [PathProblem(.expired, "b"), .init(.malformed, "a")]
            + (0..<40).map { PathProblem(.expired, "\($0)") }
        let reading = TrustReading.refused(path: problems)
        #expect(reading.problems.count == 32)
        #expect(reading.problems.map(\.cause) == reading.problems.map(\.cause).sorted())
        #expect(reading.problems.filter { $0.cause == .malformed }.map(\.message) == ["a"])
        let expired = reading.problems.filter { $0.cause == .expired }.map(\.message)
        #expect(expired.first == "b")
    }
}
