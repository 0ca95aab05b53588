import ProbeKit
import ProbeLab
import ProbePlatform
import Testing

@testable import ProbeTrust

/// The form of OCSP responses, changed in one place each. Signatures hold no longer, and nobody asks for them here.
@Suite struct OCSPResponseTests {
    private static let pki = TestChain.pki

    private func response() throws -> EditableResponse {
        EditableResponse(try Self.pki.encode(LabOCSPResponse(.good), about: Self.pki.identity(.good).leaf))
    }

    /// Returns the reason why a response is not read; nil if it is.
    private func problem(_ response: EditableResponse) -> String? {
        do {
            _ = try OCSPResponse(der: response.encoded)
            return nil
        } catch {
            return "\(error)"
        }
    }

    typealias Form = MessageForm<EditableResponse>

    static let forms: [Form] = [
        Form("as it comes", nil) { _ in },
        Form("the status is an ENUMERATED, not an INTEGER", "it has no status") { $0.outer[0].tag = 2 },
        Form("a status has content of its own", "it has no status") { $0.outer[0] = .sequence() },
        Form("1 is malformedRequest", "the responder answered with an error") { $0.outer[0].bytes = [1] },
        Form("two bytes of zero are not successful", "the responder answered with an error") {
            $0.outer[0].bytes = [0, 0]
        },
        Form("errors have no content", "it is empty") { $0.outer.children.removeLast() },
        Form("another type than basic", "it is of another type") {
            $0.outer[1, 0, 0] = .oid("1.3.6.1.5.5.7.48.1.2")
        },
        Form("an algorithm is missing", "it is cut short") { $0.basic.children.removeSubrange(1...) },
        Form("a signature is missing", "it is not signed") { $0.basic.children.removeSubrange(2...) },
        Form("a signature of whole octets", "") { $0.basic[2].bytes = [4, 0x10] },
        Form("the algorithm has parameters, whatever they are", nil) {
            $0.basic[1].children += [.null, .null]
        },
        Form("an unknown algorithm", "it is signed with the algorithm 1.2.3") { $0.basic[1, 0] = .oid("1.2.3") },
        Form("the version is the default", nil) {
            $0.data.children.insert(EditableDER(0xa0, [EditableDER(2, bytes: [0])]), at: 0)
        },
        Form("when it was produced is a time", "") { $0.data[1] = .null },
        Form("nothing is listed", "it lists nothing") { $0.data.children.removeLast() },
        Form("a list is constructed", "it lists nothing") { $0.data[2] = .null },
        Form("extensions follow the list", nil) { $0.data.children.append(EditableDER(0xa1, [])) },
        Form("an entry has a status", "an entry is cut short") { $0.entry.children.removeSubrange(1...) },
        Form("an entry has a time", "an entry has no time") { $0.entry.children.removeSubrange(2...) },
        Form("the next time may be missing", nil) { $0.entry.children.removeLast() },
        Form("extensions follow an entry", nil) { $0.entry.children.append(EditableDER(0xa1, [])) },
        Form("a status is known by its tag", "an entry has no status") { $0.entry[1].tag = 5 },
        Form("a revocation has a time", "a revocation has no time") { $0.entry[1] = EditableDER(0xa1, []) },
        Form("a revocation is not a number", "a revocation has no time") {
            $0.entry[1] = EditableDER(0x81, bytes: [1])
        },
        Form("the time of a revocation is one", "") { $0.entry[1] = EditableDER(0xa1, [.null]) },
        Form("an identifier names a hash", "an entry names no hash") { $0.entry[0].children = [] },
        Form("the hash has parameters, whatever they are", nil) { $0.entry[0, 0].children += [.null, .null] },
        Form("the hash has no parameters", nil) { $0.entry[0, 0].children.removeLast() },
        Form("a hash is an OCTET STRING", "") { $0.entry[0, 1].tag = 3 },
        Form("a serial number is an INTEGER", "") { $0.entry[0, 3].tag = 4 },
    ]

    @Test(arguments: forms) func aResponseHasOneForm(_ form: Form) throws {
        var response = try response()
        form.change(&response)
        let found = problem(response)
        if let expected = form.problem {
            let found = try #require(found)
            #expect(found.hasPrefix(expected))
        } else {
            #expect(found == nil)
        }
    }

    @Test func theStatusIsThatOfItsTag() throws {
        var response = try response()
        let time = EditableDER(24, bytes: Array("20260301120001Z".utf8))
        for (status, expected) in [
            (EditableDER(0x80, bytes: []), "good"), (EditableDER(0xa1, [time]), "revoked 2026-03-01T12:00:01Z"),
            (EditableDER(0xa1, [time, EditableDER(0xa0, [])]), "revoked 2026-03-01T12:00:01Z"),
            (EditableDER(0x82, bytes: []), "unknown"),
        ] {
            response.entry[1] = status
            let single = try #require(try OCSPResponse(der: response.encoded).responses.first)
            let found =
                switch single.status {
                case .good: "good"
                case .revoked(let date): "revoked \(RFC3339.format(date))"
                case .unknown: "unknown"
                }
            #expect(found == expected)
        }
    }

    /// A response of one entry has some hundred bytes.
    @Test func atMost128KiBAreRead() throws {
        for (size, expected) in [(1 << 17, nil), (1 << 17 + 1, "it is too large")] as [(Int, String?)] {
            var response = try response()
            // An extension of the data's fills it up.
            response.data.children.append(EditableDER(4, bytes: [UInt8](repeating: 0, count: 1 << 17 - 1000)))
            let missing = size - response.encoded.count
            response.data[3].bytes += [UInt8](repeating: 0, count: missing)
            try #require(response.encoded.count == size)
            #expect(problem(response) == expected)
        }
    }

    @Test func atMost64EntriesAreRead() throws {
        var response = try response()
        let entry = response.entry
        for (count, read) in [(1, 1), (64, 64), (65, 64)] {
            response.data[2].children = Array(repeating: entry, count: count)
            #expect(try OCSPResponse(der: response.encoded).responses.count == read)
        }
    }

    /// Those that can't be read count too, and don't keep the others from being read.
    @Test func atMost8CertificatesAreRead() throws {
        var response = try response()
        let certificate = EditableDER(try Self.pki.identity(.good).leaf)
        for (certificates, read) in [
            ([], 0), ([certificate], 1), (Array(repeating: certificate, count: 8), 8),
            (Array(repeating: certificate, count: 9), 8), ([.null, certificate], 1),
            (Array(repeating: .null, count: 8) + [certificate], 0),
        ] as [([EditableDER], Int)] {
            response.basic.children.removeSubrange(3...)
            response.basic.children.append(EditableDER(0xa0, [EditableDER(0x30, certificates)]))
            #expect(try OCSPResponse(der: response.encoded).certificates.count == read)
        }
    }

    // MARK: What an entry is about

    /// RFC 5019 section 2.1.1, and RFC 6960 section 4.1.1.
    @Test(arguments: [LabOCSPResponse.Digest.sha1, .sha256])
    func anEntryIsAboutOneCertificate(digest: LabOCSPResponse.Digest) throws {
        let leaf = try ParsedCertificate.parse(Self.pki.identity(.good).leaf).get()
        let issuer = try ParsedCertificate.parse(Self.pki.certificate(of: .intermediate)).get()
        let made = EditableResponse(
            try Self.pki.encode(LabOCSPResponse(.good) { $0.digest = digest }, about: Self.pki.identity(.good).leaf))
        let changes: [(String, Bool, (inout EditableDER) -> Void)] = [
            ("as it comes", true, { _ in }), ("another serial number", false, { $0[3].bytes[0] ^= 1 }),
            ("another issuer's name", false, { $0[1].bytes[0] ^= 1 }),
            ("another issuer's key", false, { $0[2].bytes[0] ^= 1 }),
            ("a hash is a whole one", false, { $0[2].bytes.removeLast() }),
            ("SHA-384 is not read", false, { $0[0, 0] = .oid("2.16.840.1.101.3.4.2.2") }),
        ]
        for (reason, isAbout, change) in changes {
            var response = made
            change(&response.entry[0])
            let single = try #require(try OCSPResponse(der: response.encoded).responses.first)
            #expect(single.id.names(leaf.certificate, issuedBy: issuer.certificate) == isAbout, "\(reason)")
        }
    }
}
