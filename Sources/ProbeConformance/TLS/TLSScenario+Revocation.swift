import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Revocation lists that come with the anchors: certificates that they cover are judged by them, others get a
    /// remark.
    static let revocation: [TLSScenario] = [
        listed("current", "A leaf that its issuer's list does not name passes.", [.init()]) {
            $0.facts = [.says("Lab Intermediate", in: "revocation-not-judged")]
        },
        listed("whole-path", "So does a path that lists cover to the anchor.", [.init(), .init(of: .root)]),
        listed("revoked", "A leaf on its issuer's list is refused.", [.init(revoking: .leaf(.good))], .revoked),
        listed(
            "revoked-intermediate", "So is an intermediate's certificate.",
            [.init(of: .root, revoking: .authority(.intermediate))], .revoked),
        listed(
            "other-certificate", "Another certificate's revocation is not the leaf's.",
            [.init(revoking: .leaf(.second))]),
        listed(
            "other-issuer", "A list of an issuer that has no part in the path says nothing.",
            [.init(of: .otherIntermediate, revoking: .leaf(.good))]
        ) { $0.facts = [.finding("revocation-not-judged")] },
        listed("expired", "A list that has expired is not proof.", [.init { $0.updates = -7200 ... -1 }], .other) {
            $0.deviations = takesLists("it does not look at a list's dates")
        },
        listed("not-yet-current", "Nor is one from the future.", [.init { $0.updates = 1...7200 }], .other) {
            $0.deviations = takesLists("it does not look at a list's dates")
        },
        listed("bad-signature", "Nor one that was changed.", [.init { $0.breaksSignature = true }], .other) {
            $0.deviations = takesLists("it does not check the signature of a list it was given")
        },
        listed(
            "unknown-critical-extension", "Nor one with a critical extension that nobody knows.",
            [.init { $0.extensions = [.unknownCritical] }], .other
        ) {
            $0.deviations = takesLists("it does not look at a list's extensions")
        },
        listed(
            "only-authorities", "A list of authorities says nothing of a leaf.",
            [.init { $0.extensions = [LabRevocationList.scope(LabRevocationList.onlyAuthorities)] }]
        ) { $0.facts = [.finding("revocation-not-judged")] },
        listed(
            "delta", "A delta list alone is refused by name.", [.init { $0.extensions = [LabRevocationList.delta] }],
            .other
        ) {
            $0.deviations = takesLists("it does not look at a list's extensions").merging(usesNone("openssl", "curl")) {
                $1
            }
        },
        listed(
            "indirect", "So is a list of other issuers' certificates.",
            [.init { $0.extensions = [LabRevocationList.scope(LabRevocationList.indirect)] }], .other
        ) {
            $0.deviations = takesLists("it does not look at a list's extensions").merging(
                usesNone("openssl", "curl", "nio")
            ) { $1 }
        },
    ]

    private static func listed(
        _ id: String, _ sentence: String, _ lists: [RevocationListRecipe], _ cause: TrustCause? = nil,
        change: (inout TLSScenario) -> Void = { _ in }
    ) -> TLSScenario {
        TLSScenario(
            "revocation/" + id, sentence, source: "RFC 5280 6.3", .good, cause == nil ? .pass : .trustFailed,
            code: cause?.rawValue
        ).with {
            $0.revocationLists = lists
            $0.needs = [.revocationLists]
            change(&$0)
        }
    }

    private static func takesLists(_ reason: String) -> [String: Deviation] {
        ["gnutls": Deviation(.stacksDisagree, reason)]
    }

    private static func usesNone(_ names: String...) -> [String: Deviation] {
        let reason = "it takes such a list for none, and what no list covers is not judged by one"
        return Dictionary(uniqueKeysWithValues: names.map { ($0, Deviation(.stacksDisagree, reason)) })
    }
}
