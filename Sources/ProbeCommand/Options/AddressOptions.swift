import ArgumentParser
import ProbeKit
import ProbeNet
import ProbeScan

/// The addresses of a name that are dialled.
struct AddressOptions: ParsableArguments {
    @Flag(help: "Judge every address of a name by itself, and not the first that answers.")
    var allAddresses = false

    @Option(
        help: ArgumentHelp(
            "Dial only addresses of this family: 4, 6, or both, which judges each by itself.",
            discussion: """
                Without it the family that connects first is dialled (RFC 8305). A name without an address of the family is \
                unreachable.
                """, valueName: "family"))
    var family: Given<FamilyChoice>?

    @Flag(
        help: ArgumentHelp(
            "Follow the name's records to the servers of its service, and dial those: HTTPS, SRV or MX.",
            discussion: """
                Without a protocol that starts TLS it is HTTPS records, or SRV on the ports of IMAP, POP3, submission, LDAP and \
                XMPP over TLS; with smtp MX, or SRV on port 587; with imap, pop3, sieve, ldap and XMPP SRV. The \
                system's DNS servers are asked, or those of --dns-server where the command has it.
                """))
    var follow = false

    /// Those of these options that were given.
    var given: [String] {
        [("--all-addresses", allAddresses), ("--family", family != nil), ("--follow", follow)].filter(\.1).map(\.0)
    }

    /// Returns the choice.
    ///
    /// - Parameters:
    ///   - dns: the options for DNS queries, for a command that has them.
    ///   - resolvers: those of `--resolver`, likewise.
    ///   - dane: true if mail hosts are found and judged by records that DNSSEC proves.
    /// - Throws: ``InputError`` if the options say at once which address is dialled.
    func choice(
        _ connection: ConnectionOptions, _ dns: DNSOptions? = nil, resolvers: BackendChoice = .all,
        dane: Bool = false
    ) throws(InputError) -> AddressChoice {
        let following = dane ? "--dane" : "--follow"
        if follow || dane, connection.dial != nil || connection.socket != nil {
            throw InputError(
                "\(following) and --connect are given, and both say where to dial", remedy: "leave one of the two out")
        }
        if let option = given.first {
            if connection.socket != nil {
                throw InputError(
                    "\(option) and --connect unix: are given, and a socket has no addresses",
                    remedy: "leave one of the two out")
            }
            if case .ip = connection.dial?.host {
                throw InputError(
                    "\(option) and --connect are given, and --connect names the one address to dial",
                    remedy: "leave one of the two out, or give --connect NAME:PORT")
            }
        }
        var choice = AddressChoice(isEach: allAddresses, family: family?.value, lookup: Backends.current.lookup)
        choice.records = follow || dane ? try records(connection, dns, resolvers, following) : nil
        choice.isProving = dane
        return choice
    }

    /// Returns the source of the records to follow: our own reader, which asks over UDP and TCP, or for `--dane` a resolver
    /// that validates.
    private func records(
        _ connection: ConnectionOptions, _ dns: DNSOptions?, _ resolvers: BackendChoice, _ following: String
    ) throws(InputError) -> any RecordSource {
        if let url = dns?.dnsServer.first(where: { DoHServer.isURL($0) || DNSQuery.TLSServer.isURL($0) }) {
            throw InputError(
                "\(following) asks over UDP and TCP, and --dns-server \(url) is a URL",
                remedy: "give --dns-server ADDR:PORT, or leave \(following) out")
        }
        if !resolvers.isDefault, dns?.model == nil {
            throw InputError(
                "--resolver is given, and \(following) reads records with a reader of its own",
                remedy: "leave --resolver out")
        }
        let servers = try dns?.given() ?? []
        if let dns, following == "--dane" {
            return try dns.validating(at: servers, instant: connection.at?.value)
        }
        if let known = Backends.current.records { return known }
        return RecordLookup(at: servers.isEmpty ? try DNSOptions.systemServers() : servers)
    }
}

extension FamilyChoice: OptionValue {}
