import SwiftASN1
import X509

/// A distinguished name in the form RFC 5280 section 7.1 compares: strings without regard to case, outer spaces and runs
/// of inner ones, and whatever their encoding.
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

    private let parts: [Set<Attribute>]
    /// The bytes of the values.
    let size: Int

    init(_ name: DistinguishedName) {
        parts = name.map { part in
            Set(part.map { Attribute(type: $0.type, value: Self.value($0.value)) })
        }
        size = parts.joined().reduce(0) { $0 + $1.value.size }
    }

    /// Whether the name lies in the subtree below `base` (RFC 5280 section 4.2.1.10).
    func isWithin(_ base: ComparableName) -> Bool {
        parts.starts(with: base.parts)
    }

    private static func value(_ value: RelativeDistinguishedName.Attribute.Value) -> Value {
        guard let text = String(value) else { return .other(ASN1Any(value)) }
        let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: true)
        return .text(words.joined(separator: " "))
    }
}
