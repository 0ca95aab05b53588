import ArgumentParser
import ProbeKit
import ProbeProfiles
import ProbeRun

/// Certificates to judge in place of a connection.
struct SuppliedChainOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Judge this PEM or DER file, the leaf first, as what HOST presents, and make no connection; repeat it.",
            discussion: """
                HOST= may be left out where one target is named or the leaf names them, or where no target is named and the \
                leaf names one host. With a profile HOST may be a service's label, a host without a port means each of its \
                services, and a file alone is for the hosts that its leaf names, or for the profile's only host.
                """, valueName: "[host=]file"), completion: .file())
    var chain: [String] = []

    /// Returns the targets that the files name, for a command line without targets and without a profile.
    func targets() throws(InputError) -> [String] {
        var targets: [String] = []
        for text in chain {
            let host = try ChainArgument(text).host()
            if !targets.contains(host) { targets.append(host) }
        }
        return targets
    }

    /// Returns the checks beside a profile: of the services that the words of the command line mean, or the files without
    /// any; what means no service is a target. The hosts of a profile without services are taken for some.
    ///
    /// - Parameter held: returns the checks of a target.
    func checks(
        _ words: [String], among services: [Check], of profile: Profile,
        besides held: (Target) throws(InputError) -> [Check]
    ) throws(InputError) -> [Check] {
        var taken: Set<Int> = []
        var checks: [Check] = []
        func take(_ indices: [Int]) -> Bool {
            for index in indices where taken.insert(index).inserted { checks.append(services[index]) }
            return !indices.isEmpty
        }
        // A word is a target, as it is without files: the services there, else those at other ports of its host.
        let unlabelled = services.map { ChainTaker(label: nil, target: $0.target) }
        for word in words {
            let target = try Target(word)
            let there = services.indices.filter { services[$0].target.description == target.description }
            let indices = there.isEmpty ? try ChainTaker.named(word, among: unlabelled) : there
            if !take(indices) { checks += try held(target) }
        }
        guard words.isEmpty else { return checks }
        let takers =
            services.isEmpty
            ? profile.namedHosts.map { ChainTaker(label: nil, target: Target(name: $0)) }
            : services.map { ChainTaker($0) }
        for text in chain {
            let argument = try ChainArgument(text, labels: takers.compactMap(\.label))
            switch try argument.aim(among: takers, rules: profile.hosts) {
            case .takers(let indices) where services.isEmpty:
                for index in indices where taken.insert(index).inserted { checks += try held(takers[index].target) }
            case .takers(let indices): _ = take(indices)
            case .host(let target): checks += try held(target)
            // A host that no rule reaches is judged as the platform judges it.
            case nil: checks += try held(Target(argument.host()))
            }
        }
        let judged = Set(checks.compactMap(\.service))
        let others = try UnjudgedServices(
            chain, among: takers, judged: checks.map(\.target.name), of: services.isEmpty ? profile.hosts : []
        ) { index in
            taken.contains(index) || takers[index].label.map { judged.contains($0) } ?? false
        }
        guard let finding = others.finding else { return checks }
        return checks.map { $0.announcing(finding) }
    }

    /// Returns the chain of each check.
    ///
    /// - Throws: ``InputError`` if a check has none or several, or a file is for no check.
    func chains(for checks: [Check]) throws(InputError) -> [[[UInt8]]] {
        let takers = checks.map { ChainTaker($0) }
        var chains: [(certificates: [[UInt8]], rank: Int)?] = checks.map { _ in nil }
        for text in chain {
            let argument = try ChainArgument(text, labels: takers.compactMap(\.label))
            let certificates = try argument.certificates()
            for index in try Self.indices(of: argument, among: takers) {
                let rank = argument.rank(for: takers[index])
                if let other = chains[index], other.rank >= rank {
                    guard other.rank > rank else { throw argument.double(for: takers[index]) }
                    continue
                }
                chains[index] = (certificates, rank)
            }
        }
        var found: [[[UInt8]]] = []
        for (taker, chain) in zip(takers, chains) {
            guard let chain else {
                let subject = taker.label ?? ChainArgument.text(taker.target.name)
                throw InputError("no --chain is for \(taker.target)", remedy: "write --chain \(subject)=FILE")
            }
            found.append(chain.certificates)
        }
        return found
    }

    /// Files without a subject are for the only host, else for those that their leaf names, or the services of those.
    private static func indices(
        of argument: ChainArgument, among takers: [ChainTaker]
    ) throws(InputError) -> [Int] {
        if argument.subject == nil, Set(takers.map(\.target.name)).count < 2 { return Array(takers.indices) }
        let found = try argument.takers(among: takers)
        guard let subject = argument.subject else {
            guard !found.isEmpty else { throw try argument.unclear() }
            return found
        }
        guard !found.isEmpty else {
            throw InputError(
                "--chain \(subject)=\(argument.path) is for \(subject), which is not a target",
                remedy: "name \(subject) as a target too, or leave the file out")
        }
        return found
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
            ("--resolver", !check.backends.resolverChoice.isDefault),
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
