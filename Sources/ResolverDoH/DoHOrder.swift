import ProbeKit
import ProbePlatform

/// The settings of one exchange.
struct DoHOrder: Sendable {
    let server: DoHServer
    /// The query in wire form.
    let message: [UInt8]
    /// The instant at which the server's certificate has to be valid; nil is now.
    let instant: Date?
    let deadline: Deadline

    /// The URL's path, including the query for GET (RFC 8484 section 4.1.1).
    var path: String {
        switch server.method {
        case .post: server.path
        case .get: server.path + "?dns=" + Self.base64url(message)
        }
    }

    /// Returns base64 for URLs, without padding (RFC 4648 section 5).
    private static func base64url(_ bytes: [UInt8]) -> String {
        var text = ""
        for character in Data(bytes).base64EncodedString() {
            switch character {
            case "+": text.append("-")
            case "/": text.append("_")
            case "=": break
            default: text.append(character)
            }
        }
        return text
    }
}
