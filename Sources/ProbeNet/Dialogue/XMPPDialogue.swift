import ProbeKit

/// XMPP's STARTTLS (RFC 6120 section 5), between a client or a server and a server.
struct XMPPDialogue: StartingTLS {
    let known: StartTLS
    private let name: ServerName
    private var step = Step.start
    private var offers = false
    private var hasAsked = false

    private enum Step {
        /// Nothing was sent.
        case start
        /// The server's stream has to begin, with its features.
        case stream, features
        case goAhead, proceeding
        /// The condition of the server's error has to come.
        case error
    }

    init(_ known: StartTLS, to name: ServerName) {
        self.known = known
        self.name = name
    }

    /// Blanks may come at any time (RFC 6120 section 4.6.1).
    func mayPrecede(_ rest: ArraySlice<UInt8>) -> Bool { rest.allSatisfy(Self.isBlank) }

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        if step == .start {
            step = .stream
            let namespace = known == .xmppServer ? "jabber:server" : "jabber:client"
            return .says(
                Array(
                    """
                    <?xml version='1.0'?><stream:stream to='\(name)' version='1.0' xmlns='\(namespace)' \
                    xmlns:stream='http://etherx.jabber.org/streams'>
                    """.utf8))
        }
        try refuseTLS(input)
        while let tag = try tag(&input) {
            switch (step, tag.name) {
            case (.stream, "?xml"): break
            case (.stream, "stream:stream"): step = .features
            case (.error, "text"), (.error, "/text"): break
            case (.error, _): throw refusal(condition: tag)
            case (_, "stream:error") where !tag.isClosed: step = .error
            case (_, "stream:error"), (_, "/stream:stream"), (.goAhead, "failure"):
                throw refusal("<\(tag.text)>", of: hasAsked ? .tls : .client)
            case (.features, "starttls"): offers = true
            case (.features, "/stream:features"): return try start()
            case (.features, "stream:features") where tag.isClosed: throw notOffered
            case (.features, _): break
            case (.goAhead, "proceed"):
                if tag.isClosed { return .ready() }
                step = .proceeding
            case (.proceeding, "/proceed"): return .ready()
            default: throw step == .stream ? otherProtocol("<\(tag.text)>") : violation("it replied <\(tag.text)>")
            }
        }
        return .waits
    }

    private mutating func start() throws(HandshakeFailure) -> DialogueTurn {
        guard offers else { throw notOffered }
        step = .goAhead
        hasAsked = true
        return .says(Array("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>".utf8))
    }

    /// Returns the failure of a stream error, whose first element names the condition (RFC 6120 section 4.9.3).
    private func refusal(condition tag: Tag) -> HandshakeFailure {
        guard !tag.name.hasPrefix("/") else { return refusal("<stream:error>", of: hasAsked ? .tls : .client) }
        let isAboutName = ["host-unknown", "host-gone"].contains(tag.name)
        return refusal(
            tag.name, of: isAboutName ? .name : hasAsked ? .tls : .client,
            isTemporary: ["system-shutdown", "resource-constraint"].contains(tag.name))
    }

    /// One tag without its brackets. A stream has neither comments nor declarations of types (RFC 6120 section 11.1).
    private struct Tag {
        let text: String

        var isClosed: Bool { text.hasSuffix("/") }
        /// The name, with a slash before it if the tag ends an element.
        var name: String {
            let rest = text.hasPrefix("/") ? text.dropFirst() : text[...]
            return (text.hasPrefix("/") ? "/" : "") + rest.prefix { !$0.isWhitespace && $0 != "/" }
        }
    }

    /// True where text may stand between tags.
    private var mayHoldText: Bool { step == .features || step == .error }

    /// Takes the next tag and the text before it; nil if it is not complete yet.
    private func tag(_ input: inout DialogueInput) throws(HandshakeFailure) -> Tag? {
        let bytes = input.rest
        guard let open = bytes.firstIndex(of: UInt8(ascii: "<")) else {
            guard mayHoldText || bytes.allSatisfy(Self.isBlank) else {
                throw otherProtocol(String(decoding: bytes, as: UTF8.self))
            }
            return nil
        }
        guard mayHoldText || bytes[..<open].allSatisfy(Self.isBlank) else {
            throw otherProtocol(String(decoding: bytes, as: UTF8.self))
        }
        var quote: UInt8?
        for index in bytes.indices[open...].dropFirst() {
            let byte = bytes[index]
            if let mark = quote {
                if byte == mark { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                let text = String(decoding: bytes[(open + 1)..<index], as: UTF8.self)
                _ = input.take(index + 1 - bytes.startIndex)
                return Tag(text: text)
            }
        }
        guard bytes.count <= DialogueLimits.message else {
            throw violation("it sent a tag of more than \(DialogueLimits.message) bytes")
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0d, 0x0a].contains(byte) }
}
