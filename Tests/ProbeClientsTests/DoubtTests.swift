import Foundation
import ProbeClients
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ProbeTrust
import Testing

/// Refusals for a missing issuer that a client may not share: those of clients that find one elsewhere.
@Suite(.bounded) struct DoubtTests {
    private static let pki = LabPKI(epoch: .now)

    /// Returns the certificates of a replay's file: their leaf names an address, as real ones do.
    private static func replay(_ name: String) throws -> [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples/replays")
        let file = folder.appending(path: "2021-expired-root/\(name).pem")
        return try CertificateFile.read(file.path)
    }

    private static func isDoubtful(_ missing: Client.MissingIssuers, _ chain: [[UInt8]]) throws -> Bool {
        var client = try #require(try ClientCatalogue.shipped().clients.first)
        client.missingIssuers = missing
        return client.doubt(about: .unknownIssuer, chain: chain) != nil
    }

    @Test("what is missing can be fetched where a certificate that was sent names its address") func fetched() throws {
        let leaf = try Self.replay("leaf")
        #expect(try Self.isDoubtful(.fetched, leaf))
        #expect(try !Self.isDoubtful(.fetched, try Self.pki.identity(.missingIntermediate).chain))
        // The order does not matter, and what is on no way from the leaf neither.
        let all = try Self.replay("chain")
        let strange = try Self.pki.identity(.selfSigned).chain
        #expect(try Self.isDoubtful(.fetched, leaf + strange))
        #expect(try !Self.isDoubtful(.fetched, strange + leaf))
        // The leaf's issuer was sent; that one's issuer was not, and nobody names its address.
        #expect(try !Self.isDoubtful(.fetched, all))
        #expect(try !Self.isDoubtful(.fetched, []))
        #expect(try !Self.isDoubtful(.fetched, [[0x30, 0x00]]))
    }

    @Test("what is missing may be remembered whether or not it has an address") func remembered() throws {
        #expect(try Self.isDoubtful(.remembered, try Self.pki.identity(.missingIntermediate).chain))
        #expect(try Self.isDoubtful(.remembered, try Self.replay("leaf")))
        for name in [LabIdentityName.selfSigned, .rootIncluded] {
            #expect(try !Self.isDoubtful(.remembered, try Self.pki.identity(name).chain), "\(name)")
        }
    }

    @Test("what looks nowhere else shares the refusal") func refused() throws {
        #expect(try !Self.isDoubtful(.refused, try Self.replay("leaf")))
    }

    @Test("a weak key or signature is in doubt only where the client's own limits may take it") func weakness() throws {
        var client = try #require(try ClientCatalogue.shipped().clients.first)
        (client.habits.minimumRSABits, client.habits.acceptsSHA1) = (1024, true)
        let small = try Self.pki.identity(.rsa1024).chain
        #expect(client.doubt(about: .weakKey, chain: small) != nil)
        #expect(client.doubt(about: .weakKey, chain: try Self.pki.identity(.good).chain) == nil)
        client.habits.minimumRSABits = 1025
        #expect(client.doubt(about: .weakKey, chain: small) == nil)
        #expect(client.doubt(about: .weakSignature, chain: try Self.pki.identity(.sha1Signature).chain) != nil)
        #expect(client.doubt(about: .weakSignature, chain: small) == nil)
    }

    @Test("a weak key or signature may be of the client's own roots, on the way up") func weakRoots() throws {
        var client = try #require(try ClientCatalogue.shipped().clients.first)
        (client.habits.minimumRSABits, client.habits.acceptsSHA1) = (1024, true)
        let weak = LabCertificateRecipe.authority("Weak Root", issuer: nil) { $0.key = LabKeyID(.rsa1024, "leaf") }
        let middle = LabCertificateRecipe.authority("Known Middle", issuer: nil)
        var oldMiddle = middle
        oldMiddle.signature = .rsaSHA1
        let root = try Self.pki.issue(weak, by: weak)
        let direct = try Self.pki.issue(.leaf("weak", issuer: nil), by: weak)
        let below = try Self.pki.issue(.leaf("weak", issuer: nil), by: middle)
        let known = try Self.pki.issue(middle, by: weak)
        #expect(client.doubt(about: .weakKey, chain: [direct], roots: [root]) != nil)
        #expect(client.doubt(about: .weakKey, chain: [below], roots: [root, known]) != nil)
        #expect(client.doubt(about: .weakKey, chain: [below], roots: [root]) == nil)
        #expect(client.doubt(about: .weakKey, chain: [direct]) == nil)
        #expect(client.doubt(about: .weakSignature, chain: [below], roots: [root, known]) == nil)
        let issuedWithSHA1 = try Self.pki.issue(oldMiddle, by: weak)
        #expect(client.doubt(about: .weakSignature, chain: [below], roots: [root, issuedWithSHA1]) != nil)
    }
}
