import ProbeKit

extension DNSOptions {
    private static let extendedErrorOption: UInt16 = 15

    init(_ record: DNSRecord, in bytes: [UInt8]) throws(ReplyFault) {
        guard record.owner.labels.isEmpty else { throw .malformed("the OPT record is not owned by the root") }
        var errors: [ExtendedDNSError] = []
        var reader = DNSWireReader(Array(bytes[record.data]), at: 0)
        while !reader.isAtEnd {
            let code = try reader.word()
            let data = try reader.take(Int(reader.word()))
            guard code == Self.extendedErrorOption else { continue }
            guard data.count >= 2 else { throw .malformed("the extended error has no code") }
            let number = UInt16(reader.bytes[data.lowerBound]) << 8 | UInt16(reader.bytes[data.lowerBound + 1])
            errors.append(ExtendedDNSError(code: number, text: reader.bytes[data.dropFirst(2)]))
        }
        self.init(
            size: record.recordClass, extendedResponseCode: UInt8(record.ttl >> 24),
            version: UInt8(record.ttl >> 16 & 0xff), isDNSSECOK: record.ttl & 0x8000 != 0, extendedErrors: errors)
    }
}
