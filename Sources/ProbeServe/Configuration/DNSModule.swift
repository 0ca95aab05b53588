import ProbeKit
import ProbeRun

/// A DNS query for TXT records, which the target is to answer.
struct DNSModule: Sendable {
    /// The standard port of a server.
    private static let port: UInt16 = 53

    let name: DNSName
    /// The response codes that are a success.
    let validCodes: [DNSAttempt.ResponseCode]

    /// Returns the server that a target is.
    static func server(_ text: String) throws(InputError) -> Endpoint { try Endpoint(text, defaultPort: port) }

    /// Returns the check of a server.
    func check(_ server: Endpoint) -> ModelCheck {
        // As blackbox_exporter asks: without an OPT record.
        ModelCheck(model: nil, hosts: [name], servers: [server], ednsSize: nil)
    }

    var values: [(String, String)] {
        [
            ("query_name", JSONText.line(name.description)), ("query_type", "TXT"),
            ("valid_rcodes", "[\(validCodes.map(\.mnemonic).joined(separator: ", "))]"),
        ]
    }
}
