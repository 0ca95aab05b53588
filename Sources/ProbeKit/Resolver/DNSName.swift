/// A DNS name; compared ignoring ASCII case (RFC 4343).
public struct DNSName: Sendable, CustomStringConvertible {
    /// The name in wire form, uncompressed (RFC 1035 section 3.1): each label after its length, then a zero; at most 255
    /// bytes.
    public let wireBytes: [UInt8]

    /// Creates a name of labels; nil if they break the limits of RFC 1035 section 2.3.4.
    public init?(labels: [[UInt8]]) {
        guard labels.allSatisfy({ (1...63).contains($0.count) }) else { return nil }
        self.init(wireBytes: labels.flatMap { [UInt8($0.count)] + $0 } + [0])
    }

    /// Creates a name of its wire form; nil if the bytes are not one.
    package init?(wireBytes: [UInt8]) {
        guard wireBytes.count <= 255 else { return nil }
        var position = 0
        while position < wireBytes.count, wireBytes[position] != 0 {
            guard wireBytes[position] <= 63 else { return nil }
            position += 1 + Int(wireBytes[position])
        }
        guard position == wireBytes.count - 1 else { return nil }
        self.wireBytes = wireBytes
    }

    /// Reads a host-like name, with or without the trailing dot. Underscores are accepted, for names like
    /// `_service.example.com`.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) {
        guard case .dns(let name) = try ServerName(text) else {
            throw InputError("'\(text)' is an address", remedy: "DNS is asked for a name")
        }
        // A host name keeps the limits of labels and of names.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.utf8.count + 2)
        for label in name.utf8.split(separator: UInt8(ascii: ".")) {
            bytes.append(UInt8(label.count))
            bytes.append(contentsOf: label)
        }
        bytes.append(0)
        wireBytes = bytes
    }

    /// The labels without the root's empty one; each has 1 to 63 bytes.
    public var labels: [[UInt8]] {
        var labels: [[UInt8]] = []
        forEachLabel { labels.append(Array($0)) }
        return labels
    }

    /// True if the name has no label.
    package var isRoot: Bool { wireBytes.count == 1 }

    /// The name with dots, bytes outside printable ASCII as `\DDD`, dots and backslashes in labels escaped.
    public var description: String {
        guard !isRoot else { return "." }
        let dot = UInt8(ascii: ".")
        var text: [UInt8] = []
        text.reserveCapacity(wireBytes.count)
        forEachLabel { label in
            if !text.isEmpty { text.append(dot) }
            MasterFileText.append(label, also: dot, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns true if the name is `zone` or below it.
    package func isWithin(_ zone: DNSName) -> Bool {
        var position = 0
        while wireBytes.count - position > zone.wireBytes.count { position += 1 + Int(wireBytes[position]) }
        return Self.isSame(wireBytes[position...], zone.wireBytes[...])
    }

    private func forEachLabel(_ body: (ArraySlice<UInt8>) -> Void) {
        var position = 0
        while wireBytes[position] != 0 {
            let end = position + 1 + Int(wireBytes[position])
            body(wireBytes[position + 1..<end])
            position = end
        }
    }

    /// Returns true if two wire forms differ in the case of letters at most; no length of a label is a letter.
    private static func isSame(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        left.elementsEqual(right) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}

extension DNSName: Hashable {
    /// Returns true if the labels are equal, ignoring ASCII case.
    public static func == (left: DNSName, right: DNSName) -> Bool {
        left.wireBytes.count == right.wireBytes.count && isSame(left.wireBytes[...], right.wireBytes[...])
    }

    /// Hashes the folded labels, as equality does.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wireBytes.map(ASCII.lowercased))
    }
}
