public import ProbeKit
public import ProbeRun

/// The content of one line or argument: one target, or the targets of a range of addresses.
public enum ScanEntry: Sendable {
    /// A single target.
    case one(ScanTarget)
    /// Every address of the range, asked for its own address or for a name.
    case range(AddressBlock, port: UInt16, name: ServerName?, startTLS: StartTLS?)

    /// The longest line, in bytes.
    static let maximumLine = 64 << 10

    /// The number of targets.
    public var count: UInt64 {
        switch self {
        case .one: 1
        case .range(let range, _, _, _): range.count
        }
    }

    /// One of its targets, `index` being less than ``count``.
    public subscript(index: UInt64) -> ScanTarget {
        switch self {
        case .one(let target): return target
        case .range(let range, let port, let name, let startTLS):
            let address = ServerName.ip(range[index])
            let connect = name.map { _ in Endpoint(host: address, port: port) }
            var target = ScanTarget(
                target: Target(name: name ?? address, port: port, connect: connect, startTLS: startTLS))
            target.choosesPlace = connect != nil
            return target
        }
    }

    /// Reads a target, a range, `WHERE,NAME` or a JSON object.
    ///
    /// - Parameter startTLS: the protocol that starts TLS where the target has no scheme.
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String, startTLS: StartTLS? = nil) throws(InputError) {
        if text.hasPrefix("{") {
            self = .one(try ScanTargetRecord.target(of: text, startTLS: startTLS))
            return
        }
        let usual = startTLS?.port ?? 443
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
        guard parts.count <= 2 else {
            try InputError.refuseCredentials(in: text)
            throw InputError("'\(text)' has \(parts.count) parts", remedy: "write ADDRESS,NAME")
        }
        let place = parts[0]
        let identity = try parts.count == 2 ? Self.endpoint(parts[1]) : nil
        if place.contains("/"), !place.contains("://") {
            let (range, port) = try Self.range(place)
            self = .range(range, port: port ?? identity?.port ?? usual, name: identity?.name, startTLS: startTLS)
        } else if let identity {
            let dialled = try Endpoint(place, defaultPort: identity.port ?? usual, allowsZone: true)
            var target = ScanTarget(
                target: Target(
                    name: identity.name, port: identity.port ?? dialled.port, connect: dialled, startTLS: startTLS))
            target.choosesPlace = true
            self = .one(target)
        } else {
            self = .one(ScanTarget(target: try Target(place, startTLS: startTLS)))
        }
    }

    /// Returns the same with the content of its identity's files, if it names some.
    func withIdentity(reading read: TargetSource.IdentityReader) throws(InputError) -> ScanEntry {
        guard case .one(var target) = self, let files = target.identity else { return self }
        target.clientIdentity = try read(files)
        return .one(target)
    }

    /// Returns a name and, if given, a port.
    private static func endpoint(_ text: String) throws(InputError) -> (name: ServerName, port: UInt16?) {
        // Port 0 is invalid, so 0 means that no port was given.
        let endpoint = try Endpoint(text, defaultPort: 0)
        return (endpoint.host, endpoint.port == 0 ? nil : endpoint.port)
    }

    /// Reads `ADDRESS/LENGTH`, `ADDRESS/LENGTH:PORT` or `[ADDRESS/LENGTH]:PORT`.
    private static func range(_ text: String) throws(InputError) -> (AddressBlock, port: UInt16?) {
        try InputError.refuseCredentials(in: text)
        var range = text[...]
        var digits: Substring?
        if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
            range = text[text.index(after: text.startIndex)..<close]
            let rest = text[text.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else {
                throw InputError("'\(text)' has text after the bracket", remedy: "write [ADDRESS/LENGTH]:PORT")
            }
            digits = rest.isEmpty ? nil : rest.dropFirst()
        } else if let slash = text.firstIndex(of: "/"), let colon = text[slash...].firstIndex(of: ":") {
            range = text[..<colon]
            digits = text[text.index(after: colon)...]
        }
        guard let digits else { return (try block(range), nil) }
        guard let port = UInt16(decimal: digits), port > 0 else {
            throw InputError("'\(digits)' in '\(text)' is not a port", remedy: "ports go from 1 to 65535")
        }
        return (try block(range), port)
    }

    /// The largest range: any of IPv4, and a prefix of at least 96 bits of IPv6.
    private static let maximumBits = 32

    private static func block(_ text: Substring) throws(InputError) -> AddressBlock {
        let block = try AddressBlock(text)
        guard block.hostBits <= maximumBits else {
            throw InputError(
                "'\(text)' has 2^\(block.hostBits) addresses", remedy: "write prefixes of /96 or longer for IPv6")
        }
        return block
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let head = text.drop(while: isBlank)
        return String(head.reversed().drop(while: isBlank).reversed())
    }
}
