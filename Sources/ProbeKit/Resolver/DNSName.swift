/// A DNS name as its labels' bytes; compared ignoring ASCII case (RFC 4343).
public struct DNSName: Sendable, CustomStringConvertible {
    /// The labels without the root's empty one; each has 1 to 63 bytes, together with their lengths at most 255.
    public let labels: [[UInt8]]

    /// Creates a name of labels; nil if they break the limits of RFC 1035 section 2.3.4.
    public init?(labels: [[UInt8]]) {
        guard labels.allSatisfy({ (1...63).contains($0.count) }) else { return nil }
        guard labels.reduce(1, { $0 + $1.count + 1 }) <= 255 else { return nil }
        self.labels = labels
    }

    /// Reads a host-like name, with or without the trailing dot. Underscores are accepted, for names like
    /// `_service.example.com`.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) {
        guard case .dns(let name) = try ServerName(text) else {
            throw InputError("'\(text)' is an address", remedy: "DNS is asked for a name")
        }
        labels = name.split(separator: ".").map { Array($0.utf8) }
    }

    /// The name in wire form, uncompressed.
    public var wireBytes: [UInt8] {
        labels.flatMap { [UInt8($0.count)] + $0 } + [0]
    }

    /// The name with dots, bytes outside printable ASCII as `\DDD`, dots and backslashes in labels escaped.
    public var description: String {
        guard !labels.isEmpty else { return "." }
        return labels.map { MasterFileText.escape($0, also: [UInt8(ascii: ".")]) }.joined(separator: ".")
    }

    /// Returns true if the name is `zone` or below it.
    package func isWithin(_ zone: DNSName) -> Bool { folded.suffix(zone.labels.count).elementsEqual(zone.folded) }

    private var folded: [[UInt8]] { labels.map { $0.map(ASCII.lowercased) } }
}

extension DNSName: Hashable {
    /// Returns true if the labels are equal, ignoring ASCII case.
    public static func == (left: DNSName, right: DNSName) -> Bool { left.folded == right.folded }

    /// Hashes the folded labels, as equality does.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(folded)
    }
}
