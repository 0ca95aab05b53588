/// A reply as received, whose parts are parsed at most once, by whoever needs them first.
package final class DNSReply: Sendable {
    package let bytes: [UInt8]
    /// The header; nil if there are fewer than twelve bytes.
    package let header: DNSHeader?
    /// Filled by the strict reader.
    package let readOpening = Once<Result<DNSMessage.Opening, ReplyFault>>()
    /// Filled by the strict reader.
    package let readMessage = Once<Result<DNSMessage, ReplyFault>>()

    /// Creates a reply that nobody has parsed yet.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        header = DNSHeader(bytes)
    }
}
