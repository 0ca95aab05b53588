package import ProbeKit
import ProbePlatform

/// A request to read one certificate's key.
struct WireKeyQuestion: Encodable, Sendable {
    let certificate: Data
}

/// The reply to it.
package struct WireKeyReply: Decodable {
    package let key: WireKey
}

/// A stack's own reading of a key.
package struct WireKey: Decodable {
    let spki: Data?
    let unreadable: String?

    /// - Throws: ``WireError`` if it is neither or both.
    package func reading() throws -> KeyReading {
        switch (spki, unreadable) {
        case (let spki?, nil): .spki(Array(spki))
        case (nil, let reason?): .unreadable(WireText.sentence(reason))
        default: throw WireError("a key has neither or both of spki and unreadable")
        }
    }
}
