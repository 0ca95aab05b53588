import ArgumentParser
import ProbeKit
import ProbeTrust

/// Certificates to judge in place of a connection.
struct SuppliedChainOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Judge this PEM or DER file, the leaf first, as what HOST presents, and make no connection; repeat it.",
            discussion: """
                HOST= may be left out where one target is named, or where no target is named and the leaf names one host.
                """, valueName: "[host=]file"))
    var chain: [String] = []

    /// Returns the targets that the files name, if the command line names none.
    func targets() throws(InputError) -> [String] {
        var targets: [String] = []
        for text in chain {
            let argument = try ChainArgument(text)
            var subject = argument.subject
            if subject == nil {
                let hosts = try argument.hostsOfLeaf()
                guard hosts.count == 1 else { throw try argument.unclear() }
                subject = hosts.first.map(Self.text)
            }
            if let subject, !targets.contains(subject) { targets.append(subject) }
        }
        return targets
    }

    /// Returns the chain of each target.
    ///
    /// - Throws: ``InputError`` if a target has none or several, or a file is for no target.
    func chains(for targets: [Target]) throws(InputError) -> [[[UInt8]]] {
        var chains: [[[UInt8]]?] = targets.map { _ in nil }
        let hosts = Set(targets.map(\.name))
        for text in chain {
            let argument = try ChainArgument(text)
            let certificates = try argument.certificates()
            var isUsed = false
            for (index, target) in targets.enumerated() where try Self.isFor(target, argument, hosts: hosts) {
                guard chains[index] == nil else {
                    throw InputError("two --chain are for \(target)", remedy: "give one for each host")
                }
                chains[index] = certificates
                isUsed = true
            }
            guard isUsed else {
                guard let subject = argument.subject else { throw try argument.unclear() }
                throw InputError(
                    "--chain \(text) is for \(subject), which is not a target",
                    remedy: "name \(subject) as a target too, or leave the file out")
            }
        }
        var found: [[[UInt8]]] = []
        for (target, chain) in zip(targets, chains) {
            guard let chain else {
                throw InputError(
                    "no --chain is for \(target)", remedy: "write --chain \(Self.text(target.name))=FILE")
            }
            found.append(chain)
        }
        return found
    }

    /// Files without a subject are for the only host, else for the one that their leaf names.
    private static func isFor(
        _ target: Target, _ argument: ChainArgument, hosts: Set<ServerName>
    ) throws(InputError) -> Bool {
        guard let subject = argument.subject else {
            guard hosts.count > 1 else { return true }
            let named = try argument.leaf().map { leaf in hosts.filter(leaf.names) } ?? []
            guard named.count == 1 else { throw try argument.unclear() }
            return named.contains(target.name)
        }
        let read = try Target(subject)
        return read.name == target.name && (read.port == target.port || !hasPort(subject))
    }

    private static func hasPort(_ subject: String) -> Bool {
        // Port 0 is invalid, so 0 means that no port was given.
        (try? Endpoint(subject, defaultPort: 0)).map { $0.port != 0 } ?? true
    }

    /// Returns a host as a target is written.
    private static func text(_ host: ServerName) -> String {
        if case .ip = host, host.description.contains(":") { return "[\(host)]" }
        return host.description
    }
}

/// Options about a connection or about DNS, neither of which exists if a chain is judged.
enum ConnectionlessOptions {
    /// Rejects these options: a user who gives one expects something to be sent.
    ///
    /// - Throws: ``InputError`` naming the first that was given.
    static func refuse(_ check: CheckOptions, _ cache: CacheOptions?) throws(InputError) {
        let (connection, policy, dns) = (check.connection, check.policy, check.dns)
        let given: [(option: String, isGiven: Bool)] = [
            ("--connect", connection.connect != nil), ("--starttls", check.reach.startTLS != nil),
            ("--client-cert", check.reach.clientCert != nil), ("--client-key", check.reach.clientKey != nil),
            ("--client-passphrase", check.reach.clientPassphrase != nil),
            ("--proxy", check.reach.proxy.proxy != nil),
            ("--proxy-credentials", check.reach.proxy.proxyCredentials != nil),
            ("--proxy-ca", check.reach.proxy.proxyCA != nil), ("--timeout", connection.timeout != nil),
            ("--all-addresses", check.reach.addresses.allAddresses), ("--family", check.reach.addresses.family != nil),
            ("--follow", check.reach.addresses.follow), ("--dane", check.dane),
            ("--server-date", policy.serverDate != nil),
            ("--min-tls", policy.minTLS != nil), ("--alpn", !policy.alpn.isEmpty),
            ("--model", dns.model != nil), ("--model-host", !check.modelHost.isEmpty),
            ("--resolver", check.backends.resolver != ["all"]),
            ("--dns-server", !dns.dnsServer.isEmpty), ("--dns-connect", dns.dnsConnect != nil),
            ("--dns-ca", dns.dnsCa != nil), ("--dns-pin", !dns.dnsPin.isEmpty), ("--dnssec", dns.dnssec != nil),
            ("--dnssec-anchor", !dns.dnssecAnchor.isEmpty),
            ("--edns-size", dns.ednsSize != nil),
            ("--txt-strings", dns.txtStrings != nil),
            ("--cache", cache?.cache != nil), ("--cache-lifetime", cache?.cacheLifetime != nil),
            ("--no-cache", cache?.noCache ?? false),
        ]
        guard let first = given.first(where: \.isGiven) else { return }
        throw InputError(
            "\(first.option) and --chain are given, and with --chain no connection is made and DNS is not asked",
            remedy: "leave \(first.option) out, or --chain")
    }
}
