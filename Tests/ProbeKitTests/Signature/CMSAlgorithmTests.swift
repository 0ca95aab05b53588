import SwiftASN1
import Testing

@testable import ProbeKit
@testable import ProbeSignatures

/// The digests and signature algorithms of messages, by the numbers of their RFCs.
@Suite struct CMSAlgorithmTests {
    private static let digests: [(oid: String, digest: CMSDigest)] = [
        ("2.16.840.1.101.3.4.2.1", .sha256), ("2.16.840.1.101.3.4.2.2", .sha384), ("2.16.840.1.101.3.4.2.3", .sha512),
    ]
    private static let rsa: [String] = ["1.2.840.113549.1.1.11", "1.2.840.113549.1.1.12", "1.2.840.113549.1.1.13"]
    private static let ecdsa: [String] = ["1.2.840.10045.4.3.2", "1.2.840.10045.4.3.3", "1.2.840.10045.4.3.4"]
    private static let rsaEncryption = "1.2.840.113549.1.1.1"
    private static let pss = "1.2.840.113549.1.1.10"

    private func algorithm(_ oid: String, _ parameters: EditableDER...) -> EditableDER {
        EditableDER(0x30, [.oid(oid)] + parameters)
    }

    private func digestProblem(_ algorithm: EditableDER) throws -> SignatureProblem? {
        let node = try DER.parse(algorithm.encoded)
        do throws(SignatureProblem) {
            _ = try CMSDigest(node)
            return nil
        } catch {
            return error
        }
    }

    private func problem(_ algorithm: EditableDER, _ digest: CMSDigest = .sha256) throws -> SignatureProblem? {
        let node = try DER.parse(algorithm.encoded)
        do throws(SignatureProblem) {
            try CMSSignatureAlgorithm.check(node, digest: digest)
            return nil
        } catch {
            return error
        }
    }

    @Test func digestsAreThoseOfRFC5754() throws {
        for (oid, digest) in Self.digests {
            for algorithm in [algorithm(oid), algorithm(oid, .null)] {
                #expect(try CMSDigest(try DER.parse(algorithm.encoded)) == digest)
            }
            #expect(try digestProblem(algorithm(oid, EditableDER(2, bytes: [1])))?.cause == .malformed)
            #expect(try digestProblem(algorithm(oid, .null, .null))?.cause == .malformed)
            #expect(digest([]).count == digest.count)
        }
        #expect(try digestProblem(algorithm("2.16.840.1.101.3.4.2.4"))?.cause == .unsupported)
    }

    @Test(
        arguments: [
            ("1.2.840.113549.2.2", "MD2"), ("1.2.840.113549.2.4", "MD4"), ("1.2.840.113549.2.5", "MD5"),
            ("1.3.14.3.2.26", "SHA-1"), ("1.3.36.3.2.1", "RIPEMD-160"),
        ])
    func weakDigestsAreNamed(oid: String, name: String) throws {
        let problem = try #require(try digestProblem(algorithm(oid)))
        #expect(problem.cause == .weakDigest && problem.message.hasSuffix(" \(name)"))
    }

    @Test(
        arguments: [
            ("1.2.840.113549.1.1.4", "MD5"), ("1.2.840.113549.1.1.5", "SHA-1"), ("1.2.840.10045.4.1", "SHA-1"),
        ])
    func weakSignaturesAreNamed(oid: String, name: String) throws {
        let problem = try #require(try problem(algorithm(oid)))
        #expect(problem.cause == .weakDigest && problem.message.hasSuffix(" \(name)"))
    }

    @Test func aSignatureHasTheDigestOfItsContent() throws {
        for (index, (_, digest)) in Self.digests.enumerated() {
            for place in 0..<3 {
                let cause: SignatureProblem.Cause? = place == index ? nil : .malformed
                #expect(try problem(algorithm(Self.rsa[place], .null), digest)?.cause == cause)
                #expect(try problem(algorithm(Self.ecdsa[place]), digest)?.cause == cause)
            }
            #expect(try problem(algorithm(Self.rsaEncryption, .null), digest) == nil)
        }
        for oid in ["1.2.840.113549.1.1.14", "1.2.840.113549.1.1.2", "1.2.840.10045.4.3.1", "1.3.101.112"] {
            #expect(try problem(algorithm(oid))?.cause == .unsupported, "\(oid)")
        }
    }

    /// RFC 3370 section 3.2, RFC 5754 section 3.3.
    @Test func parametersAreNullForRSAAndNothingForECDSA() throws {
        for oid in Self.rsa.prefix(1) + [Self.rsaEncryption] {
            #expect(try problem(algorithm(oid)) == nil)
            #expect(try problem(algorithm(oid, EditableDER(2, bytes: [0])))?.cause == .malformed)
        }
        #expect(try problem(algorithm(Self.ecdsa[0], .null))?.cause == .malformed)
        #expect(try problem(algorithm(Self.rsa[0], .null, .null))?.cause == .malformed)
    }

    /// The parameters of RSASSA-PSS: digest, mask generation with its digest, length of the salt.
    private func pss(
        _ digest: String = "2.16.840.1.101.3.4.2.1", mask: String = "1.2.840.113549.1.1.8",
        maskDigest: String = "2.16.840.1.101.3.4.2.1", salt: UInt8 = 32
    ) -> EditableDER {
        let generator = EditableDER.sequence(.oid(mask), algorithm(maskDigest))
        return algorithm(
            Self.pss,
            .sequence(
                EditableDER(0xa0, [algorithm(digest)]), EditableDER(0xa1, [generator]),
                EditableDER(0xa2, [EditableDER(2, bytes: [salt])])))
    }

    @Test func everyParameterOfPSSCounts() throws {
        #expect(try problem(pss()) == nil)
        #expect(try problem(pss(), .sha384)?.cause == .malformed)
        #expect(try problem(pss("2.16.840.1.101.3.4.2.2"))?.cause == .malformed)
        #expect(try problem(pss(maskDigest: "2.16.840.1.101.3.4.2.2"))?.cause == .malformed)
        #expect(try problem(pss(mask: "1.2.840.113549.1.1.9"))?.cause == .malformed)
        #expect(try problem(pss(salt: 20))?.cause == .unsupported)
        let sha384 = pss("2.16.840.1.101.3.4.2.2", maskDigest: "2.16.840.1.101.3.4.2.2", salt: 48)
        #expect(try problem(sha384, .sha384)?.cause == .unsupported)
        #expect(try problem(algorithm(Self.pss))?.message.contains("SHA-1") == true)
    }

    @Test func theParametersOfPSSAreWhole() throws {
        var two = pss()
        two.children[1].children.removeLast()
        var four = pss()
        four.children[1].children.append(.null)
        var double = pss()
        double.children[1].children[0].children.append(.null)
        var single = pss()
        single.children[1].children[1].children[0].children.removeLast()
        var tagged = pss()
        tagged.children[1].children[2].tag = 0xa3
        for (name, wrong) in [("two", two), ("four", four), ("double", double), ("single", single)] {
            #expect(try problem(wrong)?.cause == .malformed, "\(name)")
        }
        #expect(try problem(tagged)?.cause == .unsupported)
    }
}
