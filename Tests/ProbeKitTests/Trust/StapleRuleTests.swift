import Crypto
import ProbeKit
import ProbePlatform
import SwiftASN1
import Testing
import X509

@testable import ProbeLab
@testable import ProbeTrust

/// The rules for a staple, asked for a path without a search: who may sign it, which entry counts, and its cost.
@Suite struct StapleRuleTests {
    private static let pki = TestChain.pki
    private static let issuer = LabCertificateRecipe.authority("Staple Issuer", issuer: nil)
    private static let responder = LabCertificateRecipe.leaf("staple responder", issuer: nil) {
        $0.commonName = "Staple Responder"
        $0.purposes = [.ocspSigning]
    }

    /// A leaf that demands a staple, its issuer as the anchor, and a response that says that the leaf is revoked.
    private struct Scene {
        let path: [ParsedCertificate]
        var response: EditableResponse

        init(issuer: LabCertificateRecipe = StapleRuleTests.issuer, status: LabOCSPResponse.Status = .revoked) throws {
            let leaf = try pki.issue(.leaf("staple", issuer: nil) { $0.extensions = [.mustStaple] }, by: issuer)
            path = try [leaf, pki.issue(issuer)].map { try ParsedCertificate.parse($0).get() }
            response = EditableResponse(try pki.encode(LabOCSPResponse(status), about: leaf))
            // The lab names the key of one of its own authorities.
            response.entry[0, 2].bytes = Array(
                Insecure.SHA1.hash(data: path[1].certificate.publicKey.subjectPublicKeyInfoBytes))
            try response.sign(with: pki.key(issuer.key))
        }

        /// Puts a responder's certificate into the response.
        mutating func carry(_ responders: [UInt8]...) {
            if response.basic.children.count > 3 { response.basic.children.removeLast() }
            response.basic.children.append(EditableDER(0xa0, [EditableDER(0x30, responders.map { EditableDER($0) })]))
        }

        func problems(units: Int = SearchBudget.perChain) -> [TrustReading.Problem] {
            var budget = SearchBudget(units: units)
            return problems(&budget)
        }

        func problems(_ budget: inout SearchBudget) -> [TrustReading.Problem] {
            StapleRules.problems(ofPath: path, staple: response.staple, at: pki.epoch, &budget).map(\.reported)
        }
    }

    // MARK: Paths

    @Test func aRevokedLeafIsNamed() throws {
        let scene = try Scene()
        let found = try #require(scene.problems().first)
        #expect(scene.problems().count == 1)
        #expect(found.cause == .revoked && found.depth == 0)
        #expect(found.message.contains("'CN=good.test' was revoked"), "\(found.message)")
    }

    /// A leaf that is the anchor itself has no issuer who could say anything.
    @Test func anAnchorAloneHasNoStaple() throws {
        let scene = try Scene()
        var budget = SearchBudget()
        for staple in [scene.response.staple, .absent, .notAsked] {
            let problems = StapleRules.problems(
                ofPath: [scene.path[0]], staple: staple, at: Self.pki.epoch, &budget)
            #expect(problems.isEmpty)
        }
    }

    // MARK: Signatures

    /// The algorithms that public CAs may use, and two that they may not.
    static let schemes: [(LabKeyID, LabSignature, isHeard: Bool)] = [
        (LabKeyID(.rsa2048, "authority"), .rsaSHA256, true), (LabKeyID(.rsa2048, "authority"), .rsaSHA384, true),
        (LabKeyID(.rsa2048, "authority"), .rsaSHA512, true), (LabKeyID(.p256, "staple"), .ecdsaSHA256, true),
        (LabKeyID(.p256, "staple"), .ecdsaSHA384, true), (LabKeyID(.p256, "staple"), .ecdsaSHA512, true),
        (LabKeyID(.ed25519, "staple"), .ed25519, true), (LabKeyID(.rsa2048, "authority"), .rsaSHA1, false),
        (LabKeyID(.rsa2048, "authority"), .rsaPSSSHA256, false),
    ]

    @Test(arguments: schemes.indices) func aResponseIsSignedWithACommonAlgorithm(_ index: Int) throws {
        let (key, scheme, isHeard) = Self.schemes[index]
        var scene = try Scene(issuer: Self.issuer.changed { $0.key = key })
        var coder = DER.Serializer()
        try scheme.serialize(into: &coder)
        scene.response.basic[1] = EditableDER(coder.serializedBytes)
        try scene.response.sign(with: Self.pki.key(key), scheme)
        #expect(scene.problems().map(\.cause) == [isHeard ? .revoked : .constraintViolated])
    }

    struct Responder: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isHeard: Bool
        let recipe: LabCertificateRecipe
        let issuer: LabCertificateRecipe
        let signer: LabKeyID

        init(
            _ reason: String, _ isHeard: Bool, _ recipe: LabCertificateRecipe = StapleRuleTests.responder,
            by issuer: LabCertificateRecipe = StapleRuleTests.issuer, signer: LabKeyID? = nil
        ) {
            (testDescription, self.isHeard, self.recipe, self.issuer) = (reason, isHeard, recipe, issuer)
            self.signer = signer ?? recipe.key
        }
    }

    static let responders: [Responder] = [
        Responder("one of the issuer's", true),
        Responder(
            "the issuer's key under another name is another issuer", false,
            by: issuer.changed { $0.commonName = "Other" }),
        Responder(
            "the issuer's name over another key is another issuer", false,
            by: issuer.changed { $0.key = LabKeyID(.p256, "other") }),
        Responder("somebody else signed the response", false, signer: LabKeyID(.p256, "somebody")),
        Responder("its purpose is another", false, responder.changed { $0.purposes = [.server] }),
        Responder(
            "it is judged as a certificate below an anchor", false,
            responder.changed { $0.keyUsage = [.digitalSignature, .certificateSigning] }),
        Responder(
            "its extensions can't be read", false,
            responder.with(LabExtension(oid: [2, 5, 29, 17], isCritical: false, value: [0x30, 0x01]))),
    ]

    @Test(arguments: responders) func aResponderIsTheIssuersForJustThat(_ example: Responder) throws {
        var scene = try Scene()
        scene.carry(try Self.pki.issue(example.recipe, by: example.issuer))
        try scene.response.sign(with: Self.pki.key(example.signer))
        #expect(scene.problems().map(\.cause) == [example.isHeard ? .revoked : .constraintViolated])
    }

    // MARK: Entries

    /// Of several entries the worst counts, in whatever order, if it is current.
    @Test func theWorstEntryCounts() throws {
        let good = try Scene(status: .good).response.entry[1]
        var scene = try Scene()
        let revoked = scene.response.entry
        var fine = revoked
        fine[1] = good
        var over = revoked
        over[2].bytes = Array("20250101000000Z".utf8)
        over[3, 0].bytes = Array("20250102000000Z".utf8)
        for (entries, cause) in [
            ([fine, revoked], .revoked), ([revoked, fine], .revoked), ([fine, fine], nil), ([fine, over], nil),
            ([over, fine], nil), ([over], .constraintViolated),
        ] as [([EditableDER], TrustCause?)] {
            scene.response.data[2].children = entries
            try scene.response.sign(with: Self.pki.key(Self.issuer.key))
            #expect(scene.problems().first?.cause == cause)
        }
    }

    // MARK: Costs

    /// A staple costs 2000 units, what reading its bytes does, and each signature that is checked.
    @Test(arguments: [false, true]) func aStapleIsPaidFor(isDelegated: Bool) throws {
        var scene = try Scene()
        // Hashing counts a unit for every 300 bytes.
        scene.response.data.children.append(
            EditableDER(0xa1, [EditableDER(4, bytes: [UInt8](repeating: 0, count: 3000))]))
        try scene.response.sign(with: Self.pki.key((isDelegated ? Self.responder : Self.issuer).key))
        var checks = 1
        var hashed = scene.response.data.encoded.count / 300
        if isDelegated {
            let certificate = try Self.pki.issue(Self.responder, by: Self.issuer)
            scene.carry(certificate)
            checks = 3
            hashed += hashed + certificate.count / 300
        }
        let reading = ReadingCost.units(of: scene.response.encoded, limit: .max)
        let cost = 2000 + reading + checks * scene.path[1].verificationCost + hashed
        var budget = SearchBudget(units: 50_000)
        #expect(scene.problems(&budget).first?.cause == .revoked)
        #expect(budget.remaining == 50_000 - cost)

        #expect(scene.problems(units: cost).first?.cause == .revoked)
        for (units, message) in [
            (cost - 1, "the staple was not checked: too much work"),
            (2000 + reading, "the staple was not checked: too much work"),
            (2000 + reading - 1, "the staple was not read: too much work"),
            (2000, "the staple was not read: too much work"), (1999, "the staple was not read: too much work"),
            (0, "the staple was not read: too much work"),
        ] {
            let found = scene.problems(units: units)
            #expect(found.map(\.cause) == [.tooComplex] && found.first?.message == message, "\(units): \(found)")
        }
    }
}
