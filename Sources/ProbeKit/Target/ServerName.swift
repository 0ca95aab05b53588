import ProbePlatform

/// The identity a server is asked to prove: a DNS name or an IP address (RFC 9525 section 2).
public enum ServerName: Hashable, Sendable, CustomStringConvertible {
    /// A DNS name in lowercase A-label form, without the trailing dot.
    case dns(String)
    /// An IP address; it is never sent as SNI (RFC 6066 section 3).
    case ip(IPAddress)

    /// Reads a host. Case and one trailing dot are normalised, and a name outside ASCII takes its A-label form (UTS 46);
    /// anything that is not a plain host name or address is refused, as requirement 72 asks.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) {
        // URLs have an IPv6 address in brackets (RFC 3986 section 3.2.2).
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.contains(":")
        if let address = IPAddress(isBracketed ? String(text.dropFirst().dropLast()) : text) {
            self = .ip(address)
            return
        }
        try InputError.refuseCredentials(in: text)
        var name = try Self.ascii(text).lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        try Self.check(name, as: text)
        self = .dns(name)
    }

    /// Reads `dns:NAME`, `ip:ADDRESS` or a plain name or address.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    package static func read(wireText text: String) throws(InputError) -> ServerName {
        try InputError.refuseCredentials(in: text)
        if text.hasPrefix("ip:") {
            guard let address = IPAddress(String(text.dropFirst(3))) else {
                throw InputError("'\(text)' is not an address", remedy: "write ip:192.0.2.1 or ip:2001:db8::1")
            }
            return .ip(address)
        }
        return try ServerName(text.hasPrefix("dns:") ? String(text.dropFirst(4)) : text)
    }

    /// `dns:` or `ip:` and the name, as it is written for programs and in batches.
    package var wireText: String {
        switch self {
        case .dns(let name): "dns:\(name)"
        case .ip(let address): "ip:\(address)"
        }
    }

    /// The name to send as SNI: the DNS name, or nil for an address.
    public var sni: String? {
        if case .dns(let name) = self { name } else { nil }
    }

    /// The name as people write it, if that is outside ASCII.
    public var unicode: String? { sni.flatMap(InternationalName.unicode) }

    /// Returns a text that has names in it, like a target's, with those outside ASCII as people write them; nil if it has
    /// none.
    package static func unicode(in text: String) -> String? {
        guard isMaybeInternational(text) else { return nil }
        var shown = ""
        var rest = text[...]
        while let first = rest.utf8.first {
            let isHost = isHostByte(first)
            let run = rest.prefix { $0.utf8.allSatisfy { isHostByte($0) || $0 == UInt8(ascii: ".") } == isHost }
            shown += isHost ? InternationalName.unicode(String(run)) ?? String(run) : String(run)
            rest = rest[run.endIndex...]
        }
        return shown == text ? nil : shown
    }

    /// Returns false if the text has no "--": looking for an A-label's prefix goes by characters, which takes longer.
    private static func isMaybeInternational(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { $0 == hyphen && $1 == hyphen } && text.contains("xn--")
    }

    /// The name or address, without brackets.
    public var description: String {
        switch self {
        case .dns(let name): name
        case .ip(let address): address.description
        }
    }

    private static func ascii(_ text: String) throws(InputError) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        do throws(InternationalName.Refusal) {
            return try InternationalName.ascii(text)
        } catch {
            switch error {
            case .label(let label, let reason):
                throw InputError(
                    "'\(PrintableText.escape(text))' is not a host name: IDNA refuses the label '\(PrintableText.escape(label))' (libidn2: \(reason))",
                    remedy: "write the name as it is registered, or an IP address")
            case .notInThisBuild:
                throw InputError(
                    "'\(PrintableText.escape(text))' has letters outside ASCII, which this build can't convert",
                    remedy: "write the name in its A-label form (xn--…), as the certificate does")
            }
        }
    }

    private static func check(_ name: String, as text: String) throws(InputError) {
        func refuse(_ reason: String) -> InputError {
            InputError(
                "'\(text)' is not a host name: \(reason)", remedy: "write a name like api.example.com or an IP address")
        }
        guard !name.isEmpty else { throw refuse("it is empty") }
        guard name.utf8.count <= 253 else { throw refuse("it is longer than 253 bytes") }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            guard !label.isEmpty else { throw refuse("a label is empty") }
            guard label.count <= 63 else { throw refuse("a label is longer than 63 bytes") }
            guard label.allSatisfy(isHostByte) else {
                throw refuse("only letters, digits, '-' and '_' can stand in a label")
            }
            guard label.first != hyphen, label.last != hyphen else { throw refuse("a label begins or ends with '-'") }
        }
        if let last = labels.last, isNumber(last) {
            throw refuse("the last label is a number, so it reads like a broken IP address")
        }
    }

    /// Returns true for digits, and for hexadecimal ones after `0x`: old resolvers take either for an address.
    private static func isNumber(_ label: Substring.UTF8View) -> Bool {
        label.allSatisfy { (0x30...0x39).contains($0) }
            || label.starts(with: "0x".utf8)
                && label.dropFirst(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private static var hyphen: UInt8 { UInt8(ascii: "-") }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
