package import ProbeKit

/// A service binding, as an SVCB or HTTPS record has it (RFC 9460).
package struct ServiceBinding: Sendable {
    /// The parameters of a binding that this reader knows, and the numbers of the mandatory ones (RFC 9460 section 7).
    package struct Parameters: Sendable {
        package fileprivate(set) var mandatory: [UInt16] = []
        package fileprivate(set) var alpn: [String] = []
        /// True if only the protocols of ``alpn`` are spoken, and not the default one too.
        package fileprivate(set) var hasNoDefaultALPN = false
        package fileprivate(set) var port: UInt16?
        package fileprivate(set) var hints: [IPAddress] = []
        package fileprivate(set) var hasECH = false
    }

    /// The priority; 0 is an alias.
    package let priority: UInt16
    /// The name that has the addresses. The root stands for the record's owner; of an alias it offers no service.
    package let target: DNSName
    /// The parameters, or why they break their form.
    package let parameters: Result<Parameters, ReplyFault>

    package var isAlias: Bool { priority == 0 }
}

extension DNSMessage {
    /// Returns the fields of an SVCB or HTTPS record. The reader of the message has not checked the form of one that was asked
    /// for.
    package func binding(of record: DNSRecord) throws(ReplyFault) -> ServiceBinding {
        var reader = DNSWireReader(bytes, at: record.data.lowerBound, until: record.data.upperBound)
        let (priority, target) = (try reader.word(), try reader.name())
        return ServiceBinding(
            priority: priority, target: target,
            parameters: Result { () throws(ReplyFault) in try ServiceBinding.Parameters(&reader) })
    }
}

extension ServiceBinding.Parameters {
    /// The numbers of the known keys (RFC 9460 section 14.3.2).
    private enum Key {
        static let (mandatory, alpn, noDefaultALPN, port): (UInt16, UInt16, UInt16, UInt16) = (0, 1, 2, 3)
        static let (ipv4Hint, ech, ipv6Hint): (UInt16, UInt16, UInt16) = (4, 5, 6)
    }

    /// The mandatory keys that this client can't honour.
    package var unknown: [UInt16] {
        let known = [Key.alpn, Key.noDefaultALPN, Key.port, Key.ipv4Hint, Key.ipv6Hint]
        return mandatory.filter { !known.contains($0) }
    }

    /// Returns the name of a key as a zone has it.
    package static func name(_ key: UInt16) -> String { key == Key.ech ? "ech" : "key\(key)" }

    /// Keys out of order, a key that stands twice and a cut value are malformed (RFC 9460 section 2.2).
    fileprivate init(_ reader: inout DNSWireReader) throws(ReplyFault) {
        var keys: Set<UInt16> = []
        var last: UInt16?
        while !reader.isAtEnd {
            let key = try reader.word()
            if let last, key <= last { throw .malformed("key\(key) follows key\(last), and keys have to ascend") }
            last = key
            let range = try reader.take(Int(reader.word()))
            let value = Array(reader.bytes[range])
            keys.insert(key)
            switch key {
            case Key.mandatory: mandatory = try Self.numbers(value)
            case Key.alpn: alpn = try Self.protocols(value)
            case Key.noDefaultALPN:
                guard value.isEmpty else { throw .malformed("no-default-alpn has a value") }
                hasNoDefaultALPN = true
            case Key.port:
                guard value.count == 2 else { throw .malformed("a port has \(value.count) bytes") }
                port = UInt16(value[0]) << 8 | UInt16(value[1])
            case Key.ipv4Hint: hints += try Self.addresses(value, of: 4)
            case Key.ipv6Hint: hints += try Self.addresses(value, of: 16)
            case Key.ech: hasECH = true
            default: break
            }
        }
        guard keys.isSuperset(of: mandatory) else { throw .malformed("a mandatory parameter is missing") }
        guard !hasNoDefaultALPN || !alpn.isEmpty else { throw .malformed("no-default-alpn stands without alpn") }
    }

    /// The mandatory keys ascend, and the list of them is not one (RFC 9460 section 8).
    private static func numbers(_ value: [UInt8]) throws(ReplyFault) -> [UInt16] {
        let numbers = stride(from: 0, to: value.count - 1, by: 2).map { UInt16(value[$0]) << 8 | UInt16(value[$0 + 1]) }
        guard !value.isEmpty, value.count.isMultiple(of: 2), numbers.first != Key.mandatory,
            zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw .malformed("the list of mandatory parameters is malformed") }
        return numbers
    }

    private static func protocols(_ value: [UInt8]) throws(ReplyFault) -> [String] {
        var names: [String] = []
        var reader = DNSWireReader(value, at: 0)
        while !reader.isAtEnd {
            let range = try reader.take(Int(reader.byte()))
            guard !range.isEmpty else { throw .malformed("an application protocol has no name") }
            names.append(String(decoding: value[range], as: UTF8.self))
        }
        guard !names.isEmpty else { throw .malformed("the list of application protocols is empty") }
        return names
    }

    private static func addresses(_ value: [UInt8], of size: Int) throws(ReplyFault) -> [IPAddress] {
        guard !value.isEmpty, value.count.isMultiple(of: size) else {
            throw .malformed("the addresses of a hint have \(value.count) bytes")
        }
        return stride(from: 0, to: value.count, by: size).compactMap {
            IPAddress(bytes: Array(value[$0..<$0 + size]))
        }
    }
}
