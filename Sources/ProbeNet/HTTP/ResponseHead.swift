package import ProbeKit

/// Reads the head of an HTTP/1.1 response from its bytes as they come (RFC 9112).
///
/// Every stack's response is read here, for HTTP libraries differ in what they accept beside the grammar: a verdict that depends
/// on the server's clock must not depend on them. A line may end with LF alone (section 2.2), and a value may go on in the next
/// line (section 5.2); all else that is not in the grammar is refused.
package struct ResponseHead {
    private typealias Field = (name: [UInt8], value: [UInt8])

    private var line: [UInt8] = []
    /// The status of the response that is being read; nil before its first line.
    private var status: Int?
    /// The field whose value may go on.
    private var open: Field?
    private var fields: [Field] = []
    private var fieldCount = 0
    /// The response, or the reason why there is none; nil before either is known.
    package private(set) var answer: HTTPReport.Answer?

    /// Far more than servers send; libraries have limits of their own above it.
    private static let maximumFields = 1000
    private static let maximumLine = 64 * 1024

    package init() {}

    /// Reads the next bytes; those after the head are ignored.
    package mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where answer == nil {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                if line.count > Self.maximumLine { refuse("a line of more than \(Self.maximumLine) bytes") }
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            takeLine()
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func takeLine() {
        guard !line.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else {
            return refuse("a NUL or CR in a line")
        }
        if status == nil {
            takeStatus()
        } else if line.isEmpty {
            end()
        } else if Self.isBlank(line[0]) {
            guard open != nil else { return refuse("a first field that continues another") }
            open?.value += [UInt8(ascii: " ")] + line.drop(while: Self.isBlank)
        } else {
            takeField()
        }
    }

    /// status-line = HTTP-version SP status-code SP [ reason-phrase ] (RFC 9112 section 4); many servers leave out the last
    /// space with the phrase.
    private mutating func takeStatus() {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1, ["HTTP/1.0", "HTTP/1.1"].contains(where: { parts[0].elementsEqual($0.utf8) }) else {
            return refuse("a first line of another protocol")
        }
        guard parts[1].count == 3, parts[1].allSatisfy(Self.isDigit) else {
            return refuse("a status that is not a number")
        }
        status = parts[1].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// field-line = field-name ":" OWS field-value OWS (RFC 9112 section 5).
    private mutating func takeField() {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[..<colon].allSatisfy(Self.isToken)
        else {
            return refuse("a field without a name")
        }
        keep()
        fieldCount += 1
        guard fieldCount <= Self.maximumFields else { return refuse("more than \(Self.maximumFields) fields") }
        open = (line[..<colon].map { $0 | (Self.isUppercase($0) ? 0x20 : 0) }, Array(line[(colon + 1)...]))
    }

    private mutating func keep() {
        if let field = open { fields.append(field) }
        open = nil
    }

    private mutating func end() {
        keep()
        guard let status else { return }
        guard values("content-length").allSatisfy(Self.isLength) else { return refuse("a length that is not a number") }
        answer = Self.answer(status, version: "http/1.1") { name in
            values(name).map { String(decoding: $0, as: UTF8.self) }
        }
        if answer == nil { (self.status, fields, fieldCount) = (nil, [], 0) }
    }

    /// Returns what a response says; nil for an interim one, of which as many come first as the server likes (RFC 9110 section
    /// 15.2).
    ///
    /// - Parameter values: the values of the fields of a name in lowercase.
    package static func answer(
        _ status: Int, version: String, values: (String) -> [String]
    ) -> HTTPReport.Answer? {
        if (100..<200).contains(status), status != 101 { return nil }
        guard (200..<600).contains(status) else {
            return .unavailable(reason: "the server answers with the HTTP status \(status), which answers no HEAD")
        }
        return .response(
            HTTPReport.Response(
                version: version, status: status, date: values("date"), age: values("age"),
                retryAfter: values("retry-after")))
    }

    private func values(_ name: String) -> [[UInt8]] { fields.filter { $0.name.elementsEqual(name.utf8) }.map(\.value) }

    private mutating func refuse(_ what: String) {
        answer = .unavailable(reason: "there is no response: the server's reply is not HTTP/1.1 (\(what))")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isUppercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isLength(_ value: [UInt8]) -> Bool {
        let digits = value.drop(while: isBlank).reversed().drop(while: isBlank)
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    /// tchar (RFC 9110 section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
