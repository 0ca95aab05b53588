import FoundationEssentials
import ProbeKit

/// A request: the common fields, and the members of its type.
struct WireRequest<Body: Encodable>: Encodable {
    let id: Int
    let type: String
    let deadline: Double
    let body: Body

    private enum CodingKeys: String, CodingKey {
        case id, type, deadline
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        try container.encode(deadline, forKey: .deadline)
        try body.encode(to: encoder)
    }
}

/// The common fields of all replies.
package struct WireHeader: Decodable {
    let id: Int
    let type: String
    /// The message of an `error`.
    let message: String?
}

/// The answer to an `approve`.
struct WireApproval: Encodable {
    let id: Int
    let type = "approval"
    let approved: Bool
}

/// A member with an invalid value.
struct WireError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
