import ProbeKit
import ProbeNet
import ProbeRoots
import ProbeRun
import ProbeTrust
import Synchronization

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
