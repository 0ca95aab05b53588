public import ProbeKit
import ProbePlatform

/// The machine's configured DNS servers, for callers that name none.
public enum SystemResolvers: Sendable {
    /// Reads `/etc/resolv.conf`; empty if it is missing or names no server.
    public static func endpoints() -> [Endpoint] {
        guard let text = try? String(contentsOfFile: "/etc/resolv.conf", encoding: .utf8) else { return [] }
        return endpoints(in: text)
    }

    /// Returns the `nameserver` lines of a text in the form of resolv.conf(5), in order, on port 53. Comments and lines
    /// without a plain address are skipped; a link-local address has its zone.
    public static func endpoints(in text: String) -> [Endpoint] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 2, words[0] == "nameserver" else { return nil }
            let address = words[1].prefix { $0 != "%" }
            // Bare addresses alone stand here: no group of one is a port.
            guard let parsed = IPAddress(String(address)) else { return nil }
            return try? .dnsServer(parsed.isIPv6 ? "[\(words[1])]" : String(words[1]))
        }
    }
}
