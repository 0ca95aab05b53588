import Crypto
import CryptoExtras
import ProbeLab
import Testing

@testable import ProbeTrust

/// RSASSA-PSS with the three parameter sets that public CAs may use, on certificates that sign themselves.
@Suite struct PSSSignatureTests {
    enum Digest: Int, CaseIterable { case sha256 = 1, sha384, sha512 }

    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// The AlgorithmIdentifier of RFC 4055 section 3.1, whose digest and salt are given.
    private func algorithm(_ digest: Digest, mask: Digest, salt: UInt8) -> EditableDER {
        func hash(_ digest: Digest) -> EditableDER { .sequence(.oid("2.16.840.1.101.3.4.2.\(digest.rawValue)"), .null) }
        return .sequence(
            .oid("1.2.840.113549.1.1.10"),
            .sequence(
                EditableDER(0xa0, [hash(digest)]),
                EditableDER(0xa1, [.sequence(.oid("1.2.840.113549.1.1.8"), hash(mask))]),
                EditableDER(0xa2, [EditableDER(2, bytes: [salt])])))
    }

    private func certificate(_ digest: Digest, salt: UInt8, mask: Digest? = nil) throws -> EditableDER {
        let key = try Self.key.get()
        var certificate = EditableDER(try TestChain.pki.issue(.leaf("pss", issuer: nil)))
        let algorithm = algorithm(digest, mask: mask ?? digest, salt: salt)
        certificate[0, 2] = algorithm
        certificate[0, 6] = EditableDER(key.publicKey.derRepresentation)
        certificate[1] = algorithm
        let body = certificate[0].encoded
        let signature =
            switch digest {
            case .sha256: try key.signature(for: SHA256.hash(data: body), padding: .PSS)
            case .sha384: try key.signature(for: SHA384.hash(data: body), padding: .PSS)
            case .sha512: try key.signature(for: SHA512.hash(data: body), padding: .PSS)
            }
        certificate[2] = EditableDER(3, bytes: [0] + signature.rawRepresentation)
        return certificate
    }

    private func parsed(_ certificate: EditableDER) throws -> ParsedCertificate {
        try ParsedCertificate.parse(certificate.encoded).get()
    }

    private static let salts: [(Digest, UInt8)] = [(.sha256, 32), (.sha384, 48), (.sha512, 64)]

    @Test(arguments: salts) func theDigestAndItsSaltAreRead(digest: Digest, salt: UInt8) throws {
        let certificate = try parsed(certificate(digest, salt: salt))
        #expect(certificate.isSigned(by: certificate))
        #expect(certificate.isStandIn)
    }

    @Test(arguments: salts) func aChangedByteIsNoticed(digest: Digest, salt: UInt8) throws {
        var changed = try certificate(digest, salt: salt)
        changed[0, 1].bytes[1] ^= 1
        let certificate = try parsed(changed)
        #expect(!certificate.isSigned(by: certificate))
    }

    /// Another salt, or another digest for the mask, makes a parameter set that they may not use.
    @Test(arguments: salts) func otherParametersAreNotRead(digest: Digest, salt: UInt8) throws {
        let others = Digest.allCases.filter { $0 != digest }
        for wrong in [salt - 1, salt + 1, 20] {
            #expect(throws: UnreadableCertificate.self) { try parsed(certificate(digest, salt: wrong)) }
        }
        for mask in others {
            #expect(throws: UnreadableCertificate.self) { try parsed(certificate(digest, salt: salt, mask: mask)) }
        }
    }

    /// RFC 5280 section 4.1.1.2: the algorithm stands twice.
    @Test func bothAlgorithmsAreTheSame() throws {
        for place in [0, 1] {
            var certificate = try certificate(.sha256, salt: 32)
            let other = algorithm(.sha384, mask: .sha384, salt: 48)
            if place == 0 { certificate[0, 2] = other } else { certificate[1] = other }
            #expect(throws: UnreadableCertificate.self) { try parsed(certificate) }
        }
    }

    @Test func onlyAnRSAKeyCanHaveMadeIt() throws {
        let certificate = try parsed(certificate(.sha256, salt: 32))
        let other = try ParsedCertificate.parse(try TestChain.pki.issue(.leaf("pss", issuer: nil))).get()
        #expect(!certificate.isSigned(by: other))
        #expect(!other.isStandIn)
    }
}
