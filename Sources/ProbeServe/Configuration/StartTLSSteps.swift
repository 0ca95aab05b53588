import ProbeKit
import ProbeYAML

/// A `query_response` that starts TLS: the protocol whose dialogue it is.
///
/// The dialogue itself is ours, which is strict, so that steps may ask for no more than it does.
enum StartTLSSteps {
    private struct Step {
        let node: YAMLNode
        let send: String?
        let expect: String?
        let startsTLS: Bool

        init(_ node: YAMLNode) throws(InputError) {
            self.node = node
            let fields = try node.fields(
                "step of query_response", ["expect", "send", "starttls", "expect_bytes", "labels"])
            for key in ["expect_bytes", "labels"] {
                if let value = fields[key] { throw value.refuse("asks for what is said inside", remedy: remedy) }
            }
            send = try fields["send"]?.text().trimmed
            expect = try fields["expect"]?.text()
            startsTLS = try fields["starttls"]?.flag() ?? false
        }
    }

    private static let remedy = "take it out, or leave this module to blackbox_exporter"
    /// The words of patterns that all dialogues look for by themselves.
    private static let words: Set<String> = [
        "220", "250", "250STARTTLS", "382", "200", "201", "234", "OK", "ESMTP", "SMTP", "LMTP", "STARTTLS", "READY",
        "IMAP4", "IMAP4REV1", "POP3", "NNTP", "FTP", "",
    ]

    /// Returns the protocol of the steps.
    ///
    /// - Throws: `InputError` naming the step that asks for more, or the key if no step starts TLS.
    static func read(_ node: YAMLNode) throws(InputError) -> StartTLS {
        let steps = try node.list { step throws(InputError) in try Step(step) }
        guard let index = steps.firstIndex(where: \.startsTLS) else {
            throw node.refuse(
                "asks for what this exporter does not do: it judges certificates and TXT records",
                remedy: "take the key out, or leave this module to blackbox_exporter")
        }
        if let further = steps[(index + 1)...].first(where: { $0.expect != nil || $0.startsTLS }) {
            throw further.node.refuse("asks for what is said inside TLS", remedy: remedy)
        }
        let before = steps[..<index]
        let sent = before.compactMap(\.send)
        guard let known = kind(of: sent.map { $0.uppercased() }, expecting: before.compactMap(\.expect)) else {
            throw node.refuse(
                "starts TLS in a way that is not known", remedy: "write 'starttls: PROTOCOL' instead of the steps")
        }
        for step in before where !["xmpp-client", "xmpp-server"].contains(known.rawValue) {
            guard let expect = step.expect, !isOfDialogue(expect) else { continue }
            throw step.node.refuse(
                "expects '\(expect)', which asks for more than starting TLS", remedy: remedy)
        }
        return known
    }

    private static func kind(of sent: [String], expecting patterns: [String]) -> StartTLS? {
        guard let last = sent.last(where: { $0.contains("TLS") || $0.contains("STLS") }) else { return nil }
        if last == "STLS" { return .pop3 }
        if last == "AUTH TLS" || last == "AUTH SSL" { return .ftp }
        if last.contains("<STARTTLS") {
            return sent.contains { $0.contains("JABBER:SERVER") } ? .xmppServer : .xmppClient
        }
        if last.wholeMatch(of: #/[A-Z0-9.]+ STARTTLS/#) != nil { return .imap }
        guard last == "STARTTLS" else { return nil }
        if sent.contains(where: { $0.hasPrefix("LHLO") }) { return .lmtp }
        if sent.contains(where: { $0.hasPrefix("EHLO") || $0.hasPrefix("HELO") }) { return .smtp }
        if patterns.contains(where: { $0.contains("382") }) { return .nntp }
        return patterns.contains { $0.contains("OK") } ? .sieve : nil
    }

    /// Returns true if a pattern has no other words than a dialogue's own.
    private static func isOfDialogue(_ pattern: String) -> Bool {
        let open = pattern.replacing(#/\(?(?:\[\^? \]|\[\^ \]|\.|\\S)[+*]\)?/#, with: " ")
        return open.split { " ^$()".contains($0) }.allSatisfy { word in
            words.contains(word.uppercased().filter { $0.isLetter || $0.isNumber })
        }
    }
}

extension String {
    /// The text without the ends of lines at its end.
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
