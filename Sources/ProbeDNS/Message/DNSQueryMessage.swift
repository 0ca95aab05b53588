public import ProbeKit

/// A query for TXT records in wire form, written without a DNS library.
public enum DNSQueryMessage: Sendable {
    /// Returns the bytes of a query with recursion desired.
    ///
    /// - Parameters:
    ///   - name: the name to ask for.
    ///   - id: the id the reply has to repeat; 0 over HTTPS (RFC 8484 section 4.1).
    ///   - ednsSize: the UDP size to advertise; nil sends no OPT record.
    ///   - dnssecOK: whether to ask for signatures; it needs an OPT record.
    ///   - type: the type of the records to ask for, by its number; TXT by default.
    public static func bytes(
        name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool = false, type: UInt16 = 16
    ) -> [UInt8] {
        var bytes = word(id) + [0x01, 0x00]
        bytes += word(1) + word(0) + word(0) + word(ednsSize == nil ? 0 : 1)
        bytes += name.wireBytes + word(type) + word(DNSClass.internet)
        if let ednsSize {
            // RFC 6891 section 6.1.2: root owner, size as class, extended code and version and flags as TTL, no data.
            bytes += [0] + word(DNSType.opt) + word(ednsSize) + word(0) + word(dnssecOK ? 0x8000 : 0) + word(0)
        }
        return bytes
    }

    private static func word(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }
}
