import ProbeKit

/// HTTP's CONNECT through a proxy (RFC 9110 section 9.3.6).
struct ConnectDialogue: ProxyDialogue {
    let proxy: HandshakeRequest.Proxy
    let target: Endpoint
    private var hasAsked = false
    private var status: (code: Int, line: String)?

    init(_ proxy: HandshakeRequest.Proxy, to target: Endpoint) {
        self.proxy = proxy
        self.target = target
    }

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        guard hasAsked else {
            hasAsked = true
            return .says(request)
        }
        if status == nil, let first = input.rest.first, first != UInt8(ascii: "H") {
            throw violation("it began with \(String(decoding: input.rest, as: UTF8.self).quoted)")
        }
        while let line = try input.line(of: self) {
            guard let status else {
                self.status = try statusLine(line)
                continue
            }
            guard line.isEmpty else {
                try checkField(line)
                continue
            }
            // An interim answer: the one that counts is still to come (RFC 9110 section 15.2).
            if status.code < 200 {
                self.status = nil
                continue
            }
            // A success has no content, whatever its fields say (RFC 9110 section 9.3.6); that of a refusal is not read.
            guard (200..<300).contains(status.code) else { throw failure(status) }
            return .ready()
        }
        return .waits
    }

    /// The one interim answer after which nothing more of HTTP comes, and which was not asked for.
    private static let switchingProtocols = 101

    private var request: [UInt8] {
        var head = Array("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n".utf8)
        switch proxy.credentials {
        case .basic(let secret):
            head += Array("Proxy-Authorization: Basic \(secret.withBytes { Base64.encode(copy(of: $0)) })\r\n".utf8)
        case .bearer(let secret):
            head += Array("Proxy-Authorization: Bearer ".utf8) + secret.withBytes(copy) + [0x0d, 0x0a]
        case nil: break
        }
        return head + [0x0d, 0x0a]
    }

    private func statusLine(_ line: String) throws(HandshakeFailure) -> (code: Int, line: String) {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, ["HTTP/1.0", "HTTP/1.1"].contains(words[0]), words[1].utf8.count == 3,
            let code = Int(words[1]), (100..<600).contains(code), code != Self.switchingProtocols
        else { throw violation("it answered \(line.quoted)") }
        return (code, line)
    }

    private func checkField(_ line: String) throws(HandshakeFailure) {
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
            !line[..<colon].contains(where: \.isWhitespace)
        else { throw violation("its answer has the line \(line.quoted)") }
    }

    private func failure(_ status: (code: Int, line: String)) -> HandshakeFailure {
        let native = "HTTP \(status.code)"
        return switch status.code {
        case 407 where proxy.credentials == nil:
            refusal("it asks for credentials", native, isAboutCredentials: true)
        case 407: refusal("it does not take the credentials", native, isAboutCredentials: true)
        case 403: refusal("it does not allow this server", native)
        // A request that came too slowly, or among too many (RFC 9110 section 15.5.9, RFC 6585 section 4).
        case 408, 429: refusal("it answered \(status.line.quoted)", native, isTemporary: true)
        case 500...: vain("it answered \(status.line.quoted)", native)
        default: refusal("it answered \(status.line.quoted)", native)
        }
    }
}
