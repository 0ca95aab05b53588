/// The list of models that a name's TXT records publish (requirements 17 and 18).
///
/// Items are separated by commas and trimmed of space, tab, carriage return and line feed; empty ones do not count. The
/// lists of several records are united.
public struct ModelList: Hashable, Sendable {
    /// The records the list was read from.
    public let records: [TXTRecord]
    /// The way the strings of one record were read.
    public let strings: TXTStrings
    /// The items' bytes in lowercase, each once, in order of appearance.
    public let items: [[UInt8]]

    /// Reads the list out of records.
    public init(records: [TXTRecord], strings: TXTStrings = .joined) {
        self.records = records
        self.strings = strings
        items = Self.items(of: records, strings)
    }

    /// Returns true if the list contains the model.
    public func contains(_ model: ModelName) -> Bool { items.contains(Array(model.description.utf8)) }

    /// True if the other way of reading ``TXTStrings`` gives other items, so that two clients may see two lists. The
    /// two agree if each string but the last ends with a comma, none is empty, and all are UTF-8.
    public var dependsOnStrings: Bool {
        guard !records.allSatisfy(Self.isOneText) else { return false }
        return Set(items) != Set(readOtherwise.items)
    }

    /// The list of the same records by the other way of reading ``TXTStrings``.
    package var readOtherwise: ModelList {
        ModelList(records: records, strings: strings == .joined ? .separate : .joined)
    }

    /// Returns true if two records of the list differ over a model, or over any if none is given: a client that looks
    /// at one record only may see a list without it.
    func dependsOnRecord(_ model: ModelName?) -> Bool {
        guard records.count > 1 else { return false }
        return Set(records.map { lookedAt($0, for: model) }).count > 1
    }

    /// Returns the number of records that list a model.
    package func recordCount(listing model: ModelName) -> Int { records.count { !lookedAt($0, for: model).isEmpty } }

    /// Returns the items of one record alone, as far as they matter to a question about a model.
    private func lookedAt(_ record: TXTRecord, for model: ModelName?) -> Set<[UInt8]> {
        let items = Set(Self.items(of: [record], strings))
        return model.map { items.intersection([Array($0.description.utf8)]) } ?? items
    }

    /// The advice for writing a list that has the same items under both ways of reading ``TXTStrings``.
    package static let remedy =
        "end every string of the record but the last with a comma, and let none be empty or anything but UTF-8"

    private static func items(of records: [TXTRecord], _ strings: TXTStrings) -> [[UInt8]] {
        let texts =
            switch strings {
            case .joined: records.map { $0.strings.count == 1 ? $0.strings[0] : Array($0.strings.joined()) }
            case .separate: records.flatMap(separate)
            }
        var seen: Set<[UInt8]> = []
        return texts.flatMap { $0.split(separator: UInt8(ascii: ",")) }
            .map { trimmed($0).map(ASCII.lowercased) }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// Returns the strings of a record that the shipped app reads.
    private static func separate(_ record: TXTRecord) -> [[UInt8]] {
        record.strings.prefix { !$0.isEmpty }.filter { String(validating: $0, as: UTF8.self) != nil }
    }

    /// Returns true if a record is a single string of UTF-8, which has nothing to join.
    private static func isOneText(_ record: TXTRecord) -> Bool {
        record.strings.count == 1 && String(validating: record.strings[0], as: UTF8.self) != nil
    }

    private static func trimmed(_ item: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0d, 0x0a].contains(byte) }
        let start = item.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return [] }
        return start[...last]
    }
}

/// The rule by which the character-strings of one TXT record become text.
public enum TXTStrings: String, Hashable, Sendable, Codable, CaseIterable {
    /// They are joined without a separator, as SPF does (RFC 7208 section 3.3).
    case joined
    /// Each string is a list of its own, as the shipped app of requirement 17 reads them: an empty string ends the
    /// record, and a string that is not UTF-8 is skipped. The app looks at one record of several, whichever comes
    /// first, so a model has to be in each of them.
    case separate
}
