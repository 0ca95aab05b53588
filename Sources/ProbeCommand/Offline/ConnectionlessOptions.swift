import ProbeKit

/// Options about a connection or about DNS, neither of which exists if a chain is judged.
enum ConnectionlessOptions {
    /// Rejects these options: a user who gives one expects something to be sent.
    ///
    /// - Throws: ``InputError`` naming the first that was given.
    static func refuse(_ check: CheckOptions, _ cache: CacheOptions) throws(InputError) {
        let (connection, policy, dns) = (check.connection, check.policy, check.dns)
        let given: [(option: String, isGiven: Bool)] = [
            ("--connect", connection.connect != nil), ("--timeout", connection.timeout != nil),
            ("--server-date", policy.serverDate != nil),
            ("--min-tls", policy.minTLS != nil), ("--alpn", !policy.alpn.isEmpty),
            ("--model", dns.model != nil), ("--model-host", !check.modelHost.isEmpty),
            ("--resolver", check.backends.resolver != ["all"]),
            ("--dns-server", !dns.dnsServer.isEmpty), ("--dns-connect", dns.dnsConnect != nil),
            ("--dns-ca", dns.dnsCa != nil), ("--dnssec", dns.dnssec != nil),
            ("--dnssec-anchor", !dns.dnssecAnchor.isEmpty),
            ("--edns-size", dns.ednsSize != nil),
            ("--txt-strings", dns.txtStrings != nil),
            ("--cache", cache.cache != nil), ("--cache-lifetime", cache.cacheLifetime != nil),
            ("--no-cache", cache.noCache),
        ]
        guard let first = given.first(where: \.isGiven) else { return }
        throw InputError(
            "\(first.option) and --chain are given, and with --chain no connection is made and DNS is not asked",
            remedy: "leave \(first.option) out, or --chain")
    }
}
