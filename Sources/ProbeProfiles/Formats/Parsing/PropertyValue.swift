/// A value of a property list, as far as we write it.
enum PropertyValue: Encodable {
    case flag(Bool)
    case text(String)
    case list([PropertyValue])
    case dictionary([String: PropertyValue])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .dictionary(let values): try container.encode(values)
        }
    }
}
