import Foundation
import ProbeKit
import ProbeLab
import Testing

@Suite struct PKITests {
    static let openssl = Program("openssl")
    let epoch: Date
    let pki: LabPKI

    init() throws {
        epoch = try RFC3339.parse("2026-11-01T12:00:00Z")
        pki = LabPKI(epoch: epoch)
    }

    @Test(arguments: LabIdentityName.allCases) func everyIdentityCanBeMade(name: LabIdentityName) throws {
        let identity = try pki.identity(name)
        #expect(identity.chain.first == identity.leaf)
        #expect(try pki.identity(name).chain == identity.chain, "the same name gives the same bytes")
    }

    @Test func shapesOfChains() throws {
        #expect(try pki.identity(.good).chain.count == 2)
        #expect(try pki.identity(.missingIntermediate).chain.count == 1)
        #expect(try pki.identity(.fourDeep).chain.count == 4)
        #expect(try pki.identity(.huge).chain.count == 200)
        #expect(Set(try pki.identity(.huge).chain).count == 200)
        let inOrder = try pki.identity(.fourDeep).chain.dropFirst()
        #expect(try pki.identity(.shuffled).chain.dropFirst() == inOrder.reversed()[...])
        #expect(try pki.identity(.rootIncluded).chain.last == pki.certificate(of: .root))
    }

    @Test func renewals() throws {
        let good = try pki.identity(.good)
        let sameKey = try pki.identity(.renewedSameKey)
        #expect(sameKey.leaf != good.leaf)
        #expect(sameKey.key.spki == good.key.spki)
        #expect(try pki.identity(.renewedNewKey).key.spki != good.key.spki)
        let backup = try pki.key(.backup).spki
        for name in LabIdentityName.allCases {
            #expect(try pki.identity(name).key.spki != backup)
        }
    }

    @Test func aKeyThatIsNotEmbeddedIsAnError() {
        #expect(throws: LabError.noSuchKey(LabKeyID(.rsa2048, "nobody"))) { try pki.key(LabKeyID(.rsa2048, "nobody")) }
    }

    /// The result of `openssl verify` for an identity: its error number, 0 for accepted.
    @Test(
        .enabled(if: openssl != nil, "openssl is not installed"),
        arguments: [
            (LabIdentityName.good, 0), (.renewedSameKey, 0), (.rsa2048, 0), (.rsa4096, 0), (.p384, 0), (.ed25519, 0),
            (.fourDeep, 0), (.shuffled, 0), (.extraCertificates, 0), (.rootIncluded, 0), (.crossSigned, 0),
            (.twinIssuers, 86),
            (.selfIssued, 0),
            (.permittedName, 0), (.pssSignature, 0), (.compressedPoint, 0), (.rsaWithoutNull, 0), (.noPurpose, 0),
            (.beginsNow, 0),
            (.expired, 10), (.expiredIntermediate, 10), (.notYetValid, 9), (.wrongName, 62), (.partialWildcard, 62),
            (.unknownIssuer, 20), (.unknownRootPresented, 19), (.missingIntermediate, 20), (.selfSigned, 18),
            (.clientPurpose, 26), (.clientIntermediate, 26), (.emptyPurpose, 26), (.anyPurpose, 26),
            (.noServerUsage, 26), (.authorityAsLeaf, 26), (.crossSignedFirst, 20),
            (.issuerNotAuthority, 79), (.pathLengthExceeded, 25), (.excludedName, 48), (.notPermittedName, 47),
            (.unknownCriticalExtension, 34), (.badSignature, 7), (.sha1Signature, 68), (.rsa1024, 66),
            (.weakIntermediate, 67), (.huge, 22),
        ])
    func opensslAgrees(name: LabIdentityName, error: Int) async throws {
        let openssl = try #require(Self.openssl)
        let scratch = try Scratch()
        let identity = try pki.identity(name)
        let chain = try scratch.write(identity.chainPEM, "chain.pem")
        let root = try scratch.write(pki.rootPEM(), "root.pem")
        let (status, output) = try await openssl.run([
            "verify", "-attime", String(Int(epoch.timeIntervalSince1970)), "-auth_level", "2", "-purpose", "sslserver",
            "-x509_strict", "-verify_hostname", "good.test", "-CAfile", root, "-untrusted", chain, chain,
        ])
        if error == 0 {
            #expect(status == 0, "\(output)")
        } else {
            #expect(status != 0 && output.contains("error \(error) at"), "\(output)")
        }
    }

    @Test(
        .enabled(if: openssl != nil, "openssl is not installed"),
        arguments: LabIdentityName.allCases.filter { $0 != .rsaWithoutNull })
    func opensslFindsTheSameKey(name: LabIdentityName) async throws {
        let openssl = try #require(Self.openssl)
        let scratch = try Scratch()
        let identity = try pki.identity(name)
        let key = try await openssl.run(["pkey", "-in", scratch.write(identity.keyPEM, "key.pem"), "-pubout"])
        let certificate = try await openssl.run([
            "x509", "-in", scratch.write(identity.chainPEM, "chain.pem"), "-noout", "-pubkey",
        ])
        #expect(key.status == 0)
        if name != .compressedPoint { #expect(key.output == certificate.output) }
        let spki = key.output.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        #expect(Base64.decode(spki) == identity.key.spki)
    }
}
