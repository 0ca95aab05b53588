import ProbeKit

/// The content of a file with a proxy's credentials.
enum ProxyCredentials {
    private static let bearer = Array("Bearer ".utf8)

    /// Returns the credentials of one line; nil if it is not one, or neither a name with a password nor a token.
    static func read(_ secret: Secret) -> HandshakeRequest.Proxy.Credentials? {
        secret.withBytes { bytes in
            var line = unsafe bytes.withUnsafeBytes { unsafe Array($0) }[...]
            while let last = line.last, last == 0x0a || last == 0x0d { line.removeLast() }
            guard !line.isEmpty, line.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
            if line.starts(with: bearer) {
                let token = Array(line.dropFirst(bearer.count))
                return token.isEmpty ? nil : .bearer(Secret(copying: token.span))
            }
            guard line.contains(UInt8(ascii: ":")) else { return nil }
            let text = Array(line)
            return .basic(Secret(copying: text.span))
        }
    }
}
