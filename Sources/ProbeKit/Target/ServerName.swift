/// The identity a server is asked to prove: a DNS name or an IP address (RFC 9525 section 2).
public enum ServerName: Hashable, Sendable, CustomStringConvertible {
    /// A DNS name in lowercase A-label form, without the trailing dot.
    case dns(String)
    /// An IP address; it is never sent as SNI (RFC 6066 section 3).
    case ip(IPAddress)

    /// Reads a host. Case and one trailing dot are normalised; anything that is not a plain host name or address is
    /// refused, as requirement 72 asks.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) {
        if let address = IPAddress(text) {
            self = .ip(address)
            return
        }
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        try Self.check(name, as: text)
        self = .dns(name)
    }

    /// The name to send as SNI: the DNS name, or nil for an address.
    public var sni: String? {
        if case .dns(let name) = self { name } else { nil }
    }

    /// The name or address, without brackets.
    public var description: String {
        switch self {
        case .dns(let name): name
        case .ip(let address): address.description
        }
    }

    private static func check(_ name: String, as text: String) throws(InputError) {
        func refuse(_ reason: String) -> InputError {
            InputError(
                "'\(text)' is not a host name: \(reason)", remedy: "write a name like api.example.com or an IP address")
        }
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw InputError(
                "'\(text)' has letters outside ASCII",
                remedy: "write the name in its A-label form (xn--…), as the certificate does")
        }
        guard !name.isEmpty else { throw refuse("it is empty") }
        guard name.utf8.count <= 253 else { throw refuse("it is longer than 253 bytes") }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            guard !label.isEmpty else { throw refuse("a label is empty") }
            guard label.utf8.count <= 63 else { throw refuse("a label is longer than 63 bytes") }
            guard label.utf8.allSatisfy(isHostByte) else {
                throw refuse("only letters, digits, '-' and '_' can stand in a label")
            }
            guard !label.hasPrefix("-"), !label.hasSuffix("-") else { throw refuse("a label begins or ends with '-'") }
        }
        if let last = labels.last, last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            throw refuse("the last label is a number, so it reads like a broken IP address")
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
