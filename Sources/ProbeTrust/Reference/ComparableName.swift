import SwiftASN1
import X509

/// A distinguished name in the form RFC 5280 section 7.1 compares: strings ignoring case, outer spaces, runs of inner
/// ones, and encoding.
struct ComparableName: Hashable, Sendable {
    private enum Value: Hashable {
        case text(String)
        case other(ASN1Any)

        var size: Int {
            switch self {
            case .text(let text): return text.utf8.count
            case .other(let value):
                var coder = DER.Serializer()
                // A value that was parsed is its bytes; one that can't be written has none to compare.
                try? coder.serialize(value)
                return coder.serializedBytes.count
            }
        }
    }

    private struct Attribute: Hashable {
        let type: ASN1ObjectIdentifier
        let value: Value
    }

    private enum Part: Hashable {
        case one(Attribute)
        case several(Set<Attribute>)

        init(_ part: RelativeDistinguishedName) {
            let attributes = part.map { Attribute(type: $0.type, value: ComparableName.value($0.value)) }
            if attributes.count == 1, let only = attributes.first {
                self = .one(only)
                return
            }
            let distinct = Set(attributes)
            self = distinct.count == 1 ? .one(attributes[0]) : .several(distinct)
        }

        var size: Int {
            switch self {
            case .one(let attribute): ComparableName.attributeBytes + attribute.value.size
            case .several(let attributes):
                attributes.reduce(0) { $0 + ComparableName.attributeBytes + $1.value.size }
            }
        }
    }

    private let parts: [Part]
    /// Hashed once: the names of issuers are looked up repeatedly, and may be long.
    private let hash: Int
    /// The number of bytes that a comparison of the name reads.
    let size: Int

    /// The size of an attribute beside its value.
    private static let attributeBytes = 64

    init(_ name: DistinguishedName) {
        parts = name.map(Part.init)
        size = parts.reduce(0) { $0 + $1.size }
        hash = parts.hashValue
    }

    static func == (left: ComparableName, right: ComparableName) -> Bool {
        left.hash == right.hash && left.parts == right.parts
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Returns true if the two names have the same hash: fast, and sufficient where only the length of a search depends
    /// on it.
    func isProbably(_ other: ComparableName) -> Bool { hash == other.hash }

    /// Returns true if the name is in the subtree below `base` (RFC 5280 section 4.2.1.10).
    func isWithin(_ base: ComparableName) -> Bool {
        parts.starts(with: base.parts)
    }

    private static func value(_ value: RelativeDistinguishedName.Attribute.Value) -> Value {
        guard let text = String(value) else { return .other(ASN1Any(value)) }
        return .text(folded(text))
    }

    /// In lower case, with single spaces between words. Characters are not taken apart, which would take longer than all
    /// the rest.
    private static func folded(_ text: String) -> String {
        let words = text.lowercased().utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
        return String(decoding: Array(words.joined(separator: " ".utf8)), as: UTF8.self)
    }
}
