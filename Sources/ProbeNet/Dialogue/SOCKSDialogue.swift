import ProbeKit

/// SOCKS 5 (RFC 1928), with a name and a password where they are given (RFC 1929).
struct SOCKSDialogue: ProxyDialogue {
    let proxy: HandshakeRequest.Proxy
    let target: Endpoint
    private var step = Step.start

    private enum Step {
        case start, method, password, reply
    }

    init(_ proxy: HandshakeRequest.Proxy, to target: Endpoint) {
        self.proxy = proxy
        self.target = target
    }

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        switch step {
        case .start:
            step = .method
            return .says(proxy.credentials == nil ? [5, 1, 0] : [5, 2, 0, 2])
        case .method:
            guard let answer = try twoBytes(of: &input, beginning: 5) else { return .waits }
            switch answer {
            case 0: return request()
            case 2 where proxy.credentials != nil: return try authenticate()
            case 0xff:
                throw refusal(
                    proxy.credentials == nil ? "it asks for credentials" : "it takes no password", "SOCKS method 255",
                    isAboutCredentials: true)
            default: throw violation("it chose the method \(answer), which was not offered")
            }
        case .password:
            guard let answer = try twoBytes(of: &input, beginning: 1) else { return .waits }
            guard answer == 0 else {
                throw refusal(
                    "it does not take the credentials", "SOCKS status \(answer)", isAboutCredentials: true)
            }
            return request()
        case .reply: return try reply(&input)
        }
    }

    /// Takes an answer of two bytes and returns its second; nil if it is not whole yet.
    private func twoBytes(of input: inout DialogueInput, beginning version: UInt8) throws(HandshakeFailure) -> UInt8? {
        guard input.rest.first ?? version == version else {
            throw violation("it began with \(String(decoding: input.rest, as: UTF8.self).quoted)")
        }
        return input.take(2)?.last
    }

    private mutating func authenticate() throws(HandshakeFailure) -> DialogueTurn {
        guard case .basic(let secret) = proxy.credentials, let (user, password) = Self.parts(of: secret) else {
            throw refusal("it takes a name and a password", "SOCKS method 2", isAboutCredentials: true)
        }
        step = .password
        return .says([1, UInt8(user.count)] + user + [UInt8(password.count)] + password)
    }

    /// Returns the name and the password; nil if they don't fit (RFC 1929 section 2).
    static func parts(of secret: Secret) -> (user: [UInt8], password: [UInt8])? {
        let parts = secret.withBytes(copy).split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...255).contains($0.count) }) else { return nil }
        return (Array(parts[0]), Array(parts[1]))
    }

    private mutating func request() -> DialogueTurn {
        step = .reply
        let address: [UInt8] =
            switch target.host {
            case .ip(let address): [address.isIPv6 ? 4 : 1] + address.bytes
            case .dns(let name): [3, UInt8(clamping: name.utf8.count)] + Array(name.utf8)
            }
        return .says([5, 1, 0] + address + [UInt8(target.port >> 8), UInt8(target.port & 0xff)])
    }

    private func reply(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        let head = Array(input.rest.prefix(5))
        guard head.first ?? 5 == 5 else { throw violation("it replied with the byte \(head[0])") }
        guard head.count >= 2 else { return .waits }
        guard head[1] == 0 else { throw failure(head[1]) }
        guard head.count == 5 else { return .waits }
        let size: Int
        switch head[3] {
        case 1: size = 4 + 4 + 2
        case 4: size = 4 + 16 + 2
        case 3: size = 4 + 1 + Int(head[4]) + 2
        default: throw violation("it names an address of type \(head[3])")
        }
        return input.take(size) == nil ? .waits : .ready()
    }

    /// Returns the failure that a reply stands for (RFC 1928 section 6).
    private func failure(_ reply: UInt8) -> HandshakeFailure {
        let native = "SOCKS reply \(reply)"
        return switch reply {
        case 1: vain("it failed itself", native)
        case 2: refusal("it does not allow this server", native)
        case 3: vain("the network is unreachable from there", native)
        case 4: vain("the host is unreachable from there, or its name unknown", native)
        case 5: vain("nothing listens there", native)
        case 6: vain("its packets did not live long enough", native)
        case 7: refusal("it makes no connections", native)
        case 8: refusal("it has no addresses of this kind", native)
        default: violation("it replied with \(reply), which means nothing")
        }
    }
}
