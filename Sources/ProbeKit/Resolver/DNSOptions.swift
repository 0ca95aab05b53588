/// The content of an OPT pseudo-record (RFC 6891 section 6.1).
package struct DNSOptions: Sendable {
    /// The UDP size that the sender accepts.
    package let size: UInt16
    /// The upper eight bits of the response code.
    package let extendedResponseCode: UInt8
    package let version: UInt8
    /// DO: true if DNSSEC records are wanted (RFC 3225).
    package let isDNSSECOK: Bool
    /// The extended errors (RFC 8914), in order.
    package let extendedErrors: [ExtendedDNSError]

    package init(
        size: UInt16, extendedResponseCode: UInt8, version: UInt8, isDNSSECOK: Bool, extendedErrors: [ExtendedDNSError]
    ) {
        self.size = size
        self.extendedResponseCode = extendedResponseCode
        self.version = version
        self.isDNSSECOK = isDNSSECOK
        self.extendedErrors = extendedErrors
    }
}
