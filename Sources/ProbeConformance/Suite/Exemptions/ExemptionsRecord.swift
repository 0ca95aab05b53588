/// A file of exemptions as written; an unknown key is an error, since it would silently have no effect.
struct ExemptionsRecord: Decodable {
    struct Entry: Decodable {
        let id: String
        let outcomes: [String]
        let code: String?
        let offlineTrust: String?
        let reason: String

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case id = "case"
            case outcomes, code, offlineTrust, reason
        }

        init(from decoder: any Decoder) throws {
            try ExemptionsRecord.checkKeys(of: decoder, known: CodingKeys.allCases.map(\.rawValue))
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            outcomes = try container.decode([String].self, forKey: .outcomes)
            code = try container.decodeIfPresent(String.self, forKey: .code)
            offlineTrust = try container.decodeIfPresent(String.self, forKey: .offlineTrust)
            reason = try container.decode(String.self, forKey: .reason)
        }
    }

    static let schema = "probe-exemptions/1"
    static let example =
        #"{"schema": "probe-exemptions/1", "backends": {"NAME": [{"case": …, "outcomes": […], "reason": …}]}}"#

    let backends: [String: [Entry]]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case schema, backends
    }

    init(from decoder: any Decoder) throws {
        try Self.checkKeys(of: decoder, known: CodingKeys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(String.self, forKey: .schema)
        guard version == Self.schema else {
            throw DecodingError.dataCorruptedError(
                forKey: .schema, in: container, debugDescription: "it is '\(version)', known is \(Self.schema)")
        }
        backends = try container.decode([String: [Entry]].self, forKey: .backends)
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static func checkKeys(of decoder: any Decoder, known: [String]) throws {
        let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
        guard let unknown = keys.first(where: { !known.contains($0) }) else { return }
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: decoder.codingPath,
                debugDescription: "the key '\(unknown)' is not known, known are \(known.joined(separator: ", "))"))
    }
}
