/// A protocol that begins in clear text and starts TLS on request.
@nonexhaustive public enum StartTLS: String, Hashable, Sendable, Codable, CaseIterable {
    /// Mail between servers, and its submission (RFC 3207).
    case smtp
    /// Mail to a local store (RFC 2033).
    case lmtp
    /// Mailboxes (RFC 9051 section 6.2.1).
    case imap
    /// Mailboxes, older (RFC 2595 section 4).
    case pop3
    /// Files (RFC 4217).
    case ftp
    /// Messages of a person's client (RFC 6120 section 5).
    case xmppClient = "xmpp-client"
    /// Messages between servers.
    case xmppServer = "xmpp-server"
    /// Directories (RFC 4511 section 4.14).
    case ldap
    /// News (RFC 4642).
    case nntp
    /// Mail filters (RFC 5804 section 2.2).
    case sieve
    /// PostgreSQL's SSLRequest.
    case postgres
    /// The SSL request of MySQL and MariaDB.
    case mysql
    /// Remote desktops (MS-RDPBCGR section 2.2.1.1).
    case rdp

    /// The port on which the service usually listens.
    public var port: UInt16 {
        switch self {
        case .smtp: 25
        case .lmtp: 24
        case .imap: 143
        case .pop3: 110
        case .ftp: 21
        case .xmppClient: 5222
        case .xmppServer: 5269
        case .ldap: 389
        case .nntp: 119
        case .sieve: 4190
        case .postgres: 5432
        case .mysql: 3306
        case .rdp: 3389
        }
    }

    /// The names that other tools and the schemes of URLs have for them.
    private static let otherNames: [String: StartTLS] = [
        "xmpp": .xmppClient, "xmpp_server": .xmppServer, "postgresql": .postgres, "mariadb": .mysql,
        "managesieve": .sieve,
    ]

    /// Returns the protocol of a name in any of its spellings; nil if there is none.
    package static func named(_ text: String) -> StartTLS? {
        let name = text.lowercased()
        return StartTLS(rawValue: name) ?? otherNames[name]
    }

    /// Reads a protocol's name.
    ///
    /// - Throws: ``InputError`` naming the known ones.
    public init(_ text: String) throws(InputError) {
        guard let known = Self.named(text) else {
            let names = Self.allCases.map(\.rawValue)
            let hint = NearestWord.hint(for: text, among: names)
            throw InputError(
                "'\(PrintableText.escape(text))' is not a protocol that starts TLS",
                remedy: "\(hint)choose \(names.joined(separator: ", "))")
        }
        self = known
    }
}
