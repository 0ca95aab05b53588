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
    /// Warnings about lines that lead to records elsewhere.
    private(set) var notes: [FormatNote] = []
    private var indices: [String?: Int] = [:]
    /// The number of records of other types.
    private(set) var others = 0
    private var aliases = ZoneAliases()
    private var origin: String?
    private var owner: String?
    /// The owners whose names are not whole, where no origin is given.
    private var relative: Set<String> = []

    init(_ input: FormatInput) throws(InputError) {
        self.input = input
        for entry in try ZoneEntry.all(of: input) { try add(entry) }
        try followAliases()
    }

    private mutating func add(_ entry: ZoneEntry) throws(InputError) {
        let words = entry.words
        guard let first = words.first else { return }
        if first.keyword?.hasPrefix("$") ?? false { return obey(entry) }
        if Self.isFields(words) { return add(try TLSARecord(words[...], line: entry.line, input), owner: nil) }
        var rest = words[...]
        // A line may begin with the type, where an owner would stand.
        if !entry.startsWithBlank, !first.isTLSA, let name = rest.popFirst() {
            let name = name.text
            owner = absolute(name)
            if let owner, origin == nil, !name.hasSuffix(".") { relative.insert(owner) }
        }
        rest = rest.drop(while: \.isClassOrLifetime)
        guard let type = rest.popFirst() else {
            others += 1
            return
        }
        if type.isTLSA { return add(try TLSARecord(rest, line: entry.line, input), owner: owner) }
        try refuseMisplaced(type, rest, line: entry.line)
        guard type.keyword == "CNAME", let owner, let name = rest.first else {
            others += 1
            return
        }
        aliases.add(owner, name: absolute(name.text), line: entry.line)
    }

    /// Returns true for an owner that is below the origin of its zone, which the file does not give.
    func lacksOrigin(_ owner: String) -> Bool { relative.contains(owner) }

    private mutating func add(_ record: TLSARecord, owner: String?) {
        if let index = indices[owner] {
            sets[index].records.append(record)
        } else {
            indices[owner] = sets.count
            sets.append(RecordSet(owner: owner, records: [record]))
        }
    }

    /// Obeys a directive, or warns of one that would have led to further records.
    private mutating func obey(_ entry: ZoneEntry) {
        let name = entry.words[0].text.uppercased()
        switch name {
        case "$ORIGIN":
            if entry.words.count > 1 { origin = absolute(entry.words[1].text) }
        case "$TTL": break
        default:
            notes.append(
                .warning("directive", "line \(entry.line): \(name) is not followed: records that it adds are left out"))
        }
    }

    /// Gives the owners that are other names the records of the names they lead to (RFC 7671).
    private mutating func followAliases() throws(InputError) {
        var reached: Set<String> = []
        var count = 0
        for alias in aliases.all where indices[alias.owner] == nil {
            // Most aliases are of hosts.
            guard TLSAOwner(alias.owner) != nil else {
                if alias.owner.hasPrefix("*._") {
                    notes.append(
                        .warning(
                            "owner",
                            "line \(alias.line): \(alias.owner) is not the name of a port of a host, like _443._tcp.example.com: it is left out"
                        ))
                } else {
                    others += 1
                }
                continue
            }
            guard let name = aliases.end(of: alias, where: { indices[$0] != nil }), let index = indices[name] else {
                notes.append(
                    .warning(
                        "alias",
                        "line \(alias.line): \(alias.owner) is another name of \(alias.name), whose records are not in the file: it is left out"
                    ))
                continue
            }
            reached.insert(name)
            count += sets[index].records.count
            guard count <= Self.maximumOfAliases else {
                throw input.refuse(
                    "has more than \(Self.maximumOfAliases) records by other names", line: alias.line,
                    remedy: "split the file")
            }
            sets.append(RecordSet(owner: alias.owner, records: sets[index].records))
        }
        sets.removeAll { set in set.owner.map { reached.contains($0) && TLSAOwner($0) == nil } ?? false }
    }

    /// Many aliases of one name with many records would take work of the product of both.
    private static let maximumOfAliases = 100_000

    /// Refuses a record with another word before its type: it would be lost as one of another type.
    private func refuseMisplaced(
        _ type: ZoneEntry.Word, _ rest: ArraySlice<ZoneEntry.Word>, line: Int
    ) throws(InputError) {
        guard let place = rest.firstIndex(where: \.isTLSA), TLSAFields(rest[(place + 1)...].map(\.text)) != nil else {
            return
        }
        let head = ([type] + rest[..<place]).map(\.text).joined(separator: " ")
        throw input.refuse("has '\(head)' before TLSA", line: line, remedy: "write OWNER [TTL] IN TLSA …")
    }

    /// Returns true for the data of a record alone, as `dig +short` prints it.
    private static func isFields(_ words: [ZoneEntry.Word]) -> Bool {
        guard words.count > 2, !words[0].isQuoted else { return false }
        return words[0].text == TLSAFields.genericMark
            || words.count > 3 && words.prefix(3).allSatisfy { UInt8(decimal: $0.text) != nil }
    }

    /// Returns the absolute name; one without a dot at its end is below the origin, if one was given.
    private func absolute(_ name: Substring) -> String {
        if name.hasSuffix(".") { return name.dropLast().lowercased() }
        guard let origin else { return name.lowercased() }
        if name == "@" { return origin }
        return origin.isEmpty ? name.lowercased() : "\(name).\(origin)".lowercased()
    }
}

/// A TLSA record, and its line in the file.
struct TLSARecord {
    let fields: TLSAFields
    let line: Int

    /// - Parameter words: usage, selector, matching type and hexadecimal digits, perhaps in pieces; or the form of unknown
    ///   types.
    init(_ words: ArraySlice<ZoneEntry.Word>, line: Int, _ input: FormatInput) throws(InputError) {
        guard let fields = TLSAFields(words.map(\.text)) else {
            let isGeneric = words.first?.text == Substring(TLSAFields.genericMark)
            throw input.refuse(
                "is not a TLSA record", line: line,
                remedy: isGeneric
                    ? "write \\#, the number of octets, and twice as many hexadecimal digits"
                    : "write usage, selector, matching type and hexadecimal digits")
        }
        (self.fields, self.line) = (fields, line)
    }
}

extension ZoneEntry.Word {
    /// True for the type of the records, by its name or its number (RFC 3597 section 5).
    fileprivate var isTLSA: Bool { keyword == "TLSA" || keyword == "TYPE52" }

    /// True for what may stand before a type.
    fileprivate var isClassOrLifetime: Bool { keyword == "IN" || !isQuoted && text.first?.isNumber ?? false }
}
