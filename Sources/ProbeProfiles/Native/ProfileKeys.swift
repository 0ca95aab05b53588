/// Every key of the native format; the published schema lists the same.
enum ProfileKeys {
    static let demands = ["anchors", "trust", "minTLS", "alpn", "policies", "serverDate", "expiresWithin"]
    static let profile =
        [
            "profile", "name", "unlistedHost", "pins", "hosts", "services", "environments", "models", "signers",
            "digests",
        ]
        + demands
    static let environment = ["pinning", "services"] + demands
    static let hostRule = ["host", "match", "includeSubdomains", "pins"]
    static let service =
        ["url", "sni", "connect", "alternates", "pins", "shareWith", "certificates", "emulate"] + demands
    static let pinSet = ["anyOf", "position", "chain", "window", "expires", "afterExpiry", "enforce"]
    static let pin = ["pin", "backup", "expires", "note"]
    static let window = ["from", "to", "fallback", "maxSkew", "onMissingDate"]
    static let modelRule = [
        "model", "hosts", "servers", "dnssec", "dnssecAnchors", "strings", "absent", "cache", "registry",
    ]
    static let registryRow = ["name", "from", "until", "version"]
    static let signer = [
        "name", "certificate", "commonName", "authorityKeyIdentifier", "subjectKeyIdentifier", "rootSerial",
    ]
}
