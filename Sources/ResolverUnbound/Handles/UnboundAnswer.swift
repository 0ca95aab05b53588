import ProbeKit
import ProbeNet

/// libunbound's answer to one query.
struct UnboundAnswer: Sendable {
    let responseCode: DNSAttempt.ResponseCode
    /// The reply as libunbound encodes it.
    let packet: [UInt8]
    /// The data of the TXT records.
    let records: [[UInt8]]
    let isSecure: Bool
    /// True for bogus data, which come with NOERROR: it has to be checked first.
    let isBogus: Bool
    let reason: String?

    /// The id of the packet.
    var id: UInt16 { packet.count < 2 ? 0 : UInt16(packet[0]) << 8 | UInt16(packet[1]) }

    var dnssec: DNSSECState {
        if isBogus { return .bogus(reason ?? "libunbound gives no reason") }
        return isSecure ? .secure : .insecure
    }

    /// Returns the reason why this is not an answer; nil if it is one. libunbound reports SERVFAIL for every error, and
    /// returns no reply.
    ///
    /// - Parameter isLate: true if the time is over. libunbound's own wait is not shorter than ours: if it ends because
    ///   our alarm is late, no reply came.
    func failure(isLate: Bool) -> DNSFailure? {
        guard !isBogus, responseCode == .serverFailure else { return nil }
        return isLate
            ? .late
            : DNSFailure(.gaveUp, "libunbound gave up: no usable reply came from the server, or none at all")
    }

    /// libunbound's own parse.
    var native: NativeDNSReading {
        var texts: [[[UInt8]]] = []
        for data in records {
            guard let strings = Self.strings(of: data) else {
                return .unreadable("libunbound hands over a TXT record whose strings do not fill it")
            }
            texts.append(strings)
        }
        return .parsed(rcode: responseCode, records: texts)
    }

    /// Returns the character-strings of a TXT record's data; nil if they do not fill it (RFC 1035 section 3.3.14).
    private static func strings(of data: [UInt8]) -> [[UInt8]]? {
        var strings: [[UInt8]] = []
        var rest = data[...]
        while let length = rest.popFirst() {
            guard rest.count >= length else { return nil }
            strings.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        return strings.isEmpty ? nil : strings
    }
}
