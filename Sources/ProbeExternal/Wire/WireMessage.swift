import ProbeKit
import ProbePins
import ProbePlatform

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

    /// Reads a line.
    ///
    /// - Throws: an error of the decoder, or ``WireError`` for a line that is not UTF-8 (RFC 8259 section 8.1): the decoder
    ///   takes UTF-16 and UTF-32 too, in which a member that is there twice would not be found.
    static func read(_ line: [UInt8]) throws -> WireHeader {
        // JSON has no NUL, and those encodings have one in each character of ASCII.
        guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
            throw WireError("not JSON in UTF-8")
        }
        return try ProgramJSON.decode(WireHeader.self, Data(line))
    }
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
        self.description = WireText.sentence(description)
    }
}

/// The trust anchors.
struct WireAnchors: Encodable, Sendable {
    let sha256: String
    let certificates: [Data]
    /// Omitted if there are none: a program that can't judge by them is not asked.
    let revocationLists: [Data]?

    init(_ anchors: TrustAnchors) {
        sha256 = anchors.storeDigest.hex
        certificates = anchors.certificates.map { Data($0) }
        revocationLists = anchors.revocationLists.isEmpty ? nil : anchors.revocationLists.map { Data($0) }
    }
}

/// A host and a port.
struct WireEndpoint: Encodable, Sendable {
    let host: String
    let port: UInt16
    /// Omitted if there is none.
    let zone: String?

    init(_ endpoint: Endpoint) {
        host = endpoint.host.description
        zone = endpoint.zone
        port = endpoint.port
    }
}

extension Duration {
    /// Returns the duration of a number of seconds that a program measured.
    ///
    /// - Throws: ``WireError`` for a number that is not a duration.
    static func wire(_ seconds: Double, _ member: String) throws -> Duration {
        guard seconds.isFinite, (0...86_400).contains(seconds) else {
            throw WireError("\(member) is not a duration: \(seconds)")
        }
        return .seconds(seconds)
    }
}
