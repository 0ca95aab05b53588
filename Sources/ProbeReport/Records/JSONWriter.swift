import ProbeKit

/// A record that writes itself as JSON without what `Codable` costs for each key.
///
/// `Codable` stays the definition of what is written: keys in the order of their bytes, the same values. Builds without
/// optimisation compare every line with it, so that a key that is missing here ends each test that prints one.
package protocol JSONWritable: Encodable {
    /// Writes the value.
    func write(to json: inout JSONWriter)
}

/// JSON on one line, as ``JSONText`` prints it, written straight as bytes.
package struct JSONWriter: Sendable {
    private var bytes: [UInt8] = []
    /// True if the object or list that is being written has something in it.
    private var hasElement = false

    /// Returns a record on one line.
    package static func line(_ record: some JSONWritable) -> String {
        var json = JSONWriter()
        // Most lines are of one or two certificates.
        json.bytes.reserveCapacity(4096)
        record.write(to: &json)
        let line = String(decoding: json.bytes, as: UTF8.self)
        assert(line == JSONText.line(record), "both writers of JSON have to agree")
        return line
    }

    /// Writes an object, whose fields have to come in the order of their keys.
    package mutating func object(_ fields: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        hasElement = false
        fields(&self)
        bytes.append(UInt8(ascii: "}"))
        hasElement = true
    }

    /// Writes a field of an object.
    package mutating func field(_ key: StaticString, _ value: some JSONWritable) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &self)
        hasElement = true
    }

    /// Writes a list.
    package mutating func list(_ elements: [some JSONWritable]) {
        bytes.append(UInt8(ascii: "["))
        hasElement = false
        for element in elements {
            separate()
            element.write(to: &self)
            hasElement = true
        }
        bytes.append(UInt8(ascii: "]"))
        hasElement = true
    }

    /// Writes text that needs no escapes: a number, a name of the language.
    package mutating func plain(_ text: String) {
        // Its bytes at once: one by one they are most of a line's time.
        var text = text
        text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }

    /// Writes a string with the escapes that it needs (RFC 8259 section 7).
    package mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { characters in
            if unsafe characters.contains(where: Self.isEscaped) {
                unsafe characters.forEach { escape($0) }
            } else {
                unsafe bytes.append(contentsOf: characters)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func separate() {
        if hasElement { bytes.append(UInt8(ascii: ",")) }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        guard Self.isEscaped(byte) else { return bytes.append(byte) }
        switch byte {
        case UInt8(ascii: "\""): plain(#"\""#)
        case UInt8(ascii: "\\"): plain(#"\\"#)
        case 0x08: plain(#"\b"#)
        case 0x09: plain(#"\t"#)
        case 0x0a: plain(#"\n"#)
        case 0x0c: plain(#"\f"#)
        case 0x0d: plain(#"\r"#)
        default: plain(#"\u00"# + Hex.encode([byte]))
        }
    }
}

extension JSONWritable where Self: RawRepresentable, RawValue == String {
    /// Writes the raw value.
    package func write(to json: inout JSONWriter) { json.string(rawValue) }
}

extension String: JSONWritable {
    package func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONWritable {
    package func write(to json: inout JSONWriter) { json.plain(self ? "true" : "false") }
}

extension JSONWritable where Self: FixedWidthInteger {
    /// Writes the number.
    package func write(to json: inout JSONWriter) { json.plain(String(self)) }
}

extension Int: JSONWritable {}
extension UInt8: JSONWritable {}
extension UInt16: JSONWritable {}
extension UInt32: JSONWritable {}

extension Double: JSONWritable {
    /// Writes the number, a whole one without a fraction. It has to be finite.
    package func write(to json: inout JSONWriter) {
        precondition(isFinite, "JSON has no such number")
        let text = description
        json.plain(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.plain("null") }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to json: inout JSONWriter) { json.list(self) }
}

// The contract's own types, as a report has them.
extension Outcome: JSONWritable {}
extension Stage: JSONWritable {}
extension Finding.Severity: JSONWritable {}
extension CertificateEvidence.Source: JSONWritable {}
extension DNSAttempt.Channel: JSONWritable {}
extension DNSFailure.Code: JSONWritable {}
extension HandshakeFailure.Code: JSONWritable {}
extension TLSVersion: JSONWritable {}
extension TrustCause: JSONWritable {}
extension TrustMode: JSONWritable {}

extension Finding: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("code", code)
            $0.field("fix", fix)
            $0.field("message", message)
            $0.field("severity", severity)
            $0.field("stage", stage)
        }
    }
}
