import ProbeKit

/// NIOSSL's comparison of a certificate with a server, which it makes itself and not BoringSSL, as of version 2.37. It
/// accepts a wildcard anywhere within the leftmost label, the dialled address beside the name, and the common name if
/// there is no alternative name of any kind. A test compares this with a NIOSSL client.
enum NIOSSLNameRule {
    /// Returns true if a certificate is for a server.
    ///
    /// - Parameter dialled: the address that a client dials for a DNS name, if it is known.
    static func accepts(_ names: BoringSSLNames, for name: ServerName, dialled: IPAddress?) -> Bool {
        let host: [UInt8]?
        let address: IPAddress?
        switch name {
        case .dns(let text):
            // A name with other characters than a DNS name's is an error of the client.
            guard text.utf8.allSatisfy(isNameByte) else { return false }
            (host, address) = (Array(text.utf8), dialled)
        // A client that dials an address asks for no name.
        case .ip(let own): (host, address) = (nil, own)
        }
        guard names.alternatives.isEmpty else {
            return names.alternatives.contains { alternative in
                switch alternative {
                case .dns(let pattern): host.map { matches(pattern, $0) } ?? false
                case .address(let bytes): bytes == address?.bytes
                case .other: false
                }
            }
        }
        guard let host, let commonName = names.commonName else { return false }
        return matches(commonName, host)
    }

    /// Compares ignoring case and a dot at the end.
    static func matches(_ pattern: [UInt8], _ host: [UInt8]) -> Bool {
        let (pattern, host) = (withoutLastDot(pattern), withoutLastDot(host))
        guard pattern.allSatisfy({ isNameByte($0) || $0 == star }) else { return false }
        guard let position = pattern.firstIndex(of: star) else { return isSame(pattern[...], host[...]) }
        let (label, parent) = split(pattern)
        let (hostLabel, hostParent) = split(host)
        // One star, in the leftmost label; neither label is an internationalized one.
        guard label.contains(star), !pattern[(position + 1)...].contains(star), !isInternationalized(label),
            !isInternationalized(hostLabel), isSame(parent, hostParent), hostLabel.count >= label.count
        else { return false }
        let (before, after) = (label[..<position], label[(position + 1)...])
        return isSame(before, hostLabel.prefix(before.count)) && isSame(after, hostLabel.suffix(after.count))
    }

    private static let star = UInt8(ascii: "*")

    private static func split(_ name: [UInt8]) -> (label: ArraySlice<UInt8>, parent: ArraySlice<UInt8>) {
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { return (name[...], []) }
        return (name[..<dot], name[(dot + 1)...])
    }

    private static func withoutLastDot(_ name: [UInt8]) -> [UInt8] {
        name.last == UInt8(ascii: ".") ? Array(name.dropLast()) : name
    }

    private static func isInternationalized(_ label: ArraySlice<UInt8>) -> Bool {
        isSame(label.prefix(4), ArraySlice("xn--".utf8))
    }

    private static func isSame(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
