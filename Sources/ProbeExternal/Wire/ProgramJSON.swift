package import ProbePlatform

/// The JSON encoder and decoder for both sides.
package enum ProgramJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    package static func decode<Value: Decodable>(_ type: Value.Type = Value.self, _ data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
