/// The CAs of a ``LabPKI``.
public enum LabAuthority: Hashable, Sendable {
    /// The root that ``LabPKI/anchors()`` holds.
    case root
    /// A root that is not trusted.
    case otherRoot
    /// The usual issuer of leaves, below the root.
    case intermediate
    /// An intermediate below the other root.
    case otherIntermediate
    /// The intermediate's name and key, certified by the other root.
    case crossSigned
    /// An intermediate below the root, without a subject key identifier.
    case unmarkedTwin
    /// Its name and key, certified by the other root, with the key identifier that leaves below it name.
    case markedTwin
    /// An intermediate with an RSA-2048 key.
    case rsaIntermediate
    /// An intermediate with an RSA-1024 key.
    case weakIntermediate
    /// An intermediate that has expired.
    case expiredIntermediate
    /// An intermediate for client certificates only.
    case clientIntermediate
    /// A CA that may have no CA below it.
    case pathLengthZero
    /// A CA below ``pathLengthZero``, which forbids that.
    case belowPathLengthZero
    /// ``pathLengthZero`` again with a new key, issued by itself: self-issued certificates do not count towards the path
    /// length (RFC 5280 section 6.1.4 (l)).
    case selfIssued
    /// A certificate that issues others although it is not a CA.
    case notAnAuthority
    /// A CA below which `good.test` is excluded.
    case excludingGood
    /// A CA below which only `other.test` is permitted.
    case permittingOther
    /// A CA below which only `good.test` is permitted.
    case permittingGood
    /// A CA below which addresses have to be in 127.0.0.0/8.
    case permittingLoopback
    /// A CA below which `www.wild.test` is excluded.
    case excludingWild
    /// A CA whose certificate demands staples, of those it issues too (RFC 7633 section 4.2.1).
    case stapling
    /// A CA with critical certificate policies.
    case withPolicies
    /// A CA below which the policy 2.999.1 is required.
    case requiringPolicy
    /// The same, with a mapping to the policy 2.999.2.
    case mappingPolicy
    /// A CA below which only names below `good.test` are permitted, written with a leading period.
    case permittingBelowGood
    /// A CA with an empty subject.
    case nameless
    /// A CA with name constraints that have no subtree.
    case constrainingNothing
    /// A CA below which `other.test` is excluded.
    case excludingOther
    /// A root of version 1.
    case versionOneRoot
    /// A root without basic constraints.
    case silentRoot
    /// A root for client certificates.
    case clientRoot
    /// A CA with the DNS name `good.test`, which does not make it a server's.
    case named
    /// A CA whose key no stack can read; it issues nothing.
    case unreadableKey
    /// A CA whose certificate has name constraints that can't be read.
    case malformed
    /// A CA whose certificate shows an RSA key of 8200 bits, more than anybody should have to compute with.
    case giant
    /// One of three CAs, 1 being issued by the root, 2 by 1 and 3 by 2.
    case deep(Int)
    /// One of many CAs, 1 being issued by the root and each other by the one before.
    case huge(Int)

    /// The CA's certificate as data.
    public var recipe: LabCertificateRecipe {
        switch self {
        case .root: .authority("ProbeKit Lab Root", issuer: nil)
        case .otherRoot: .authority("ProbeKit Lab Other Root", issuer: nil)
        case .intermediate: .authority("ProbeKit Lab Intermediate", issuer: .root, pathLength: 0)
        case .otherIntermediate: .authority("ProbeKit Lab Other Intermediate", issuer: .otherRoot, pathLength: 0)
        case .crossSigned: .authority("ProbeKit Lab Intermediate", issuer: .otherRoot, pathLength: 0)
        case .unmarkedTwin:
            .authority("ProbeKit Lab Twin", issuer: .root, pathLength: 0) {
                $0.omittedExtensions = [LabExtension.subjectKeyIdentifier]
            }
        case .markedTwin: .authority("ProbeKit Lab Twin", issuer: .otherRoot, pathLength: 0)
        case .rsaIntermediate:
            .authority("ProbeKit Lab RSA Intermediate", issuer: .root, pathLength: 0) {
                $0.key = LabKeyID(.rsa2048, "authority")
            }
        case .weakIntermediate:
            .authority("ProbeKit Lab Weak Intermediate", issuer: .root, pathLength: 0) {
                $0.key = LabKeyID(.rsa1024, "leaf")
            }
        case .expiredIntermediate:
            .authority("ProbeKit Lab Expired Intermediate", issuer: .root, pathLength: 0) {
                $0.validity = LabCertificateRecipe.days(-365, -1)
            }
        case .clientIntermediate:
            .authority("ProbeKit Lab Client Intermediate", issuer: .root, pathLength: 0) { $0.purposes = [.client] }
        case .pathLengthZero: .authority("ProbeKit Lab Path Length Zero", issuer: .root, pathLength: 0)
        case .belowPathLengthZero: .authority("ProbeKit Lab Below Path Length Zero", issuer: .pathLengthZero)
        case .selfIssued:
            .authority("ProbeKit Lab Path Length Zero", issuer: .pathLengthZero, pathLength: 0) {
                $0.key = LabKeyID(.p256, "self-issued")
            }
        case .notAnAuthority:
            .authority("ProbeKit Lab Not An Authority", issuer: .root) {
                $0.role = .leaf
                $0.keyUsage = .digitalSignature
            }
        case .excludingGood:
            .authority("ProbeKit Lab Excluding good.test", issuer: .root) { $0.excludedNames = ["good.test"] }
        case .permittingOther:
            .authority("ProbeKit Lab Permitting other.test", issuer: .root) { $0.permittedNames = ["other.test"] }
        case .permittingGood:
            .authority("ProbeKit Lab Permitting good.test", issuer: .root) { $0.permittedNames = ["good.test"] }
        case .permittingLoopback:
            .authority("ProbeKit Lab Permitting 127.0.0.0/8", issuer: .root) { $0.extensions = [.permittingLoopback] }
        case .excludingWild:
            .authority("ProbeKit Lab Excluding www.wild.test", issuer: .root) { $0.excludedNames = ["www.wild.test"] }
        case .stapling: .authority("ProbeKit Lab Stapling", issuer: .root) { $0.extensions = [.mustStaple] }
        case .withPolicies: .authority("ProbeKit Lab Policies", issuer: .root) { $0.extensions = [.criticalPolicies] }
        case .requiringPolicy:
            .authority("ProbeKit Lab Requiring A Policy", issuer: .root) {
                $0.extensions = [.policies(["2.999.1"]), .policyConstraints(require: 0)]
            }
        case .mappingPolicy:
            .authority("ProbeKit Lab Mapping A Policy", issuer: .root) {
                $0.extensions = [
                    .policies(["2.999.1"]), .mappings([("2.999.1", "2.999.2")]), .policyConstraints(require: 0),
                ]
            }
        case .permittingBelowGood:
            .authority("ProbeKit Lab Permitting .good.test", issuer: .root) { $0.permittedNames = [".good.test"] }
        case .nameless:
            .authority("ProbeKit Lab Nameless", issuer: .root) { $0.encodedSubject = [0x30, 0x00] }
        case .constrainingNothing:
            .authority("ProbeKit Lab Constraining Nothing", issuer: .root) {
                $0.extensions = [LabExtension(oid: [2, 5, 29, 30], isCritical: true, value: [0x30, 0x00])]
            }
        case .excludingOther:
            .authority("ProbeKit Lab Excluding other.test", issuer: .root) { $0.excludedNames = ["other.test"] }
        case .versionOneRoot:
            .authority("ProbeKit Lab Version One Root", issuer: nil) { $0.isVersionOne = true }
        case .silentRoot: .authority("ProbeKit Lab Silent Root", issuer: nil) { $0.leavesOutRole = true }
        case .clientRoot: .authority("ProbeKit Lab Client Root", issuer: nil) { $0.purposes = [.client] }
        case .named: .authority("ProbeKit Lab Named", issuer: .root) { $0.dnsNames = ["good.test"] }
        case .unreadableKey:
            .authority("ProbeKit Lab Unreadable Key", issuer: .root) { $0.keyEncoding = .unknownAlgorithm }
        case .malformed:
            .authority("ProbeKit Lab Malformed", issuer: .root) { $0.extensions = [.unreadableConstraints] }
        case .giant:
            .authority("ProbeKit Lab Giant", issuer: .root) {
                $0.key = LabKeyID(.rsa2048, "authority")
                $0.keyEncoding = .giantModulus
            }
        case .deep(let number):
            .authority("ProbeKit Lab Deep \(number)", issuer: number > 1 ? .deep(number - 1) : .root)
        case .huge(let number):
            .authority("ProbeKit Lab Huge \(number)", issuer: number > 1 ? .huge(number - 1) : .root) {
                $0.key = LabKeyID(.p256, "huge")
            }
        }
    }

    /// The CAs from this one up to, but not including, a root.
    var pathBelowRoot: [LabAuthority] {
        var path: [LabAuthority] = []
        var next: LabAuthority? = self
        while let authority = next, let issuer = authority.recipe.issuer {
            path.append(authority)
            next = issuer
        }
        return path
    }
}
