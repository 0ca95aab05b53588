extension HandshakeFailure {
    /// A protocol that is recognised by how its servers begin in clear text.
    @nonexhaustive public enum ClearText: String, Hashable, Sendable, CaseIterable {
        case http = "HTTP"
        case ssh = "SSH"
        case smtp = "SMTP"
        case ftp = "FTP"
        /// A greeting that begins with 220 and says no more.
        case smtpOrFTP = "SMTP or FTP"
        case imap = "IMAP"
        case pop3 = "POP3"

        /// The protocol of a server's first bytes; nil where they fit none of these.
        public init?(greeting bytes: some Collection<UInt8>) {
            let text = String(decoding: bytes.prefix(512), as: UTF8.self)
            if text.hasPrefix("HTTP/") {
                self = .http
            } else if text.hasPrefix("SSH-") {
                self = .ssh
            } else if text.hasPrefix("220 ") || text.hasPrefix("220-") {
                let words = text.uppercased()
                self = words.contains("SMTP") ? .smtp : words.contains("FTP") ? .ftp : .smtpOrFTP
            } else if text.hasPrefix("* OK") || text.hasPrefix("* PRE") {
                self = .imap
            } else if text.hasPrefix("+OK") {
                self = .pop3
            } else {
                return nil
            }
        }
    }

    /// The failure of a handshake with a peer that began with bytes that are not TLS.
    public static func notTLS(_ bytes: some Collection<UInt8>) -> HandshakeFailure {
        let clearText = ClearText(greeting: bytes)
        let subject = clearText.map { "the peer speaks \($0.rawValue), not TLS" } ?? "the peer does not speak TLS"
        return HandshakeFailure(
            .notTLS, "\(subject): it began with \"\(MasterFileText.escape(Array(bytes.prefix(40))))\"",
            clearText: clearText)
    }
}
