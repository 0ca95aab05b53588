import ProbeKit
import ProbeLab
import ProbePins
import ProbeTrust
import Testing

/// The one question of the hash path: does this certificate have a pin of the index?
@Suite struct PinIndexTests {
    private static let leaf = Result { try TestChain.pki.issue(.leaf("index", issuer: nil)) }

    private func pin(_ kind: PinKind, of digests: CertificateDigests) -> Pin {
        switch kind {
        case .spki: Pin(kind: kind, digest: digests.spki)
        case .rawkey: Pin(kind: kind, digest: digests.rawKey)
        case .cert: Pin(kind: kind, digest: digests.cert)
        }
    }

    /// A digest is a pin of its own kind and of no other.
    @Test func eachKindIsFoundAsItself() throws {
        let der = try Self.leaf.get()
        let digester = SwiftCryptoDigester()
        let digests = try CertificateDigests(certificate: der.span, digester: digester)
        let stranger = Pin(kind: .spki, digest: PinDigest.sha256(of: "stranger".utf8))
        for kind in PinKind.allCases {
            let own = pin(kind, of: digests)
            let index = PinIndex([own, stranger])
            #expect(try index.match(certificate: der.span, digester: digester) == kind)
            #expect(index.match(digests) == own)
            #expect(index.match(digests, where: { $0 != own }) == nil)
            #expect(index.contains(own))
            for other in PinKind.allCases where other != kind {
                let wrong = PinIndex([Pin(kind: other, digest: own.digest)])
                #expect(try wrong.match(certificate: der.span, digester: digester) == nil)
                #expect(wrong.match(digests) == nil)
                #expect(!wrong.contains(own))
            }
        }
    }

    @Test func nothingIsFoundInNothing() throws {
        let der = try Self.leaf.get()
        #expect(try PinIndex([]).match(certificate: der.span, digester: SwiftCryptoDigester()) == nil)
        #expect(throws: CertificateFormatError.self) { () throws in
            try PinIndex([]).match(certificate: Array(der.dropLast()).span, digester: SwiftCryptoDigester())
        }
    }

    /// The digests that name a store: the same for each order, another for each content.
    @Test func aStoreIsNamedByItsContent() {
        func store(_ certificates: [[UInt8]], _ lists: [[UInt8]] = []) -> TrustAnchors {
            TrustAnchors(name: "test", certificates: certificates, revocationLists: lists)
        }
        let plain = store([[1], [2]])
        #expect(plain.storeDigest == plain.digest)
        #expect(store([[2], [1], [1]]).storeDigest == plain.digest)
        #expect(store([[1], [3]]).storeDigest != plain.digest)
        let listed = store([[1], [2]], [[4], [5]])
        #expect(listed.digest == plain.digest)
        #expect(listed.storeDigest != plain.digest)
        #expect(store([[2], [1]], [[5], [4]]).storeDigest == listed.storeDigest)
        #expect(store([[1], [3]], [[4], [5]]).storeDigest != listed.storeDigest)
        #expect(store([[1], [2]], [[4]]).storeDigest != listed.storeDigest)
    }
}
