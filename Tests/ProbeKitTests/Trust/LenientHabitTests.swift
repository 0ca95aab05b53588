import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing
import X509

/// The rules that shipped verifiers leave out or add: each changes the answer about one chain, and no other one's.
@Suite struct LenientHabitTests {
    /// A chain that the reference and a verifier with a habit judge otherwise.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var name = "good.test"
        var leaf: @Sendable (inout LabCertificateRecipe) throws -> Void = { _ in }
        var middle: @Sendable (inout LabCertificateRecipe) throws -> Void = { _ in }
        var root: @Sendable (inout LabCertificateRecipe) throws -> Void = { _ in }
        /// The answers without the habit and with it.
        let strict: TrustCause?
        let lenient: TrustCause?
        let habit: @Sendable (inout VerifierHabits) -> Void
    }

    private static func ext(_ oid: [UInt], critical: Bool = false, _ value: [UInt8]) -> LabExtension {
        LabExtension(oid: oid, isCritical: critical, value: value)
    }

    /// Extensions that can't be read: bits without a meaning, an empty list, a sequence that is none.
    private static let strangeUsage = ext([2, 5, 29, 15], critical: true, [3, 4, 0, 0x80, 0, 1])
    private static let strangePolicies = ext([2, 5, 29, 32], [0x30, 0])
    private static let strangeConstraints = ext([2, 5, 29, 30], critical: true, [0x30, 0])
    private static let strangeNames = ext([2, 5, 29, 17], [0x04, 0])
    private static let explicitPolicy = ext([2, 5, 29, 36], critical: true, [0x30, 3, 0x80, 1, 0])
    private static let mapping = ext(
        [2, 5, 29, 33], critical: true, [0x30, 10, 0x30, 8, 6, 2, 0x2a, 3, 6, 2, 0x2a, 4])
    private static let noAnyPolicy = ext([2, 5, 29, 54], critical: true, [2, 1, 0])
    private static let features = ext([1, 3, 6, 1, 5, 5, 7, 1, 24], critical: true, [0x30, 3, 2, 1, 17])
    private static let permitted = ext(
        [2, 5, 29, 30], critical: true, [0x30, 10, 0xa0, 8, 0x30, 6, 0x82, 4] + Array("test".utf8))

    static let cases: [Case] = purposes + usages + roles + policies + unknown + others

    private static let purposes: [Case] = [
        Case(
            testDescription: "any purpose beside the server's", leaf: { $0.purposes = [.server, .any] },
            strict: .wrongPurpose, lenient: nil, habit: { $0.purposes = .named }),
        Case(
            testDescription: "any purpose beside the server's, where any counts",
            leaf: { $0.purposes = [.server, .any] }, strict: .wrongPurpose, lenient: nil,
            habit: { $0.purposes = .any }),
        Case(
            testDescription: "any purpose alone", leaf: { $0.purposes = [.any] }, strict: .wrongPurpose, lenient: nil,
            habit: { $0.purposes = .any }),
        Case(
            testDescription: "any purpose alone is not the server's", leaf: { $0.purposes = [.any] },
            strict: .wrongPurpose, lenient: .wrongPurpose, habit: { $0.purposes = .named }),
        Case(
            testDescription: "another purpose is none", leaf: { $0.purposes = [.client] }, strict: .wrongPurpose,
            lenient: .wrongPurpose, habit: { $0.purposes = .any }),
        Case(
            testDescription: "an anchor's purposes", root: { $0.purposes = [.client] }, strict: .wrongPurpose,
            lenient: nil, habit: { $0.purposePlaces = .belowAnchor }),
        Case(
            testDescription: "an intermediate's purposes below the anchor", middle: { $0.purposes = [.client] },
            strict: .wrongPurpose, lenient: .wrongPurpose, habit: { $0.purposePlaces = .belowAnchor }),
        Case(
            testDescription: "an intermediate's purposes", middle: { $0.purposes = [.client] }, strict: .wrongPurpose,
            lenient: nil, habit: { $0.purposePlaces = .leaf }),
        Case(
            testDescription: "a leaf's purposes", leaf: { $0.purposes = [.client] }, strict: .wrongPurpose,
            lenient: .wrongPurpose, habit: { $0.purposePlaces = .leaf }),
    ]

    private static let usages: [Case] = [
        Case(
            testDescription: "a key that receives keys", leaf: { $0.keyUsage = .keyEncipherment },
            strict: .wrongPurpose, lenient: nil, habit: { $0.leafUsage = .server }),
        Case(
            testDescription: "a key that agrees on keys",
            leaf: { $0.extensions.append(ext([2, 5, 29, 15], critical: true, [3, 2, 3, 8])) }, strict: .wrongPurpose,
            lenient: nil, habit: { $0.leafUsage = .server }),
        Case(
            testDescription: "a key that signs lists", leaf: { $0.keyUsage = .crlSigning }, strict: .wrongPurpose,
            lenient: .wrongPurpose, habit: { $0.leafUsage = .server }),
        Case(
            testDescription: "a key that signs lists, where any usage does", leaf: { $0.keyUsage = .crlSigning },
            strict: .wrongPurpose, lenient: nil, habit: { $0.leafUsage = .any }),
        Case(
            testDescription: "a usage that can't be read", leaf: { $0.extensions.append(strangeUsage) },
            strict: .malformed, lenient: nil, habit: { $0.leafUsage = .any }),
        Case(
            testDescription: "an issuer's usage that can't be read", middle: { $0.extensions.append(strangeUsage) },
            strict: .malformed, lenient: .malformed, habit: { $0.leafUsage = .any }),
    ]

    private static let roles: [Case] = [
        Case(
            testDescription: "a leaf that is an authority", leaf: { $0.role = .authority(pathLength: nil) },
            strict: .wrongPurpose, lenient: nil, habit: { $0.judgesRoles = false }),
        Case(
            testDescription: "a leaf that may sign certificates",
            leaf: { $0.keyUsage = [.digitalSignature, .certificateSigning] }, strict: .constraintViolated,
            lenient: nil, habit: { $0.judgesRoles = false }),
        Case(
            testDescription: "a leaf that constrains names", leaf: { $0.permittedNames = ["test"] },
            strict: .constraintViolated, lenient: nil, habit: { $0.judgesRoles = false }),
        Case(
            testDescription: "a leaf's constraints that can't be read",
            leaf: { $0.extensions.append(strangeConstraints) }, strict: .malformed, lenient: nil,
            habit: { $0.judgesRoles = false }),
        Case(
            testDescription: "an issuer's constraints that can't be read",
            middle: { $0.extensions.append(strangeConstraints) }, strict: .malformed, lenient: .malformed,
            habit: { $0.judgesRoles = false }),
        Case(
            testDescription: "an issuer that is not an authority", middle: { $0.role = .leaf },
            strict: .constraintViolated,
            lenient: .constraintViolated, habit: { $0.judgesRoles = false }),
    ]

    private static let policies: [Case] = [
        Case(
            testDescription: "a policy that is asked for and missing",
            middle: { $0.extensions.append(explicitPolicy) }, strict: .constraintViolated, lenient: nil,
            habit: { $0.judgesPolicies = false }),
        Case(
            testDescription: "policies that can't be read", leaf: { $0.extensions.append(strangePolicies) },
            strict: .malformed, lenient: nil, habit: { $0.judgesPolicies = false }),
    ]

    private static let unknown: [Case] = [
        Case(
            testDescription: "name constraints", middle: { $0.extensions.append(permitted) }, strict: nil,
            lenient: .constraintViolated, habit: { $0.unknownExtensions = [.nameConstraints] }),
        Case(
            testDescription: "name constraints that are not critical",
            middle: { $0.extensions.append(ext([2, 5, 29, 30], permitted.value)) }, strict: nil, lenient: nil,
            habit: { $0.unknownExtensions = [.nameConstraints] }),
        Case(
            testDescription: "the end of anyPolicy", middle: { $0.extensions.append(noAnyPolicy) }, strict: nil,
            lenient: .constraintViolated, habit: { $0.unknownExtensions = [.inhibitAnyPolicy] }),
        Case(
            testDescription: "another one than is not known", middle: { $0.extensions.append(noAnyPolicy) },
            strict: nil, lenient: nil, habit: { $0.unknownExtensions = [.policyMappings, .tlsFeatures] }),
        Case(
            testDescription: "policy mappings", middle: { $0.extensions.append(mapping) }, strict: nil,
            lenient: .constraintViolated, habit: { $0.unknownExtensions = [.policyMappings] }),
        Case(
            testDescription: "policy constraints",
            middle: { $0.extensions.append(ext([2, 5, 29, 36], critical: true, [0x30, 3, 0x81, 1, 0])) }, strict: nil,
            lenient: .constraintViolated, habit: { $0.unknownExtensions = [.policyConstraints] }),
        Case(
            testDescription: "TLS features", leaf: { $0.extensions.append(features) }, strict: nil,
            lenient: .constraintViolated, habit: { $0.unknownExtensions = [.tlsFeatures] }),
    ]

    private static let others: [Case] = [
        Case(
            testDescription: "an address", name: "127.0.0.1",
            leaf: { $0.addresses = [try #require(IPAddress("127.0.0.1"))] },
            strict: nil, lenient: .hostnameMismatch, habit: { $0.acceptsAddresses = false }),
        Case(
            testDescription: "a DNS name beside an address",
            leaf: { $0.addresses = [try #require(IPAddress("127.0.0.1"))] },
            strict: nil, lenient: nil, habit: { $0.acceptsAddresses = false }),
        Case(
            testDescription: "an anchor's extension that can't be read", root: { $0.extensions.append(strangeNames) },
            strict: .malformed, lenient: nil, habit: { $0.readsAnchors = false }),
        Case(
            testDescription: "an intermediate's extension that can't be read",
            middle: { $0.extensions.append(strangeNames) }, strict: .malformed, lenient: .malformed,
            habit: { $0.readsAnchors = false }),
        Case(
            testDescription: "another key identifier than the issuer's",
            leaf: { $0.extensions.append(ext([2, 5, 29, 35], [0x30, 4, 0x80, 2, 1, 2])) },
            middle: { $0.extensions.append(ext([2, 5, 29, 14], [4, 2, 3, 4])) }, strict: nil, lenient: .unknownIssuer,
            habit: { $0.requiresKeyIdentifiers = true }),
        Case(
            testDescription: "a key identifier where the issuer has none",
            leaf: { $0.extensions.append(ext([2, 5, 29, 35], [0x30, 4, 0x80, 2, 1, 2])) },
            middle: { $0.omittedExtensions.append([2, 5, 29, 14]) }, strict: nil, lenient: nil,
            habit: { $0.requiresKeyIdentifiers = true }),
    ]

    private static let pki = TestChain.pki

    @Test(arguments: cases) func theHabitDecides(_ one: Case) async throws {
        let root = try LabCertificateRecipe.root.changed(one.root)
        let middle = try LabCertificateRecipe.middle.changed(one.middle)
        let leaf = try LabCertificateRecipe.leaf("lenient").changed(one.leaf)
        let chain = [try Self.pki.issue(leaf, by: middle), try Self.pki.issue(middle, by: root)]
        let anchors = TrustAnchors(name: "test", certificates: [try Self.pki.issue(root, by: root)])
        let question = TrustQuestion(
            chain: chain, anchors: anchors, name: try ServerName(one.name), instant: Self.pki.epoch)
        var habits = VerifierHabits()
        let strict = await TestChain.verifier.evaluate(question, habits: habits)
        #expect(strict.cause == one.strict, "without the habit: \(strict.problems)")
        one.habit(&habits)
        let lenient = await TestChain.verifier.evaluate(question, habits: habits)
        #expect(lenient.cause == one.lenient, "with the habit: \(lenient.problems)")
    }
}
