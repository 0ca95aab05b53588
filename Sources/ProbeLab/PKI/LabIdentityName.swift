/// The identities that a lab server can present, by name.
///
/// Unless noted, the leaf is for `good.test` and `www.good.test`, has a P-256 key of its own, is valid at the epoch,
/// and is presented with the intermediates up to, but without, the root.
public enum LabIdentityName: String, Hashable, Sendable, CaseIterable {
    /// It has no faults.
    case good
    /// The good certificate renewed with the same key (requirement 6).
    case renewedSameKey = "renewed-same-key"
    /// The good certificate renewed with a new key.
    case renewedNewKey = "renewed-new-key"
    /// For `second.test`, to be chosen by SNI.
    case second

    /// An RSA-2048 leaf.
    case rsa2048 = "rsa-2048"
    /// An RSA-2048 leaf whose key may also receive premaster secrets, as RSA key exchange needs.
    case rsaKeyExchange = "rsa-key-exchange"
    /// An RSA-4096 leaf.
    case rsa4096 = "rsa-4096"
    /// A P-384 leaf.
    case p384 = "p-384"
    /// An Ed25519 leaf.
    case ed25519
    /// An RSA-2048 leaf whose AlgorithmIdentifier lacks its NULL. BoringSSL can't read it, so ``LabServer`` can't serve it.
    case rsaWithoutNull = "rsa-without-null"
    /// A P-256 leaf whose point is compressed.
    case compressedPoint = "compressed-point"
    /// Signed by the RSA intermediate with RSASSA-PSS.
    case pssSignature = "pss-signature"

    /// Expired a day before the epoch.
    case expired
    /// Valid from a day after the epoch.
    case notYetValid = "not-yet-valid"
    /// The epoch is its last second.
    case endsNow = "ends-now"
    /// The epoch is its first second.
    case beginsNow = "begins-now"
    /// Valid for 399 days to the second, both ends counting.
    case lasting399Days = "lasting-399-days"
    /// The same for 825 days.
    case lasting825Days = "lasting-825-days"
    /// The same for 826 days.
    case lasting826Days = "lasting-826-days"
    /// The leaf is valid, its issuer has expired.
    case expiredIntermediate = "expired-intermediate"

    /// For `wrong.test`.
    case wrongName = "wrong-name"
    /// For `wrong.test`, below a CA that has the DNS name `good.test`.
    case nameInIntermediate = "name-in-intermediate"
    /// No subjectAltName; the common name is `good.test`.
    case commonNameOnly = "common-name-only"
    /// The same, below a CA that permits another name only.
    case constrainedCommonName = "constrained-common-name"
    /// For `*.wild.test`.
    case wildcard
    /// For `w*.wild.test`, which RFC 9525 section 6.3 forbids.
    case partialWildcard = "partial-wildcard"
    /// For the addresses 127.0.0.1 and ::1 and no name.
    case address

    /// Issued below an untrusted root.
    case unknownIssuer = "unknown-issuer"
    /// The same, and the untrusted root is presented too.
    case unknownRootPresented = "unknown-root-presented"
    /// The leaf is its own issuer.
    case selfSigned = "self-signed"
    /// The leaf alone.
    case missingIntermediate = "missing-intermediate"
    /// A leaf below three intermediates, presented in order: the third intermediate is at index 3.
    case fourDeep = "four-deep"
    /// The same with its intermediates in reverse order.
    case shuffled
    /// Unrelated certificates before and after the intermediate.
    case extraCertificates = "extra-certificates"
    /// The root is presented too.
    case rootIncluded = "root-included"
    /// The intermediate comes twice: certified by the known root first, by the unknown one second.
    case crossSigned = "cross-signed"
    /// The same in the other order, which OpenSSL does not find a path through.
    case crossSignedFirst = "cross-signed-first"
    /// An issuer of two roots comes twice: with the known root's signature first, and second with the other root's and the
    /// key identifier that the leaf names. Where both roots are trusted, stacks take different paths.
    case twinIssuers = "twin-issuers"
    /// The same in the other order: every stack takes the path to the other root, if that is trusted.
    case markedTwinFirst = "marked-twin-first"
    /// A certificate with a key that no stack can read comes before the intermediate.
    case unreadableExtra = "unreadable-extra"
    /// Issued below an intermediate whose name constraints can't be read.
    case malformedIntermediate = "malformed-intermediate"
    /// Issued below an intermediate with an RSA key of 8200 bits.
    case giantIntermediate = "giant-intermediate"
    /// 200 certificates, each issued by the next.
    case huge

    /// Its extended key usage is for clients only.
    case clientPurpose = "client-purpose"
    /// No extended key usage at all.
    case noPurpose = "no-purpose"
    /// An extended key usage without a purpose in it.
    case emptyPurpose = "empty-purpose"
    /// Only anyExtendedKeyUsage.
    case anyPurpose = "any-purpose"
    /// The leaf is for servers, its issuer for clients only.
    case clientIntermediate = "client-intermediate"
    /// Its key usage allows nothing a TLS server does.
    case noServerUsage = "no-server-usage"
    /// Its key usage allows key encipherment and no signature.
    case enciphermentUsage = "encipherment-usage"
    /// The leaf is a CA with a CA's key usage.
    case authorityAsLeaf = "authority-as-leaf"
    /// The leaf is a CA whose key usage allows handshakes too.
    case signingAuthorityAsLeaf = "signing-authority-as-leaf"
    /// Its issuer is not a CA.
    case issuerNotAuthority = "issuer-not-authority"
    /// Issued below one more CA than a path length of zero permits.
    case pathLengthExceeded = "path-length-exceeded"
    /// A self-issued CA below path length zero, which does not count.
    case selfIssued = "self-issued"
    /// Its name is in an excluded subtree.
    case excludedName = "excluded-name"
    /// Its name is outside the permitted subtree.
    case notPermittedName = "not-permitted-name"
    /// Its name is inside the permitted subtree.
    case permittedName = "permitted-name"
    /// It has an unknown critical extension.
    case unknownCriticalExtension = "unknown-critical-extension"

    /// Its address 127.0.0.1 is in the permitted range; its name is under no constraint.
    case permittedAddress = "permitted-address"
    /// It is for `*.wild.test`, of which `www.wild.test` is in an excluded subtree.
    case excludedWildcard = "excluded-wildcard"
    /// Its issuer has critical certificate policies.
    case criticalPolicies = "critical-policies"
    /// It demands a stapled OCSP response (RFC 7633).
    case mustStaple = "must-staple"
    /// Its issuer does.
    case mustStapleIssuer = "must-staple-issuer"

    /// Its issuer requires a policy, and it has none.
    case requiredPolicy = "required-policy"
    /// Its issuer requires a policy, and maps its own to the one that it has.
    case mappedPolicy = "mapped-policy"
    /// Its name is below a permitted subtree that was written with a leading period.
    case leadingPeriod = "leading-period"
    /// Its key usage has zero bits at its end.
    case paddedUsage = "padded-usage"
    /// Its subject has a unique identifier.
    case uniqueIdentifier = "unique-identifier"
    /// It is for servers and for any purpose.
    case serverAndAnyPurpose = "server-and-any-purpose"
    /// Its key usage allows signing certificates, and it is not a CA.
    case signingUsage = "signing-usage"
    /// It has name constraints, and is not a CA.
    case constrainedLeaf = "constrained-leaf"
    /// Its issuer has an empty subject.
    case namelessIssuer = "nameless-issuer"
    /// Its issuer has name constraints without a subtree.
    case emptyConstraint = "empty-constraint"
    /// One of its names is malformed, and its issuer has constraints on names.
    case malformedName = "malformed-name"
    /// Its serial number is negative.
    case negativeSerial = "negative-serial"
    /// Its issuer is a root of version 1.
    case versionOneRoot = "version-one-root"
    /// Its issuer is a root without basic constraints.
    case silentRoot = "silent-root"
    /// Its issuer is a root for client certificates.
    case clientRoot = "client-root"

    /// One bit of its signature is flipped.
    case badSignature = "bad-signature"
    /// It is signed with SHA-1.
    case sha1Signature = "sha1-signature"
    /// Its key is RSA-1024.
    case rsa1024 = "rsa-1024"
    /// Its issuer's key is RSA-1024.
    case weakIntermediate = "weak-intermediate"
}
