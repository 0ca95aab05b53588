public import ProbeKit
import ProbePlatform

/// The settings of a server.
public struct ServeSettings: Sendable {
    /// The addresses to listen on.
    public var addresses: [ListenAddress]
    /// The maximum number of connections to each of them; those of a scraper stay open between its scrapes.
    public var connections: Int
    /// The part of a scrape's timeout that is kept for the way back.
    public var timeoutOffset: Duration
    /// The targets that may be probed.
    public var rules: TargetRules
    /// The maximum number of probes at once.
    public var concurrency: Int
    /// The number of probes that are kept for people, of those that pass and of those that fail.
    public var history: Int
    /// The program's version.
    public var version: String
    /// The access to the server itself.
    public var web: WebConfiguration
    /// The store of the last verdicts of the watch, which outlives a restart; nil keeps them as long as the process.
    public var memory: WatchMemory?
    /// The times for which it waits.
    var patience = ServePatience()

    /// The usual number of connections to each address.
    public static let connections = 4096

    /// Creates settings.
    public init(
        addresses: [ListenAddress], connections: Int = ServeSettings.connections, timeoutOffset: Duration,
        rules: TargetRules, concurrency: Int, history: Int,
        version: String, web: WebConfiguration = .open, memory: WatchMemory? = nil
    ) {
        self.addresses = addresses
        self.connections = connections
        self.timeoutOffset = timeoutOffset
        self.rules = rules
        self.concurrency = concurrency
        self.history = history
        self.version = version
        self.web = web
        self.memory = memory
    }

    /// Returns a digest of what decides on a verdict beside the configuration.
    ///
    /// - Parameter stacks: the names of the stacks.
    func setup(with stacks: String) -> String {
        let parts = FileDigest()
        for part in [version, stacks, rules.description] { parts.didRead(part) }
        return parts.hex
    }
}

/// An address to listen on: `127.0.0.1:9115`, `[::1]:9115`, or `:9115` for every address of the machine.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host; `::` for every address, and `0.0.0.0` where the kernel has no IPv6.
    let host: String
    /// The port; 0 lets the system choose one.
    let port: Int

    /// Reads an address.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) { try self.init(text, hasIPv6: Self.hasIPv6) }

    init(_ text: String, hasIPv6: @autoclosure () -> Bool) throws(InputError) {
        try InputError.refuseCredentials(in: text)
        guard let colon = text.lastIndex(of: ":") else {
            throw InputError("'\(text)' has no port", remedy: "write one like 127.0.0.1:9115")
        }
        let digits = text[text.index(after: colon)...]
        guard let port = UInt16(decimal: digits) else {
            throw InputError(
                "'\(text)' has the port '\(digits)'", remedy: "write a number up to 65535; 0 lets the system choose")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard host.isEmpty || host == "localhost" || IPAddress(host) != nil else {
            throw InputError("'\(host)' is not an address of this machine", remedy: "write one like 127.0.0.1:9115")
        }
        if host.isEmpty { host = hasIPv6() ? "::" : "0.0.0.0" }
        self.host = host
        self.port = Int(port)
    }

    /// False where the kernel was built or started without IPv6.
    private static var hasIPv6: Bool {
        let descriptor = socket(AF_INET6, Platform.stream, 0)
        guard descriptor >= 0 else { return errno != EAFNOSUPPORT }
        close(descriptor)
        return true
    }

    /// True if the system chooses the port, another one each time.
    public var hasAnyPort: Bool { port == 0 }

    /// The address as it is read.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
