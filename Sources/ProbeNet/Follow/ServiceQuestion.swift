package import ProbeKit

/// The question whose records lead to a target's service.
package enum ServiceQuestion: Hashable, Sendable {
    /// Service bindings of HTTPS (RFC 9460 section 9.1).
    case bindings(String)
    /// The servers of a service (RFC 2782).
    case services(String)
    /// The mail hosts of a domain (RFC 5321 section 5).
    case exchanges(String)

    /// The services that speak TLS from the first byte, by their usual ports; every other port is HTTPS'.
    private static let services: [UInt16: String] = [
        465: "submissions", 636: "ldaps", 993: "imaps", 995: "pop3s", 5223: "xmpps-client", 5270: "xmpps-server",
    ]
    /// The port of submission, which has SRV records where mail between servers has MX (RFC 6186).
    private static let submissionPort: UInt16 = 587

    /// The question about a target; nil for an address, and for a protocol whose clients look for no records.
    package init?(about target: Target) {
        guard case .dns(let host) = target.name else { return nil }
        let label: String
        switch target.startTLS {
        case nil:
            guard let known = Self.services[target.port] else {
                self = .bindings(target.port == 443 ? host : "_\(target.port)._https.\(host)")
                return
            }
            label = known
        case .smtp where target.port != Self.submissionPort:
            self = .exchanges(host)
            return
        case .smtp: label = "submission"
        case .imap: label = "imap"
        case .pop3: label = "pop3"
        case .sieve: label = "sieve"
        case .ldap: label = "ldap"
        case .xmppClient: label = "xmpp-client"
        case .xmppServer: label = "xmpp-server"
        case .lmtp, .ftp, .nntp, .postgres, .mysql, .rdp: return nil
        }
        self = .services("_\(label)._tcp.\(host)")
    }

    /// The name that is asked for.
    package var name: String {
        switch self {
        case .bindings(let name), .services(let name), .exchanges(let name): name
        }
    }
}
