import ProbeKit

/// A dialogue that asks a proxy for a connection. Whatever fails in it is the proxy's, and no verdict about the server.
protocol ProxyDialogue: Dialogue {
    /// The proxy.
    var proxy: HandshakeRequest.Proxy { get }
    /// The endpoint to ask for.
    var target: Endpoint { get }
}

extension ProxyDialogue {
    func violation(_ message: String) -> HandshakeFailure {
        HandshakeFailure(
            .proxyProtocolError, "\(proxy) does not speak \(proxy.scheme.isSOCKS ? "SOCKS 5" : "HTTP"): \(message)")
    }

    /// Returns the failure of a proxy that refused this client or this server.
    ///
    /// - Parameters:
    ///   - isAboutCredentials: true if other credentials may change its mind.
    ///   - isTemporary: true if by its own words it may connect later.
    func refusal(
        _ reason: String, _ native: String, isAboutCredentials: Bool = false, isTemporary: Bool = false
    ) -> HandshakeFailure {
        HandshakeFailure(
            .proxyRefused, "the proxy \(proxy) does not connect to \(target): \(reason)", nativeCode: native,
            cause: isAboutCredentials ? .proxyCredentials : isTemporary ? .temporary : nil)
    }

    /// Returns the failure of a proxy that tried.
    func vain(_ reason: String, _ native: String? = nil) -> HandshakeFailure {
        HandshakeFailure(
            .proxyConnectFailed, "the proxy \(proxy) did not reach \(target): \(reason)", nativeCode: native)
    }
}

/// The dialogues of proxies.
enum ProxyDialogues {
    /// Returns the dialogue that asks a proxy for an endpoint.
    static func of(_ proxy: HandshakeRequest.Proxy, to target: Endpoint) -> any Dialogue {
        proxy.scheme.isSOCKS ? SOCKSDialogue(proxy, to: target) : ConnectDialogue(proxy, to: target)
    }

    /// Returns the failure of a request whose proxy can't be asked for its endpoint; nothing is sent then, not even a connection
    /// opened.
    static func refusal(_ request: HandshakeRequest) -> HandshakeFailure? {
        guard let proxy = request.route.proxy else { return nil }
        // A zone has a meaning on one node alone (RFC 4007 section 11).
        if request.endpoint.zone != nil {
            return HandshakeFailure(
                .unsupported,
                "the proxy \(proxy) can't be asked for \(request.endpoint): a zone names an interface of this machine",
                cause: .zoneBehindProxy)
        }
        return refusal(proxy)
    }

    /// Returns the failure of credentials that can't be sent.
    private static func refusal(_ proxy: HandshakeRequest.Proxy) -> HandshakeFailure? {
        switch proxy.credentials {
        case .bearer where proxy.scheme.isSOCKS:
            HandshakeFailure(.unsupported, "SOCKS 5 has no tokens, only names and passwords")
        case .basic(let secret) where proxy.scheme.isSOCKS && SOCKSDialogue.parts(of: secret) == nil:
            HandshakeFailure(.unsupported, "SOCKS 5 takes a name and a password of 1 to 255 bytes each")
        case .basic(let secret), .bearer(let secret):
            secret.isPlainText ? nil : HandshakeFailure(.unsupported, "the proxy's credentials have control characters")
        case nil: nil
        }
    }
}

extension Secret {
    /// True if no byte could end a header's line.
    fileprivate var isPlainText: Bool { withBytes { bytes in !copy(of: bytes).contains { $0 < 0x20 || $0 == 0x7f } } }
}

/// Returns a secret's bytes, for the message that has to carry them.
func copy(of secret: RawSpan) -> [UInt8] { unsafe secret.withUnsafeBytes { unsafe Array($0) } }
