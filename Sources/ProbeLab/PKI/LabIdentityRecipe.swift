import ProbeKit

/// An identity as data: its leaf, and the certificates presented after it.
struct LabIdentityRecipe {
    /// The certificate whose key the server proves.
    let leaf: LabCertificateRecipe
    /// The certificates presented after the leaf, in order.
    let presented: [LabAuthority]

    /// Creates a leaf with the CAs above it, without the root, or with the given ones.
    init(_ leaf: LabCertificateRecipe, presenting presented: [LabAuthority]? = nil) {
        self.leaf = leaf
        self.presented = presented ?? leaf.issuer?.pathBelowRoot ?? []
    }
}

extension LabIdentityName {
    /// The number of certificates that ``huge`` presents.
    static let hugeCount = 200

    /// The recipe of this name.
    var recipe: LabIdentityRecipe {
        switch self {
        case .missingIntermediate: LabIdentityRecipe(leaf, presenting: [])
        case .unknownRootPresented: LabIdentityRecipe(leaf, presenting: [.otherIntermediate, .otherRoot])
        case .shuffled: LabIdentityRecipe(leaf, presenting: [.deep(1), .deep(2), .deep(3)])
        case .extraCertificates:
            LabIdentityRecipe(leaf, presenting: [.otherIntermediate, .intermediate, .rsaIntermediate])
        case .unreadableExtra: LabIdentityRecipe(leaf, presenting: [.unreadableKey, .intermediate])
        case .rootIncluded: LabIdentityRecipe(leaf, presenting: [.intermediate, .root])
        case .crossSigned: LabIdentityRecipe(leaf, presenting: [.intermediate, .crossSigned])
        case .crossSignedFirst: LabIdentityRecipe(leaf, presenting: [.crossSigned, .intermediate])
        case .twinIssuers: LabIdentityRecipe(leaf, presenting: [.unmarkedTwin, .markedTwin])
        case .markedTwinFirst: LabIdentityRecipe(leaf, presenting: [.markedTwin, .unmarkedTwin])
        default: LabIdentityRecipe(leaf)
        }
    }

    private var leaf: LabCertificateRecipe {
        switch self {
        case .renewedSameKey:
            .leaf(rawValue) {
                $0.key = LabKeyID(.p256, Self.good.rawValue)
                $0.validity = LabCertificateRecipe.days(-1, 89)
            }
        case .renewedNewKey: .leaf(rawValue) { $0.validity = LabCertificateRecipe.days(-1, 89) }

        case .rsa2048: .leaf(rawValue) { $0.key = LabKeyID(.rsa2048, "leaf") }
        case .rsaKeyExchange: .rsa(rawValue, usage: [.digitalSignature, .keyEncipherment])
        case .rsa4096: .leaf(rawValue) { $0.key = LabKeyID(.rsa4096, "leaf") }
        case .rsa1024: .leaf(rawValue) { $0.key = LabKeyID(.rsa1024, "leaf") }
        case .p384: .leaf(rawValue) { $0.key = LabKeyID(.p384, rawValue) }
        case .ed25519: .leaf(rawValue) { $0.key = LabKeyID(.ed25519, rawValue) }
        case .rsaWithoutNull:
            .leaf(rawValue) {
                $0.key = LabKeyID(.rsa2048, "renewed")
                $0.keyEncoding = .rsaWithoutNull
            }
        case .compressedPoint: .leaf(rawValue) { $0.keyEncoding = .compressedPoint }
        case .pssSignature: .leaf(rawValue, issuer: .rsaIntermediate) { $0.signature = .rsaPSSSHA256 }
        case .sha1Signature: .leaf(rawValue, issuer: .rsaIntermediate) { $0.signature = .rsaSHA1 }
        case .badSignature: .leaf(rawValue) { $0.breaksSignature = true }

        case .expired:
            .leaf(rawValue) {
                $0.validity = LabCertificateRecipe.days(-90, -1)
                // A client shows it too, and is refused for its dates alone.
                $0.purposes = [.server, .client]
            }
        case .notYetValid: .leaf(rawValue) { $0.validity = LabCertificateRecipe.days(1, 90) }
        case .endsNow: .leaf(rawValue) { $0.validity = LabCertificateRecipe.days(-30, 0) }
        case .beginsNow: .leaf(rawValue) { $0.validity = LabCertificateRecipe.days(0, 60) }

        case .lasting399Days: .lasting(399, rawValue)
        case .lasting825Days: .lasting(825, rawValue)
        case .lasting826Days: .lasting(826, rawValue)

        case .second: .named(["second.test"], rawValue)
        case .wrongName: .named(["wrong.test"], rawValue)
        case .nameInIntermediate:
            .leaf(rawValue, issuer: .named) {
                $0.commonName = "wrong.test"
                $0.dnsNames = ["wrong.test"]
            }
        case .wildcard: .named(["*.wild.test"], rawValue)
        case .partialWildcard: .named(["w*.wild.test"], rawValue)
        case .commonNameOnly: .leaf(rawValue) { $0.dnsNames = [] }
        case .constrainedCommonName: .leaf(rawValue, issuer: .permittingOther) { $0.dnsNames = [] }
        case .address:
            .leaf(rawValue) {
                $0.commonName = "ProbeKit Lab Address"
                $0.dnsNames = []
                $0.addresses = [.loopback4, .loopback6]
            }

        case .selfSigned: .leaf(rawValue, issuer: nil)
        case .authorityAsLeaf:
            .rsa(rawValue, usage: [.certificateSigning, .crlSigning]) { $0.role = .authority(pathLength: nil) }
        case .signingAuthorityAsLeaf:
            .leaf(rawValue) {
                $0.role = .authority(pathLength: nil)
                $0.keyUsage = [.digitalSignature, .certificateSigning]
            }
        case .clientPurpose: .leaf(rawValue) { $0.purposes = [.client] }
        case .noPurpose: .leaf(rawValue) { $0.purposes = nil }
        case .emptyPurpose: .leaf(rawValue) { $0.purposes = [] }
        case .anyPurpose: .leaf(rawValue) { $0.purposes = [.any] }
        case .noServerUsage: .rsa(rawValue, usage: .crlSigning)
        case .enciphermentUsage: .rsa(rawValue, usage: .keyEncipherment)
        case .permittedAddress: .leaf(rawValue, issuer: issuer) { $0.addresses = [.loopback4] }
        case .excludedWildcard:
            .leaf(rawValue, issuer: issuer) {
                $0.commonName = "*.wild.test"
                $0.dnsNames = ["*.wild.test"]
            }
        case .mustStaple: .leaf(rawValue) { $0.extensions = [.mustStaple] }
        case .unknownCriticalExtension: .leaf(rawValue) { $0.extensions = [.unknownCritical] }

        case .mappedPolicy: .leaf(rawValue, issuer: issuer) { $0.extensions = [.policies(["2.999.2"])] }
        case .leadingPeriod:
            .leaf(rawValue, issuer: issuer) {
                $0.commonName = "www.good.test"
                $0.dnsNames = ["www.good.test"]
            }
        case .paddedUsage:
            .leaf(rawValue) {
                $0.extensions = [LabExtension(oid: [2, 5, 29, 15], isCritical: true, value: [0x03, 0x02, 0x00, 0x80])]
            }
        case .uniqueIdentifier: .leaf(rawValue) { $0.uniqueIdentifier = [1, 2, 3, 4] }
        case .serverAndAnyPurpose: .leaf(rawValue) { $0.purposes = [.server, .any] }
        case .signingUsage: .leaf(rawValue) { $0.keyUsage = [.digitalSignature, .certificateSigning] }
        case .constrainedLeaf: .leaf(rawValue) { $0.permittedNames = ["good.test"] }
        case .malformedName: .leaf(rawValue, issuer: issuer) { $0.dnsNames = ["good.test", "bad..test"] }
        case .negativeSerial: .leaf(rawValue) { $0.serial = [0x80, 0x00, 0x01] }

        default: .leaf(rawValue, issuer: issuer)
        }
    }

    /// The issuer of identities that differ in nothing else.
    private var issuer: LabAuthority {
        switch self {
        case .unknownIssuer, .unknownRootPresented: .otherIntermediate
        case .expiredIntermediate: .expiredIntermediate
        case .weakIntermediate: .weakIntermediate
        case .clientIntermediate: .clientIntermediate
        case .malformedIntermediate: .malformed
        case .giantIntermediate: .giant
        case .issuerNotAuthority: .notAnAuthority
        case .pathLengthExceeded: .belowPathLengthZero
        case .selfIssued: .selfIssued
        case .excludedName: .excludingGood
        case .notPermittedName: .permittingOther
        case .permittedName: .permittingGood
        case .permittedAddress: .permittingLoopback
        case .excludedWildcard: .excludingWild
        case .criticalPolicies: .withPolicies
        case .mustStapleIssuer: .stapling
        case .twinIssuers, .markedTwinFirst: .markedTwin
        case .requiredPolicy: .requiringPolicy
        case .mappedPolicy: .mappingPolicy
        case .leadingPeriod: .permittingBelowGood
        case .namelessIssuer: .nameless
        case .emptyConstraint: .constrainingNothing
        case .malformedName: .excludingOther
        case .versionOneRoot: .versionOneRoot
        case .silentRoot: .silentRoot
        case .clientRoot: .clientRoot
        case .fourDeep, .shuffled: .deep(3)
        case .huge: .huge(Self.hugeCount - 1)
        default: .intermediate
        }
    }
}

extension LabCertificateRecipe {
    /// Returns a leaf with an RSA key: BoringSSL serves no ECDSA certificate whose key usage lacks digitalSignature.
    fileprivate static func rsa(
        _ label: String, usage: LabKeyUsage, change: (inout LabCertificateRecipe) -> Void = { _ in }
    ) -> LabCertificateRecipe {
        .leaf(label) {
            $0.key = LabKeyID(.rsa2048, "leaf")
            $0.keyUsage = usage
            change(&$0)
        }
    }

    /// Returns a leaf for so many days, 30 of them gone; the last second is the day's last.
    fileprivate static func lasting(_ count: Int, _ label: String) -> LabCertificateRecipe {
        .leaf(label) { $0.validity = -30 * 86_400...(count - 30) * 86_400 - 1 }
    }

    fileprivate static func named(_ names: [String], _ label: String) -> LabCertificateRecipe {
        .leaf(label) {
            $0.commonName = names.first ?? label
            $0.dnsNames = names
        }
    }
}
