import CProbeOpenSSL
package import ProbeNet

extension OpenSSLError {
    /// Reads an error off the message of a library above OpenSSL, which has taken it off the queue; nil if the message has
    /// none.
    ///
    /// - Parameter text: a message with an error as ERR_error_string(3) writes it, like `error:0A0001BB:SSL routines::bad
    ///   record type`.
    init?(in text: String, _ action: String) {
        let codes = text.split(separator: "error:", omittingEmptySubsequences: false).dropFirst()
            .map { $0.prefix(while: \.isHexDigit) }
        guard let code = codes.first(where: { $0.count == 8 }), let packed = UInt(code, radix: 16) else { return nil }
        self.init(packed, action)
    }
}

extension RecordFailure {
    /// Reads a failure off the message of a library that reads through OpenSSL; nil if OpenSSL has no part in it. An end
    /// without close_notify, which OpenSSL may report as an error, is a close like any other.
    ///
    /// - Parameters:
    ///   - text: the library's message.
    ///   - name: the library's name for its own error.
    package init?(ofOpenSSLIn text: String, below name: String) {
        guard let error = OpenSSLError(in: text, "reading") else { return nil }
        guard error.sslReason != SSL_R_UNEXPECTED_EOF_WHILE_READING else {
            self = .closed
            return
        }
        self.init(
            error.message, nativeCode: [name, error.code].compactMap(\.self).joined(separator: " "), alert: error.alert)
    }
}
