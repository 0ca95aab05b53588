package import FoundationEssentials
import ProbeKit

/// One request to a program, as written each time it is sent.
struct ProgramQuestion: Sendable {
    /// The type of the request, which its reply repeats.
    let type: String
    let deadline: Deadline
    /// The line for an id, without its end.
    let line: @Sendable (_ id: Int) throws -> Data
    /// Decides whether the program may continue, from the facts so far; nil if there is nothing to approve.
    let approve: (@Sendable (Data) async throws -> Bool)?

    init(
        _ type: String, _ body: some Encodable & Sendable, deadline: Deadline,
        approve: (@Sendable (Data) async throws -> Bool)? = nil
    ) {
        self.type = type
        self.deadline = deadline
        self.approve = approve
        line = { id in
            try ProgramJSON.encode(
                WireRequest(id: id, type: type, deadline: deadline.remaining.inSeconds, body: body))
        }
    }
}

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
