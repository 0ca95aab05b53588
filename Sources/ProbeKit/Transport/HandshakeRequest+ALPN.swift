extension HandshakeRequest {
    /// Checks that the protocols to offer can be encoded (RFC 7301 section 3.1), and that the stack supports them.
    ///
    /// - Parameters:
    ///   - maximalCount: the stack's maximum number of protocols; nil if unlimited.
    ///   - maximalLength: the stack's maximum length of a name, in bytes.
    /// - Throws: ``HandshakeFailure`` with the code `unsupported`.
    public func checkALPN(maximalCount: Int? = nil, maximalLength: Int = 255) throws(HandshakeFailure) {
        if let maximalCount, alpn.count > maximalCount {
            throw HandshakeFailure(
                .unsupported, "\(alpn.count) ALPN protocols can't be offered; the stack takes \(maximalCount)")
        }
        guard let name = alpn.first(where: { !(1...maximalLength).contains($0.utf8.count) }) else { return }
        throw HandshakeFailure(
            .unsupported,
            "an ALPN name of \(name.utf8.count) bytes can't be offered; the stack takes 1 to \(maximalLength)")
    }
}
