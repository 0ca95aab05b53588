public import ProbeKit
import ProbePlatform

/// The proxies that environment variables name, and the servers that need none, by the rules of `curl`.
public struct ProxyEnvironment: Sendable {
    private let variables: [String: String]

    /// Creates the proxies of some variables; without values they count as not set.
    public init(_ variables: [String: String]) {
        self.variables = variables.filter { !$0.value.isEmpty }
    }

    /// The proxies of this process's environment, those that were set aside included.
    public static var current: ProxyEnvironment {
        ProxyEnvironment(ProcessInfo.processInfo.environment.merging(SystemSettings.setAside) { $1 })
    }

    /// The variable that names a target's proxy; nil if none does, or if `no_proxy` has the target.
    ///
    /// `https_proxy`, or that of the scheme that starts TLS, then `all_proxy`; each in lowercase first. A server that speaks
    /// TLS is never reached through `http_proxy`.
    public func variable(for target: Target) -> String? {
        let scheme = target.startTLS?.rawValue ?? "https"
        let names = ["\(scheme)_proxy", "\(scheme.uppercased())_PROXY", "all_proxy", "ALL_PROXY"]
        guard let name = names.first(where: { variables[$0] != nil }), !bypasses(target.name) else { return nil }
        return name
    }

    /// Returns a target's proxy; nil if there is none.
    ///
    /// - Throws: ``InputError`` naming the variable whose value is not the URL of a proxy.
    public func proxy(for target: Target) throws(InputError) -> HandshakeRequest.Proxy? {
        guard let name = variable(for: target) else { return nil }
        return try proxy(named: name)
    }

    /// Checks every variable that may name a proxy.
    ///
    /// - Throws: ``InputError`` naming the first whose value is not the URL of one.
    public func check() throws(InputError) {
        let schemes = ["https", "all"] + StartTLS.allCases.map(\.rawValue)
        for name in schemes.flatMap({ ["\($0)_proxy", "\($0.uppercased())_PROXY"] }) { _ = try proxy(named: name) }
    }

    private func proxy(named name: String) throws(InputError) -> HandshakeRequest.Proxy? {
        guard let value = variables[name] else { return nil }
        do throws(InputError) {
            return try HandshakeRequest.Proxy(value)
        } catch {
            throw InputError("\(name) in the environment: \(error.message)", remedy: error.remedy)
        }
    }

    /// Returns true if `no_proxy` or `NO_PROXY` lists a host: itself, a domain above it, a network of its address, or all.
    private func bypasses(_ host: ServerName) -> Bool {
        guard let list = variables["no_proxy"] ?? variables["NO_PROXY"] else { return false }
        if list == "*" { return true }
        return list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).contains { entry in
            switch host {
            case .dns(let name): Self.includes(name, in: entry.lowercased())
            case .ip(let address): Self.includes(address, in: entry)
            }
        }
    }

    private static func includes(_ name: String, in entry: String) -> Bool {
        var domain = entry[...]
        if domain.hasPrefix(".") { domain.removeFirst() }
        if domain.hasSuffix(".") { domain.removeLast() }
        return !domain.isEmpty && (name == domain || name.hasSuffix("." + domain))
    }

    private static func includes(_ address: IPAddress, in entry: Substring) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts[0].hasPrefix("[") && parts[0].hasSuffix("]") ? parts[0].dropFirst().dropLast() : parts[0]
        guard let network = IPAddress(String(text)), network.isIPv6 == address.isIPv6 else { return false }
        guard parts.count == 2 else { return network == address }
        guard let length = Int(parts[1]), (0...8 * network.bytes.count).contains(length) else { return false }
        return (0..<length).allSatisfy { bit in
            (network.bytes[bit / 8] ^ address.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }
}
