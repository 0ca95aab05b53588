import ProbeKit

/// The host that constraints on a URI are about.
enum URIHost {
    /// The maximum size of a URI up to the end of its authority; a longer one matches nothing.
    private static let maximumBytes = 2048

    /// Returns the host in lowercase; nil if there is none or it is an address, which no constraint can cover.
    static func read(_ uri: String) -> String? {
        let bytes = Array(uri.utf8.prefix(maximumBytes))
        guard let scheme = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(scheme + 1)...].starts(with: "//".utf8)
        else {
            return nil
        }
        var authority = bytes[(scheme + 3)...].prefix { !"/?#".utf8.contains($0) }
        guard authority.endIndex < maximumBytes else { return nil }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")) { authority = authority[..<colon] }
        guard authority.count <= ConstrainedName.maximumHostBytes else { return nil }
        let host = String(decoding: authority, as: UTF8.self).lowercased()
        return host.isEmpty || host.hasPrefix("[") || IPAddress(host) != nil ? nil : host
    }
}
