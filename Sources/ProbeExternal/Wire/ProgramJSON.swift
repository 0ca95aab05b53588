import ProbeKit
package import ProbePlatform

/// The JSON encoder and decoder for both sides.
package enum ProgramJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    package static func decode<Value: Decodable>(_ type: Value.Type = Value.self, _ data: Data) throws -> Value {
        let decoder = JSONDecoder()
        // Its own strategy names base64 neither in the error nor in a place for it.
        decoder.dataDecodingStrategy = .custom(bytes)
        return try decoder.decode(type, from: data)
    }

    @Sendable private static func bytes(from decoder: any Decoder) throws -> Data {
        guard let bytes = Data(base64Encoded: try decoder.singleValueContainer().decode(String.self)) else {
            throw WireError("'\(JSONFault.path(decoder.codingPath))' is not base64 with padding (RFC 4648 section 4)")
        }
        return bytes
    }
}
