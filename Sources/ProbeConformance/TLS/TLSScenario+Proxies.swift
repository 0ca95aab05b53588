import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Servers behind a proxy, which looks their names up.
    static let proxies: [TLSScenario] =
        [HandshakeRequest.Proxy.Scheme.http, .https, .socks5h].flatMap(cases) + tlsToProxies + [
            proxied(
                .http, "expired", "A server behind a proxy is judged as everywhere.", .trustFailed, code: "expired",
                .expired)
        ]

    private static func cases(_ scheme: HandshakeRequest.Proxy.Scheme) -> [TLSScenario] {
        [
            proxied(scheme, "passes", "A server is reached through a proxy, which is asked for it by name."),
            proxied(scheme, "credentials", "The proxy gets the credentials for it.", credentials: "user:pass:word"),
            proxied(scheme, "starttls", "Behind it TLS is started as anywhere.", then: LabDialogue(.smtp)).with {
                $0.startTLS = .smtp
            },
            proxied(
                scheme, "client-identity", "A client certificate is for the server behind it.",
                change: { $0.requiresCertificate = true }
            ).with {
                $0.clientIdentity = .clientPurpose
                $0.facts = [.clientCertificateSent(true)]
            },
            proxied(
                scheme, "byte-by-byte", "Its answer may come byte by byte.",
                change: { $0.pace = LabPace(bytes: 1, pause: .microseconds(100)) }
            ).with { $0.timeout = .seconds(60) },
            faulty(
                scheme, .wantsCredentials, "no-credentials", "One that wants credentials is named.", "proxy-refused"),
            faulty(
                scheme, .wantsCredentials, "other-credentials", "So is one that wants others.", "proxy-refused",
                credentials: "user:wrong"),
            faulty(scheme, .forbids, "forbids", "So is one that does not allow the server.", "proxy-refused"),
            faulty(
                scheme, .cannotConnect, "vain", "One that does not reach the server says so.", "proxy-connect-failed"),
            faulty(
                scheme, .injects, "injects", "Bytes between its answer and TLS are an error.", "proxy-protocol-error"),
            peer(
                scheme, "dead", "A proxy that is not there is not the server's fault.", .dead, .unreachable,
                "proxy-unreachable"),
            peer(
                scheme, "silent", "One that says nothing costs no more than the deadline.", .silent, .unreachable,
                scheme == .https ? "proxy-unreachable" : "proxy-connect-failed"
            ).with { $0.timeout = .seconds(1) },
        ]
            + (scheme == .https
                ? []
                : [
                    peer(
                        scheme, "garbage", "One that speaks another protocol is named.",
                        .script(LabScript(on: .firstBytes, bytes: Array("220 mail.test ESMTP\r\n".utf8))),
                        .unreachable, "proxy-protocol-error"),
                    peer(
                        scheme, "endless", "One that does not end is not listened to for long.",
                        .script(LabScript(on: .firstBytes, bytes: begin(scheme), refrain: Array("X: y\r\n".utf8))),
                        .unreachable, "proxy-protocol-error"),
                    peer(
                        scheme, "closes", "One that closes has not connected.",
                        .script(LabScript(on: .firstBytes, bytes: [], end: .close)), .unreachable,
                        "proxy-connect-failed"),
                ])
    }

    /// The TLS with a proxy, before it is asked for anything.
    private static let tlsToProxies: [TLSScenario] = [
        proxied(
            .https, "own-expired", "A proxy whose certificate is not trusted is asked for nothing.", .unreachable,
            code: "proxy-tls-failed", proxy: .expired),
        proxied(
            .https, "own-other-name", "One with the certificate of another is neither.", .unreachable,
            code: "proxy-tls-failed", proxy: .good),
        peer(
            .https, "own-clear-text", "One that answers in clear text is not a proxy over TLS.",
            .script(LabScript(on: .firstBytes, bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))),
            .unreachable, "proxy-tls-failed"),
        peer(
            .https, "own-breaks", "A record of the proxy's that comes twice is the proxy's fault.",
            .tls(
                LabTLSRecipe(
                    // Its answer is there before the record that breaks.
                    .address, pace: LabPace(bytes: 1, pause: .microseconds(100)),
                    tampering: LabTampering(.replay, on: .firstResponse),
                    service: .script(LabScript(on: .firstBytes, bytes: begin(.https) + Array("\r\n".utf8))))),
            .unreachable, "proxy-tls-failed"
        ).with {
            $0.facts = [.says("the TLS with the proxy", in: "proxy-tls-failed")]
            // The proxy has to be asked before it breaks.
            $0.requests = nil
            $0.timeout = .seconds(60)
        },
    ]

    private static func begin(_ scheme: HandshakeRequest.Proxy.Scheme) -> [UInt8] {
        scheme.isSOCKS ? [5, 0, 5, 0, 0, 9] : Array("HTTP/1.1 200 OK\r\n".utf8)
    }

    private static func faulty(
        _ scheme: HandshakeRequest.Proxy.Scheme, _ fault: LabProxyFault, _ id: String, _ sentence: String,
        _ code: String, credentials: String? = nil
    ) -> TLSScenario {
        proxied(scheme, id, sentence, .unreachable, code: code, credentials: credentials, fault: fault).with {
            $0.facts = [.says("the proxy", in: code)]
            if fault == .injects { $0.facts = [.says("bytes follow", in: code)] }
        }
    }

    private static func proxied(
        _ scheme: HandshakeRequest.Proxy.Scheme, _ id: String, _ sentence: String, _ outcome: Outcome = .pass,
        code: String? = nil, _ identity: LabIdentityName = .good, credentials: String? = nil,
        proxy own: LabIdentityName = .address, fault: LabProxyFault? = nil, then next: LabDialogue? = nil,
        change: (inout LabTLSRecipe) -> Void = { _ in }
    ) -> TLSScenario {
        let target = Endpoint(host: .dns("good.test"), port: 443)
        var recipe = LabTLSRecipe(
            identity,
            dialogue: LabDialogue(
                proxy: scheme, to: target, credentials: credentials, identity: scheme == .https ? own : nil,
                fault: fault, then: next))
        change(&recipe)
        return peer(scheme, id, sentence, .tls(recipe), outcome, code).with { $0.proxyCredentials = credentials }
    }

    private static func peer(
        _ scheme: HandshakeRequest.Proxy.Scheme, _ id: String, _ sentence: String, _ peer: LabPeer,
        _ outcome: Outcome, _ code: String?
    ) -> TLSScenario {
        TLSScenario(
            "proxies/\(scheme.rawValue)-\(id)", sentence,
            source: scheme.isSOCKS ? "RFC 1928, RFC 1929" : "RFC 9110 9.3.6 and 11.7", peer, outcome, code: code
        ).with { $0.proxy = scheme }
    }
}
