import ProbeKit
import ProbePins

/// The TLSA records of a text as zone files (RFC 1035 section 5.1) and dig write them.
struct TLSAZone {
    /// Records of one owner, of which any may match.
    struct RecordSet {
        /// The owner; nil for records without one.
        let owner: String?
        var records: [TLSARecord]
    }

    private let input: FormatInput
    private(set) var sets: [RecordSet] = []
    private var indices: [String?: Int] = [:]
    /// The number of records of other types.
    private(set) var others = 0
    private var origin: String?
    private var owner: String?

    init(_ input: FormatInput) throws(InputError) {
        self.input = input
        var pending: [Substring] = []
        var (start, depth, isContinued) = (1, 0, false)
        let lines = try input.requiredText().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = line.prefix { $0 != ";" }
            if depth == 0 { (pending, start, isContinued) = ([], index + 1, text.first?.isWhitespace ?? false) }
            for word in text.split(whereSeparator: \.isWhitespace) {
                depth += word.count { $0 == "(" } - word.count { $0 == ")" }
                pending += word.split { $0 == "(" || $0 == ")" }
            }
            guard depth <= 0 else { continue }
            depth = 0
            if !pending.isEmpty { try add(pending, startsWithBlank: isContinued, line: start) }
        }
        guard depth == 0 else {
            throw input.refuse("opens a parenthesis and does not close it", line: start, remedy: "close it")
        }
    }

    private mutating func add(_ words: [Substring], startsWithBlank: Bool, line: Int) throws(InputError) {
        if words[0].hasPrefix("$") {
            if words[0].uppercased() == "$ORIGIN", words.count > 1 { origin = absolute(String(words[1])) }
            return
        }
        guard let type = words.firstIndex(where: { $0.uppercased() == "TLSA" }) else {
            guard words.count >= 4, words.prefix(3).allSatisfy({ UInt8(decimal: $0) != nil }) else {
                if !startsWithBlank { owner = absolute(String(words[0])) }
                others += 1
                return
            }
            return add(try TLSARecord(words, line: line, input), owner: nil)
        }
        var head = words[..<type]
        if !startsWithBlank, let first = head.popFirst() { owner = absolute(String(first)) }
        guard head.allSatisfy({ $0.uppercased() == "IN" || $0.first?.isNumber ?? false }) else {
            throw input.refuse(
                "has '\(head.joined(separator: " "))' before TLSA", line: line, remedy: "write OWNER [TTL] IN TLSA …")
        }
        add(try TLSARecord(words[(type + 1)...], line: line, input), owner: owner)
    }

    private mutating func add(_ record: TLSARecord, owner: String?) {
        if let index = indices[owner] {
            sets[index].records.append(record)
        } else {
            indices[owner] = sets.count
            sets.append(RecordSet(owner: owner, records: [record]))
        }
    }

    /// Returns the absolute name; one without a dot at its end is below the origin, if one was given.
    private func absolute(_ name: String) -> String {
        if name.hasSuffix(".") { return String(name.dropLast()).lowercased() }
        if name == "@" { return origin ?? name }
        return (origin.map { "\(name).\($0)" } ?? name).lowercased()
    }
}

/// A TLSA record, and its line in the file.
struct TLSARecord {
    let fields: TLSAFields
    let line: Int

    /// - Parameter fields: usage, selector, matching type and hexadecimal digits, perhaps in pieces.
    init(_ fields: some Collection<Substring>, line: Int, _ input: FormatInput) throws(InputError) {
        guard let fields = TLSAFields(fields) else {
            throw input.refuse(
                "is not a TLSA record", line: line,
                remedy: "write usage, selector, matching type and hexadecimal digits")
        }
        (self.fields, self.line) = (fields, line)
    }
}
