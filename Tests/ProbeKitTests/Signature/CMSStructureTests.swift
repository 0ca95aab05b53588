import ProbeLab
import Testing

@testable import ProbeKit
@testable import ProbeSignatures

/// The structure of messages, changed in one place each; a message of `LabPKI.sign` is a ContentInfo of [0], a SignedData of
/// version, digests, content, [0] certificates and signers.
@Suite struct CMSStructureTests {
    private static let pki = TestChain.pki

    private func message(_ change: (inout LabCMSRecipe) -> Void = { _ in }) throws -> EditableDER {
        EditableDER(try Self.pki.sign(LabCMSRecipe(change: change)).bytes)
    }

    private func problem(_ message: EditableDER) -> SignatureProblem? { problem(message.encoded) }

    private func problem(_ bytes: [UInt8]) -> SignatureProblem? {
        do throws(SignatureProblem) {
            _ = try CMSMessage(signature: bytes)
            return nil
        } catch {
            return error
        }
    }

    /// Expects that a change of the SignedData is refused for a reason.
    private func expectRefused(
        _ reason: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout EditableDER) throws -> Void
    ) throws {
        var message = try message()
        #expect(problem(message) == nil, sourceLocation: sourceLocation)
        try change(&message.children[1].children[0])
        let found = problem(message)?.message ?? "nothing"
        #expect(found.contains(reason), "\(found)", sourceLocation: sourceLocation)
    }

    @Test func theSignedDataHasItsFields() throws {
        try expectRefused("at least four fields") { $0.children.removeSubrange(2...3) }
        try expectRefused("an unknown field") { $0.children.insert(EditableDER(0xa2, []), at: 4) }
        try expectRefused("version of the SignedData") { $0[0].bytes = [3] }
        try expectRefused("digestAlgorithms has another tag") { $0[1].tag = 0x30 }
        try expectRefused("signerInfos has another tag") { $0[4].tag = 0x30 }
        try expectRefused("nobody signed") { $0[4].children = [] }
        try expectRefused("2 signatures") { $0[4].children.append($0[4, 0]) }
        try expectRefused("not among those of the message") { $0[1].children = [] }
    }

    @Test func revocationListsArePassedOver() throws {
        var message = try message()
        message.children[1].children[0].children.insert(EditableDER(0xa1, []), at: 4)
        #expect(problem(message) == nil)
    }

    @Test func theContentInfoIsOfSignedData() throws {
        var other = try message()
        other[0] = .oid("1.2.840.113549.1.7.3")
        #expect(problem(other)?.message.contains("not a SignedData") == true)
        var longer = try message()
        longer.children.append(.null)
        #expect(problem(longer)?.message.contains("not a SignedData") == true)
        var double = try message()
        double.children[1].children.append(.null)
        #expect(problem(double)?.message.contains("no single content") == true)
    }

    @Test func theContentIsData() throws {
        try expectRefused("not of the type data") { $0[2, 0] = .oid("1.2.840.113549.1.7.2") }
        try expectRefused("not of the type data") {
            $0[2].children += [EditableDER(0xa0, [EditableDER(4, bytes: [])]), .null]
        }
        try expectRefused("no single eContent") {
            $0[2].children.append(EditableDER(0xa0, [EditableDER(4, bytes: []), EditableDER(4, bytes: [])]))
        }
        try expectRefused("not an OCTET STRING") {
            $0[2].children.append(EditableDER(0xa0, [EditableDER(12, bytes: [0x61])]))
        }
    }

    @Test func certificatesAreCountedAndNothingElse() throws {
        try expectRefused("other than certificates") { $0[3].children.append(EditableDER(0xa1, [])) }
        for extra in [0, 1] {
            var message = try message()
            let certificate = message[1, 0, 3, 0]
            message[1, 0, 3].children = Array(repeating: certificate, count: HandshakeLimits.certificates + extra)
            #expect(problem(message)?.cause == (extra == 0 ? nil : .tooComplex))
        }
    }

    @Test func theSignerInfoHasItsFields() throws {
        try expectRefused("names no certificate") { $0[4, 0, 1].children.append(.null) }
        try expectRefused("names no certificate") { $0[4, 0, 1, 1].tag = 4 }
        try expectRefused("sid has another tag") { $0[4, 0, 1] = EditableDER(0x81, bytes: [1, 2]) }
        try expectRefused("version of the SignerInfo") { $0[4, 0, 0].bytes = [3] }
        try expectRefused("unsignedAttrs has another tag") { $0[4, 0].children.append(EditableDER(0xa2, [])) }
        try expectRefused("too many fields") { $0[4, 0].children += [EditableDER(0xa1, []), EditableDER(0xa1, [])] }
        try expectRefused("lacks its signature") { $0[4, 0].children.removeLast() }
        var unsigned = try message()
        unsigned.children[1].children[0].children[4].children[0].children.append(EditableDER(0xa1, []))
        #expect(problem(unsigned) == nil)
    }

    /// The signed attributes are content type and message digest, [0] of the SignerInfo.
    @Test func anAttributeHasATypeAndItsValues() throws {
        try expectRefused("not a type and its values") { $0[4, 0, 3, 0].children.append(.null) }
        try expectRefused("an attribute's values has another tag") { $0[4, 0, 3, 0, 1].tag = 0x30 }
        try expectRefused("that the content is data") { info in
            info[4, 0, 3, 0, 1].children.append(info[4, 0, 3, 0, 1, 0])
        }
        try expectRefused("another length") { $0[4, 0, 3, 1, 1, 0].bytes.removeLast() }
    }

    @Test func aMessageIsDEROrOneBlockOfPEM() throws {
        let text = { (label: String) throws -> [UInt8] in
            let pem = try Self.pki.sign(LabCMSRecipe { $0.isPEM = true }).bytes
            return Array(
                String(decoding: pem, as: UTF8.self).replacing(#/(BEGIN|END) [^-]+/#) { "\($0.1) \(label)" }.utf8)
        }
        for label in ["CMS", "PKCS7", "PKCS #7 SIGNED DATA"] { #expect(problem(try text(label)) == nil, "\(label)") }
        #expect(problem(try text("CERTIFICATE"))?.message.contains("a CERTIFICATE") == true)
        #expect(problem(try text("CMS") + text("CMS"))?.message.contains("one whole block") == true)
        #expect(problem([])?.cause == .empty)
        let large = [UInt8](repeating: 0x30, count: HandshakeLimits.certificateMessageBytes)
        #expect(problem(large)?.cause == .malformed)
        #expect(problem(large + [0])?.cause == .tooComplex)
    }

    /// Signed attributes as content make a second signature without the key.
    @Test func contentThatLooksLikeAttributesIsRecognised() throws {
        let message = try message()
        var attributes = message[1, 0, 4, 0, 3]
        attributes.tag = 0x31
        #expect(CMSSignerInfo.looksLikeAttributes(attributes.encoded))
        var sequence = attributes
        sequence.tag = 0x30
        #expect(!CMSSignerInfo.looksLikeAttributes(sequence.encoded))
        var without = attributes
        without.children.removeAll { $0[0].bytes == EditableDER.oid("1.2.840.113549.1.9.4").bytes }
        #expect(without.children.count == 1 && !CMSSignerInfo.looksLikeAttributes(without.encoded))
        #expect(!CMSSignerInfo.looksLikeAttributes(EditableDER(0x31, [EditableDER(0x30, [])]).encoded))
        #expect(!CMSSignerInfo.looksLikeAttributes(EditableDER(0x31, [EditableDER(4, bytes: [1])]).encoded))
        // As long as a message may be, and a byte longer.
        for extra in [0, 1] {
            // Both lengths take three bytes more than in the short form.
            let free = HandshakeLimits.certificateMessageBytes - attributes.encoded.count - 8 + extra
            var long = attributes
            long.children.append(EditableDER(4, bytes: [UInt8](repeating: 0, count: free)))
            #expect(long.encoded.count == HandshakeLimits.certificateMessageBytes + extra)
            #expect(CMSSignerInfo.looksLikeAttributes(long.encoded) == (extra == 0))
        }
    }
}
