import ArgumentParser
import ProbeKit
import ProbeNet
import ProbeRoots
import ProbeRun
import ProbeTrust
import Synchronization

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

/// The content of a file with a proxy's credentials.
enum ProxyCredentials {
    private static let bearer = Array("Bearer ".utf8)

    /// Returns the credentials of one line; nil if it is not one, or neither a name with a password nor a token.
    static func read(_ secret: Secret) -> HandshakeRequest.Proxy.Credentials? {
        secret.withBytes { bytes in
            var line = unsafe bytes.withUnsafeBytes { unsafe Array($0) }[...]
            while let last = line.last, last == 0x0a || last == 0x0d { line.removeLast() }
            guard !line.isEmpty, line.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
            if line.starts(with: bearer) {
                let token = Array(line.dropFirst(bearer.count))
                return token.isEmpty ? nil : .bearer(Secret(copying: token.span))
            }
            guard line.contains(UInt8(ascii: ":")) else { return nil }
            let text = Array(line)
            return .basic(Secret(copying: text.span))
        }
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

/// The way to each target.
struct TargetRoutes: Sendable {
    private let socket: String?
    private let choice: ProxyChoice?
    private let setting: @Sendable (HandshakeRequest.Proxy) -> HandshakeRequest.Proxy
    private let environment = ProxyEnvironment.current

    init(
        socket: String?, choice: ProxyChoice?,
        setting: @escaping @Sendable (HandshakeRequest.Proxy) -> HandshakeRequest.Proxy
    ) {
        self.socket = socket
        self.choice = choice
        self.setting = setting
    }

    /// Returns the way to a target.
    ///
    /// - Throws: ``InputError`` if the environment names something that is not a proxy.
    func route(to target: Target) throws(InputError) -> HandshakeRequest.Route {
        if let socket { return .socket(path: socket) }
        switch choice {
        case .named(let proxy): return .proxy(setting(proxy))
        case .environment: return try environment.proxy(for: target).map { .proxy(setting($0)) } ?? .direct
        case nil: return .direct
        }
    }

    /// The same ways for a target that has an address of its own, which no socket of the file system stands for.
    var toOwnAddress: TargetRoutes { TargetRoutes(socket: nil, choice: choice, setting: setting) }

    /// The capabilities that every target may need.
    var capabilities: Set<TransportCapability> {
        socket != nil ? [.localSocket] : choice == nil ? [] : [.proxy]
    }

    /// Returns a check with its way to the target, and what is to be said about it.
    func applied(to check: Check) throws(InputError) -> Check {
        let route = try route(to: check.target)
        var check = check.taking(route)
        if let proxy = route.proxy {
            check = check.announcing(
                .note("proxy-used", stage: .connect, "the connection is made through the proxy \(proxy)"))
            check = check.demanding(ThroughProxy(proxy) { PublicRoots.shared.contains($0) })
        } else if choice == nil, socket == nil, let name = environment.variable(for: check.target) {
            check = check.announcing(
                .note(
                    "proxy-neglected", stage: .connect,
                    "\(name) in the environment names a proxy, and the connection is made without it: give --proxy environment to use it"
                ))
        }
        return check
    }
}

/// The roots of every public store that is shipped, on any day.
final class PublicRoots: Sendable {
    static let shared = PublicRoots()
    private let known = Mutex<Set<[UInt8]>?>(nil)

    /// Returns true if one of the stores has, or had, a certificate; true as well if they can't be read, since nothing is
    /// known then.
    func contains(_ certificate: [UInt8]) -> Bool {
        known.withLock { known in
            if known == nil { known = (try? RootDatabase.standard(own: nil).everyCertificate()).map { Set($0) } }
            return known?.contains(certificate) ?? true
        }
    }
}
