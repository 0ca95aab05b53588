import ArgumentParser
import ProbeKit
import ProbeNet
import ProbeRun
import ProbeTrust

/// The proxy to connect through.
struct ProxyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connect through this proxy: http://, https://, socks5:// or socks5h:// and HOST:PORT, or environment.",
            discussion: """
                Without a scheme it is http://. The proxy looks names up, except with socks5://. With 'environment' it is the one that https_proxy or \
                all_proxy names for the target and no_proxy does not exclude; without the option they are not followed.
                """, valueName: "url"))
    var proxy: Given<ProxyChoice>?

    @Option(
        help: ArgumentHelp(
            "The credentials for --proxy, in a file of mode 600: USER:PASSWORD, or 'Bearer TOKEN' for HTTP.",
            valueName: "file"), completion: .file())
    var proxyCredentials: String?

    @Option(
        help: ArgumentHelp(
            "Trust the certificates of this PEM or DER file for an https:// proxy itself, instead of the system's.",
            valueName: "file"), completion: .file())
    var proxyCA: String?

    /// Those of these options that were given.
    var given: [String] {
        [("--proxy", proxy != nil), ("--proxy-credentials", proxyCredentials != nil), ("--proxy-ca", proxyCA != nil)]
            .filter(\.1).map(\.0)
    }

    /// Returns the ways to targets; every file is read now.
    func routes(_ connection: ConnectionOptions) throws(InputError) -> TargetRoutes {
        guard let choice = proxy?.value else {
            if let idle = given.first {
                throw InputError("\(idle) is of no use without --proxy", remedy: "leave it out, or give that too")
            }
            return TargetRoutes(socket: connection.socket, choice: nil, setting: { $0 })
        }
        guard connection.socket == nil else {
            throw InputError("--connect unix: and --proxy are given", remedy: "choose one of the two")
        }
        let credentials = try credentials()
        let anchors = try anchors()
        if case .environment = choice { try ProxyEnvironment.current.check() }
        if case .named(let proxy) = choice {
            if proxy.scheme.isSOCKS, case .bearer = credentials {
                throw InputError(
                    "SOCKS has no tokens", remedy: "write USER:PASSWORD in the file of --proxy-credentials")
            }
            guard proxyCA == nil || proxy.scheme == .https else {
                throw InputError("--proxy-ca is about TLS to the proxy", remedy: "leave it out, or write https://")
            }
        }
        return TargetRoutes(socket: nil, choice: choice) { proxy in
            var proxy = proxy
            proxy.credentials = credentials ?? proxy.credentials
            if proxy.scheme == .https { proxy.anchors = anchors }
            return proxy
        }
    }

    func anchors() throws(InputError) -> TrustAnchors {
        if let proxyCA {
            do throws(InputError) {
                return try .file(proxyCA)
            } catch {
                throw InputError("--proxy-ca \(error.message)", remedy: error.remedy, source: error.source)
            }
        }
        // Only TLS to a proxy needs some, and a machine may have none.
        switch proxy?.value {
        case .named(let proxy) where proxy.scheme != .https: return .none
        default: return try .system()
        }
    }

    private func credentials() throws(InputError) -> HandshakeRequest.Proxy.Credentials? {
        guard let proxyCredentials else { return nil }
        let secret: Secret
        do throws(InputError) {
            secret = try SecretFile.read(proxyCredentials)
        } catch {
            throw InputError("--proxy-credentials \(error.message)", remedy: error.remedy, source: error.source)
        }
        guard let read = ProxyCredentials.read(secret) else {
            throw InputError(
                "--proxy-credentials \(proxyCredentials) has no credentials for a proxy",
                remedy: "write one line, USER:PASSWORD or 'Bearer TOKEN'", source: .file)
        }
        return read
    }
}

/// The value of `--proxy`.
enum ProxyChoice: OptionValue {
    case named(HandshakeRequest.Proxy)
    case environment

    static func option(_ text: String) throws(InputError) -> ProxyChoice {
        if text == "environment" { return .environment }
        let proxy = try HandshakeRequest.Proxy(text)
        guard proxy.credentials == nil else {
            throw InputError(
                "has credentials in its URL, which every process of this machine could read",
                remedy: "write USER:PASSWORD to a file of mode 600 and give --proxy-credentials FILE")
        }
        return .named(proxy)
    }
}
