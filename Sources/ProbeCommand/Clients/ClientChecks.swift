import ArgumentParser
import ProbeClients
import ProbeKit
import ProbeRun
import ProbeScan
import ProbeTrust

/// The clients of `--client`.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .customLong("client"),
        help: ArgumentHelp(
            "Judge as these clients would, with their roots, offers and habits; repeat it, or separate by commas.",
            discussion: """
                Names of probe clients, families like android, all, or a file of your own. Each row is emulated, \
                and says by which store and anchor. Where a command has --plugin-path, a client whose program is there is asked \
                itself; where it has --backend, that names the stacks that send the offers.
                """, valueName: "name"))
    var client: [String] = []
}

/// Targets judged as clients would, for `check --client` and `fleet`.
enum ClientChecks {
    /// Rejects the options in whose place a client has something of its own, and those about DNS.
    ///
    /// - Parameter who: what brings the clients, like `--client`.
    /// - Throws: ``InputError`` naming the first that was given.
    static func refuse(_ check: CheckOptions, besides who: String) throws(InputError) {
        let (connection, policy, dns) = (check.connection, check.policy, check.dns)
        let own: [(option: String, isGiven: Bool)] = [
            ("--ca", connection.ca != nil), ("--roots", connection.roots != nil),
            ("--crl", !check.revocation.crl.isEmpty),
            ("--trust", policy.trust != nil), ("--dane", check.dane), ("--emulate", policy.emulate != nil),
            ("--min-tls", policy.minTLS != nil),
            ("--alpn", !policy.alpn.isEmpty), ("--server-date", policy.serverDate != nil),
        ]
        if let first = own.first(where: \.isGiven) {
            throw InputError(
                "\(first.option) and \(who) are given, and a client brings its own",
                remedy: "leave \(first.option) out; a client of your own in a file may have other facts")
        }
        let asked: [(option: String, isGiven: Bool)] = [
            ("--model", dns.model != nil), ("--model-host", !check.modelHost.isEmpty),
            ("--resolver", !check.backends.resolverChoice.isDefault),
            ("--dns-server", !dns.dnsServer.isEmpty && !check.reach.addresses.follow),
            ("--dns-connect", dns.dnsConnect != nil), ("--dns-ca", dns.dnsCa != nil),
            ("--dns-pin", !dns.dnsPin.isEmpty),
            ("--dnssec", dns.dnssec != nil),
            ("--dnssec-anchor", !dns.dnssecAnchor.isEmpty), ("--edns-size", dns.ednsSize != nil),
            ("--txt-strings", dns.txtStrings != nil),
        ]
        if let first = asked.first(where: \.isGiven) {
            throw InputError(
                "\(first.option) and \(who) are given, and clients ask no DNS for models",
                remedy: "leave \(first.option) out")
        }
    }

    /// Returns the stacks in the order in which clients ask them: those that can send an offer come first; the others serve
    /// clients whose offer is not known.
    static func senders(among transports: [any Transport]) -> [any Transport] {
        transports.filter { $0.capabilities.contains(.offer) }
            + transports.filter { !$0.capabilities.contains(.offer) }
    }

    /// Judges the targets, or the chains in their place.
    ///
    /// - Returns: each target's check, with the results in the clients' order.
    static func results(
        _ options: CheckOptions, _ supplied: SuppliedChainOptions, _ clients: [Client]
    ) async throws -> [(check: Check, results: [ClientResult])] {
        var checks = try await options.plan(supplied).checks
        guard !checks.isEmpty else {
            throw InputError("no server was given to judge", remedy: "name a target, or a profile with services")
        }
        let addresses = try options.addresses()
        if supplied.chain.isEmpty {
            var parts: [Check] = []
            for check in checks { parts += await addresses.checks(of: check) }
            checks = parts
        }
        let chains: [[[UInt8]]?] =
            supplied.chain.isEmpty ? checks.map { _ in nil } : try supplied.chains(for: checks)
        let (able, notes) = try options.backends.able(needing: [])
        let transports = senders(among: able)
        let clock = options.connection.clock
        let reference = ReferenceVerifier.withSystemSuffixes()
        let run = ClientRun(
            prober: Prober(clock: clock, reference: reference, lateness: OwnLateness.meter), reference: reference,
            transports: transports, clock: clock, policies: Backends.current.policies)
        var judged: [(check: Check, results: [ClientResult])] = []
        for (check, chain) in zip(checks, chains) {
            let announced = notes.reduce(check) { $0.announcing($1) }
            judged.append((check, try await run.results(announced, clients: clients, chain: chain)))
        }
        return judged
    }
}
