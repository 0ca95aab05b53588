import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ProbeTrust
import Subprocess
import Testing

/// Certificate policies of generated chains, as the reference verifier, BoringSSL and `openssl verify -policy_check` judge
/// them.
@Suite(.bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct PolicyAgreementTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    private static let policies = ["2.999.1", "2.999.2", "2.999.3"]
    private static let any = "2.5.29.32.0"

    /// A chain without its root, and the question about it.
    private struct Example {
        let chain: [[UInt8]]
        let inputs: TrustQuestion.PolicyInputs
        let arguments: [String]
        /// OpenSSL maps an anyPolicy that is inhibited, as if its issuer had listed the policy; RFC 5280 section 6.1.4 (b)
        /// and BoringSSL don't.
        let mapsInhibitedAny: Bool

        init(_ random: inout SplitMix) throws {
            var recipes: [LabCertificateRecipe] = [.authority("Agreement Root", issuer: nil)]
            for level in 0..<Int.random(in: 0...4, using: &random) {
                // Some authorities are issued by themselves, with a new key.
                let isSelfIssued = level > 0 && Int.random(in: 0..<5, using: &random) == 0
                let name = isSelfIssued ? recipes[level].commonName : "Agreement \(level)"
                recipes.append(
                    .authority(name, issuer: nil) {
                        $0.key = LabKeyID(.p256, "agreement \(level)")
                        $0.extensions = Self.extensions(isLeaf: false, &random)
                    })
            }
            recipes.append(.leaf("agreement") { $0.extensions = Self.extensions(isLeaf: true, &random) })
            chain = try recipes.indices.dropFirst().reversed().map { try pki.issue(recipes[$0], by: recipes[$0 - 1]) }

            let acceptable: [String]? =
                Int.random(in: 0..<3, using: &random) == 0 ? [policies.randomElement(using: &random) ?? any] : nil
            inputs = TrustQuestion.PolicyInputs(
                acceptable: acceptable.map { Set($0.compactMap { PolicyIdentifier($0) }) },
                requiresExplicitPolicy: Bool.random(using: &random),
                inhibitsAnyPolicy: Int.random(in: 0..<4, using: &random) == 0,
                inhibitsMapping: Int.random(in: 0..<4, using: &random) == 0)
            arguments  // Without a policy nothing is acceptable to the program.
            =
                ["-policy_check"] + (acceptable ?? [any]).flatMap { ["-policy", $0] }
                + (inputs.requiresExplicitPolicy ? ["-explicit_policy"] : [])
                + (inputs.inhibitsAnyPolicy ? ["-inhibit_any"] : []) + (inputs.inhibitsMapping ? ["-inhibit_map"] : [])
            let extensions = recipes.map { Set($0.extensions.map(\.oid)) }
            mapsInhibitedAny =
                (inputs.inhibitsAnyPolicy || extensions.contains { $0.contains([2, 5, 29, 54]) })
                && recipes.contains { recipe in
                    recipe.extensions.contains { $0.oid == [2, 5, 29, 33] }
                        && recipe.extensions.contains {
                            $0.oid == [2, 5, 29, 32]
                                && $0.value.firstRange(of: [0x06, 0x04, 0x55, 0x1d, 0x20, 0x00]) != nil
                        }
                }
        }

        private static func extensions(isLeaf: Bool, _ random: inout SplitMix) -> [LabExtension] {
            var extensions: [LabExtension] = []
            if Int.random(in: 0..<12, using: &random) > 0 {
                let chosen = (policies + [any]).filter { _ in Int.random(in: 0..<5, using: &random) < 3 }
                extensions.append(.policies(chosen.isEmpty ? [policies[0]] : chosen))
            }
            if !isLeaf, Bool.random(using: &random) {
                let pairs = policies.flatMap { from in policies.map { (from, $0) } }
                let chosen = pairs.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
                if !chosen.isEmpty { extensions.append(.mappings(chosen)) }
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                let require = Bool.random(using: &random) ? UInt8.random(in: 0...3, using: &random) : nil
                let inhibit =
                    require == nil || Bool.random(using: &random) ? UInt8.random(in: 0...2, using: &random) : nil
                extensions.append(.policyConstraints(require: require, inhibitMapping: inhibit))
            }
            if Int.random(in: 0..<5, using: &random) == 0 {
                extensions.append(.inhibitAny(UInt8.random(in: 0...2, using: &random)))
            }
            return extensions
        }
    }

    /// Every one of 300 chains is judged alike, and there are many of either kind.
    @Test func generatedChainsAreJudgedAlike() async throws {
        var random = SplitMix(state: 0x5280)
        let root = try Self.pki.issue(.authority("Agreement Root", issuer: nil))
        let anchors = TrustAnchors(name: "agreement", certificates: [root])
        let stacks = try BackendsUnderTest.transports.map { try $0.get() }.filter {
            ["openssl", "nio"].contains($0.identity.name)
        }
        let reference = ReferenceVerifier()
        let folder = try PartnerFolder()
        let rootFile = try folder.write(Self.pem([root]), to: "root.pem")
        var (accepted, compared) = (0, 0)
        for number in 0..<300 {
            let example = try Example(&random)
            let question = TrustQuestion(
                chain: example.chain, anchors: anchors, name: nil, instant: Self.pki.epoch, purpose: .any,
                policies: example.inputs)
            let reading = await reference.evaluate(question)
            let leaf = try folder.write(Self.pem([example.chain[0]]), to: "leaf.pem")
            let others = try folder.write(Self.pem(Array(example.chain.dropFirst())) + "\n", to: "others.pem")
            let printed = try await Self.openssl(
                ["verify", "-attime", "\(Int(Self.pki.epoch.timeIntervalSince1970))", "-CAfile", rootFile]
                    + example.arguments + (example.chain.count > 1 ? ["-untrusted", others] : []) + [leaf])
            let isVerified = printed.contains("leaf.pem: OK")
            if !example.mapsInhibitedAny { compared += 1 }
            #expect(
                reading.isAccepted == isVerified || example.mapsInhibitedAny,
                "chain \(number) \(example.arguments): \(reading.problems.map(\.message)), \(printed)")
            for stack in stacks {
                // Without inputs OpenSSL checks no policy, like its ordinary client.
                if stack.identity.name == "openssl", example.mapsInhibitedAny || example.inputs.isDefault { continue }
                let native = await stack.evaluateTrust(question)
                #expect(
                    native.isAccepted == reading.isAccepted,
                    "chain \(number) by \(stack.identity.name) \(example.arguments): \(native.problems.map(\.message))")
            }
            if reading.isAccepted { accepted += 1 }
        }
        #expect((50...250).contains(accepted), "\(accepted) of 300 were accepted")
        #expect(compared >= 200, "\(compared) of 300 were compared with openssl")
    }

    /// Revocation lists that cover the whole path, as the reference and `openssl verify -crl_check_all` judge by them.
    @Test func listsAreJudgedAlike() async throws {
        let noise: [UInt8] = [0x11, 0x22]
        let leaf = try LabPKI.serial(of: Self.pki.identity(.good).leaf)
        let issuer = try LabPKI.serial(of: Self.pki.certificate(of: .intermediate))
        let reason = LabExtension(oid: [2, 5, 29, 21], isCritical: false, value: [0x0a, 0x01, 0x01])
        let leafLists: [(String, LabRevocationList, Bool)] = [
            ("empty", LabRevocationList(), true), ("current", LabRevocationList([noise]), true),
            ("revoked", LabRevocationList([noise, leaf]), false),
            ("revoked for a reason", LabRevocationList([leaf]) { $0.entryExtensions = [reason] }, false),
            ("expired", LabRevocationList { $0.updates = -7200 ... -1 }, false),
            ("from the future", LabRevocationList { $0.updates = 1...7200 }, false),
            ("changed", LabRevocationList { $0.breaksSignature = true }, false),
            ("of another key", LabRevocationList { $0.signer = LabKeyID(.p256, "somebody") }, false),
            ("unknown extension", LabRevocationList { $0.extensions = [.unknownCritical] }, false),
            ("unknown entry", LabRevocationList([noise]) { $0.entryExtensions = [.unknownCritical] }, false),
            (
                "of leaves",
                LabRevocationList([noise]) { $0.extensions = [LabRevocationList.scope(LabRevocationList.onlyUsers)] },
                true
            ),
            (
                "of leaves, revoked",
                LabRevocationList([leaf]) { $0.extensions = [LabRevocationList.scope(LabRevocationList.onlyUsers)] },
                false
            ),
            (
                "some reasons",
                LabRevocationList { $0.extensions = [LabRevocationList.scope(LabRevocationList.someReasons)] }, false
            ),
            ("version 1", LabRevocationList([noise]) { $0.isVersionOne = true }, true),
        ]
        let folder = try PartnerFolder()
        let identity = try Self.pki.identity(.good)
        let leafFile = try folder.write(Self.pem([identity.leaf]), to: "leaf.pem")
        let issuerFile = try folder.write(Self.pem(Array(identity.chain.dropFirst())), to: "issuer.pem")
        let rootFile = try folder.write(Self.pki.rootPEM(), to: "root.pem")
        for isIssuerRevoked in [false, true] {
            let rootList = try Self.pki.encode(LabRevocationList(isIssuerRevoked ? [issuer] : []), issuer: .root)
            for (name, list, isGood) in leafLists {
                let lists = [try Self.pki.encode(list), rootList]
                let reading = await ReferenceVerifier().evaluate(
                    TrustQuestion(
                        chain: identity.chain, anchors: try Self.pki.anchors().with(revocationLists: lists), name: nil,
                        instant: Self.pki.epoch))
                let files = try lists.enumerated().map { try folder.write($1, to: "list\($0).crl") }
                let printed = try await Self.openssl(
                    ["verify", "-attime", "\(Int(Self.pki.epoch.timeIntervalSince1970))", "-CAfile", rootFile]
                        + ["-crl_check_all"] + files.flatMap { ["-CRLfile", $0] } + [
                            "-untrusted", issuerFile, leafFile,
                        ])
                #expect(
                    printed.contains("leaf.pem: OK") == reading.isAccepted,
                    "\(name): \(reading.problems.map(\.message)), \(printed)")
                #expect(reading.isAccepted == (isGood && !isIssuerRevoked), "\(name): \(reading.problems)")
            }
        }
    }

    private static func pem(_ certificates: [[UInt8]]) -> String {
        certificates.map(CertificateFile.pem).joined()
    }

    private static func openssl(_ arguments: [String]) async throws -> String {
        try await Subprocess.run(
            .name("openssl"), arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        ).standardOutput
    }
}
