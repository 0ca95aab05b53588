import Foundation
import ProbeKit
import ProbeLab
import SwiftASN1
import Testing

@testable import ProbeTrust

/// The form of certificates, changed in one place each. The body has version, serial number, algorithm, issuer, validity,
/// subject, key and extensions; signatures hold no longer, and nobody asks for them here.
@Suite struct CertificateFormTests {
    private static let pki = TestChain.pki

    private func certificate(_ change: (inout LabCertificateRecipe) -> Void = { _ in }) throws -> EditableDER {
        EditableDER(try Self.pki.issue(.leaf("form", change: change)))
    }

    private func cause(_ certificate: EditableDER) -> TrustCause? { problem(certificate)?.cause }

    private func problem(_ certificate: EditableDER) -> UnreadableCertificate? {
        switch ParsedCertificate.parse(certificate.encoded) {
        case .success: nil
        case .failure(let reason): reason
        }
    }

    // MARK: Sizes

    /// The library that parses them takes 32; a hundred are our own limit before it is asked.
    @Test func atMost32ExtensionsAreRead() throws {
        var certificate = try certificate()
        let place = certificate[0].children.count - 1
        let own = certificate[0, place, 0].children.count
        let counts: [(Int, TrustCause?)] = [(32, nil), (33, .malformed), (100, .malformed), (101, .tooComplex)]
        for (count, expected) in counts {
            certificate[0, place, 0].children = Array(certificate[0, place, 0].children.prefix(own))
            certificate[0, place, 0].children += (own..<count).map { number in
                .sequence(.oid("1.2.3.\(number)"), EditableDER(4, bytes: [5, 0]))
            }
            let found = problem(certificate)
            #expect(found?.cause == expected, "\(found?.message ?? "")")
        }
    }

    @Test(arguments: [3, 5]) func namesOfAtMost4096BytesAreRead(place: Int) throws {
        var certificate = try certificate()
        for (size, expected) in [(4096, nil), (4097, .tooComplex)] as [(Int, TrustCause?)] {
            certificate[0, place] = .sequence()
            // A part of the name costs its value and 21 bytes around it, the name itself four.
            let value = EditableDER(12, bytes: [UInt8](repeating: 0x61, count: size - 21))
            certificate[0, place] = .sequence(EditableDER(0x31, [.sequence(.oid("2.5.4.3"), value)]))
            #expect(certificate[0, place].encoded.count == size)
            #expect(cause(certificate) == expected)
        }
    }

    // MARK: Unique identifiers

    @Test func uniqueIdentifiersAreBitStrings() throws {
        let version2: [EditableDER] = [EditableDER(0x81, bytes: [0, 1]), EditableDER(0x82, bytes: [0, 1])]
        for identifiers in [[version2[0]], [version2[1]], version2] {
            var certificate = try certificate()
            let place = certificate[0].children.count - 1
            certificate[0].children.insert(contentsOf: identifiers, at: place)
            #expect(cause(certificate) == nil)
            // The first byte counts unused bits, of which there are at most 7.
            certificate[0, place].bytes[0] = 9
            #expect(cause(certificate) == .malformed)
        }
    }

    // MARK: Times

    private static let times: [(tag: UInt8, text: String, isRead: Bool)] = [
        (23, "260101000000Z", true), (23, "260101000059Z", true), (23, "260101000060Z", false),
        (23, "2601010000Z", false), (23, "260101000000", false), (23, "260101000000+0000", false),
        (23, "26010100000aZ", false), (23, "2601010000000Z", false), (24, "20260101000000Z", true),
        (24, "20260101000060Z", false), (24, "202601010000Z", false), (24, "20260101000000.5Z", false),
        (24, "20260101000000", false), (24, "2026010100000xZ", false), (24, "202601010000000", false),
    ]

    @Test(arguments: times) func aTimeHasOneForm(tag: UInt8, text: String, isRead: Bool) throws {
        for place in 0...1 {
            var certificate = try certificate()
            certificate[0, 4, place] = EditableDER(tag, bytes: Array(text.utf8))
            #expect(cause(certificate) == (isRead ? nil : .malformed))
        }
    }

    @Test func theTimeIsThatOfItsText() throws {
        let node = try DER.parse(EditableDER(24, bytes: Array("20260301120001Z".utf8)).encoded)
        #expect(try Date(certificateTime: node) == Date(timeIntervalSince1970: 1_772_366_401))
    }

    // MARK: Fields

    @Test func everyFieldIsThere() throws {
        let whole = try certificate()
        #expect(cause(whole) == nil)
        // Without its version it is of the first.
        for place in 1..<6 {
            var without = whole
            without[0].children.remove(at: place)
            #expect(cause(without) != nil, "\(place)")
        }
        var short = whole
        short[0].children.removeLast(2)
        #expect((try? CertificateFields(short.encoded, frame: CertificateFrame(short.encoded))) == nil)
        short[0].children.append(whole[0, 6])
        #expect((try? CertificateFields(short.encoded, frame: CertificateFrame(short.encoded))) != nil)
    }

    /// The first octet of a positive modulus may be a zero that is no digit.
    @Test(arguments: [(LabKey.Kind.rsa2048, 2048), (.rsa1024, 1024), (.rsa4096, 4096)])
    func theSizeOfAModulusIsThatOfItsDigits(kind: LabKey.Kind, bits: Int) throws {
        let rsa = try Self.pki.issue(.leaf("form") { $0.key = LabKeyID(kind, "leaf") })
        let frame = try CertificateFrame(rsa)
        #expect(try CertificateFields(rsa, frame: frame).rsaBits == bits)
    }

    /// Of a modulus that is not of whole octets, or that has zeros before it.
    @Test(
        arguments: [
            ([0x7f, 0xff], 2047), ([0x01, 0xff], 2041), ([0x00, 0x80], 2048), ([0x00, 0x00, 0x80], 2048),
            ([0x01, 0x00], 2041),
        ] as [([UInt8], Int)])
    func zerosBeforeAModulusAreNoDigits(first: [UInt8], bits: Int) throws {
        var certificate = try certificate()
        let digits = first.count - (first.first == 0 ? 1 : 0) - (first.count == 3 ? 1 : 0)
        let modulus = EditableDER(2, bytes: first + [UInt8](repeating: 0xff, count: 256 - digits))
        let key = EditableDER.sequence(modulus, EditableDER(2, bytes: [1, 0, 1]))
        certificate[0, 6] = .sequence(
            .sequence(.oid("1.2.840.113549.1.1.1"), .null), EditableDER(3, bytes: [0] + key.encoded))
        let der = certificate.encoded
        #expect(try CertificateFields(der, frame: CertificateFrame(der)).rsaBits == bits)
    }

    /// A body may have no fields at all.
    @Test func aFrameWithoutFieldsHasNoSerial() throws {
        for body in [EditableDER.sequence(), .sequence(EditableDER(0xa0, [EditableDER(2, bytes: [2])]))] {
            let frame = try CertificateFrame(
                EditableDER.sequence(body, .sequence(), EditableDER(3, bytes: [0])).encoded)
            #expect(frame.serial.isEmpty)
            #expect(frame.extensionCount == 0)
            #expect(frame.oversizedName == nil)
        }
    }

    @Test func theKeyIdentifierIsThatOfTheSubject() throws {
        let authority = try Self.pki.issue(.leaf("form"))
        var certificate = EditableDER(authority)
        let place = certificate[0].children.count - 1
        let value = EditableDER(4, bytes: EditableDER(4, bytes: [1, 2, 3]).encoded)
        certificate[0, place, 0].children = [
            .sequence(.oid("2.5.29.9"), EditableDER(4, bytes: EditableDER(4, bytes: [9]).encoded)),
            .sequence(.oid("2.5.29.14"), value),
        ]
        let frame = try CertificateFrame(certificate.encoded)
        #expect(try CertificateFields(certificate.encoded, frame: frame).subjectKeyIdentifier == [1, 2, 3])
        certificate[0, place, 0].children.removeLast()
        let other = try CertificateFrame(certificate.encoded)
        #expect(try CertificateFields(certificate.encoded, frame: other).subjectKeyIdentifier == nil)
    }

    // MARK: Rules that need one certificate

    /// RFC 7633: what the feature asks for is a staple, whose judge is another.
    @Test func aCriticalTLSFeatureIsKnown() async throws {
        for (arcs, isKnown) in [([1, 3, 6, 1, 5, 5, 7, 1, 24], true), ([1, 3, 6, 1, 5, 5, 7, 1, 25], false)]
            as [([UInt], Bool)]
        {
            let leaf = LabCertificateRecipe.leaf("feature") {
                $0.extensions.append(LabExtension(oid: arcs, isCritical: true, value: [0x30, 3, 2, 1, 5]))
            }
            let reading = try await TestChain.reading(leaf: leaf)
            #expect(reading.isAccepted == isKnown, "\(reading.problems.map(\.message))")
        }
    }

    /// An anchor below which nothing stands is judged as the leaf that it is too.
    @Test func anAnchorThatIsTheLeafIsJudged() async throws {
        for (validity, cause) in [(-20 ... -10, TrustCause.expired), (10...20, .notYetValid)]
            as [(ClosedRange<Int>, TrustCause)]
        {
            let own = try Self.pki.issue(.leaf("self", issuer: nil) { $0.validity = validity })
            let reading = try await TestChain.reading(chain: [own], anchors: [own])
            #expect(reading.problems.map(\.cause).contains(cause), "\(reading.problems.map(\.message))")
        }
    }

    /// Requirements of servers are not asked of other purposes.
    @Test func anAuthorityIsNoServer() async throws {
        let leaf = LabCertificateRecipe.leaf("authority") { $0.role = .authority(pathLength: nil) }
        let server = try await TestChain.reading(leaf: leaf)
        #expect(server.problems.contains { $0.cause == .wrongPurpose && $0.message.contains("is a CA certificate") })
        #expect(server.problems.allSatisfy { $0.depth == 0 })
        let any = try await TestChain.reading(leaf: leaf, purpose: .any)
        #expect(!any.problems.contains { $0.message.contains("is a CA certificate") })
    }

    @Test func namesOfSeveralValuesAreSets() throws {
        func name(_ texts: [String]) -> EditableDER {
            let values = texts.map { EditableDER.sequence(.oid("2.5.4.3"), EditableDER(12, bytes: Array($0.utf8))) }
            return .sequence(EditableDER(0x31, values))
        }
        func parsed(issuer: [String], subject: [String]) throws -> ParsedCertificate {
            var certificate = try certificate()
            certificate[0, 3] = name(issuer)
            certificate[0, 5] = name(subject)
            return try ParsedCertificate.parse(certificate.encoded).get()
        }
        #expect(try parsed(issuer: ["a"], subject: ["A"]).isSelfIssued)
        #expect(try !parsed(issuer: ["a"], subject: ["b"]).isSelfIssued)
        #expect(try parsed(issuer: ["a", "b"], subject: ["a", "b"]).isSelfIssued)
        #expect(try !parsed(issuer: ["a"], subject: ["a", "b"]).isSelfIssued)
        // Twice the same value is that value.
        #expect(try parsed(issuer: ["a", "a"], subject: ["a"]).isSelfIssued)
        #expect(try !parsed(issuer: ["a", "b"], subject: ["a", "c"]).isSelfIssued)
        #expect(try parsed(issuer: ["a", "b"], subject: ["a"]).issuer.size == 2 * 65)
        #expect(try parsed(issuer: ["a"], subject: ["b"]).issuer.size == 65)
    }
}
