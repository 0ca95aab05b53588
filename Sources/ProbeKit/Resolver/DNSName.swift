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
        labels = name.utf8.split(separator: UInt8(ascii: ".")).map(Array.init)
    }

    /// The name in wire form, uncompressed.
    public var wireBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        for label in labels {
            bytes.append(UInt8(label.count))
            bytes.append(contentsOf: label)
        }
        bytes.append(0)
        return bytes
    }

    /// The name with dots, bytes outside printable ASCII as `\DDD`, dots and backslashes in labels escaped.
    public var description: String {
        guard !labels.isEmpty else { return "." }
        let dot = UInt8(ascii: ".")
        var text: [UInt8] = []
        for label in labels {
            if !text.isEmpty { text.append(dot) }
            MasterFileText.append(label, also: dot, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns true if the name is `zone` or below it.
    package func isWithin(_ zone: DNSName) -> Bool {
        labels.suffix(zone.labels.count).elementsEqual(zone.labels, by: Self.isSameLabel)
    }

    private static func isSameLabel(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.elementsEqual(right) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}

extension DNSName: Hashable {
    /// Returns true if the labels are equal, ignoring ASCII case.
    public static func == (left: DNSName, right: DNSName) -> Bool {
        left.labels.elementsEqual(right.labels, by: isSameLabel)
    }

    /// Hashes the folded labels, as equality does.
    public func hash(into hasher: inout Hasher) {
        for label in labels { hasher.combine(label.map(ASCII.lowercased)) }
    }
}
