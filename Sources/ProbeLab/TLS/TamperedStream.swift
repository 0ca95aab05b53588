import NIOCore

/// One direction of a connection as a man in the middle passes it on: whole records, one of them tampered with.
struct TamperedStream {
    private let tampering: LabTampering
    private let isServers: Bool
    /// The beginning of a record.
    private var rest = ByteBuffer()
    private var count = 0
    private var isEncrypted = false
    private var isDone = false
    /// The record that is sent later, and the number of those that come before.
    private var held: (record: ByteBuffer, count: Int)?

    /// - Parameter isServers: true for what the server sends.
    init(_ tampering: LabTampering, isServers: Bool) {
        self.tampering = tampering
        self.isServers = isServers
    }

    /// Returns the bytes to pass on.
    ///
    /// - Parameter isResponse: true once the client has sent data inside TLS.
    mutating func pass(_ bytes: ByteBuffer, isResponse: Bool) -> ByteBuffer {
        rest.writeImmutableBuffer(bytes)
        var passed = ByteBuffer()
        while let record = nextRecord() {
            let isMeant = !isDone && self.isMeant(record, isResponse: isResponse)
            count += 1
            guard isMeant else {
                passed.writeImmutableBuffer(record)
                release(into: &passed)
                continue
            }
            isDone = true
            tamper(record, into: &passed)
        }
        return passed
    }

    private mutating func nextRecord() -> ByteBuffer? {
        guard let length = rest.getInteger(at: rest.readerIndex + 3, as: UInt16.self) else { return nil }
        return rest.readSlice(length: 5 + Int(length))
    }

    private mutating func isMeant(_ record: ByteBuffer, isResponse: Bool) -> Bool {
        let type = record.getInteger(at: record.readerIndex, as: UInt8.self)
        let isCipherChange = type == 20
        // In TLS 1.2 what follows it is encrypted; in TLS 1.3 the type shows it.
        let isFirstEncrypted = !isCipherChange && (isEncrypted || type == 23)
        isEncrypted = isEncrypted || isCipherChange
        return switch tampering.record {
        case .clientHello: !isServers && count == 0
        case .server(let number): isServers && count == number
        case .cipherChange: isServers && isCipherChange
        case .firstEncrypted: isServers && isFirstEncrypted
        case .firstResponse: isServers && isResponse
        }
    }

    private mutating func tamper(_ record: ByteBuffer, into passed: inout ByteBuffer) {
        switch tampering.act {
        case .flip(let bit): passed.writeImmutableBuffer(Self.flipped(record, bit))
        case .drop: break
        case .replay:
            passed.writeImmutableBuffer(record)
            passed.writeImmutableBuffer(record)
        case .delay(let count): held = (record, count)
        case .inject(let bytes):
            passed.writeBytes(bytes)
            passed.writeImmutableBuffer(record)
        }
    }

    private mutating func release(into passed: inout ByteBuffer) {
        guard let (record, count) = held else { return }
        held = count > 1 ? (record, count - 1) : nil
        if count <= 1 { passed.writeImmutableBuffer(record) }
    }

    private static func flipped(_ record: ByteBuffer, _ bit: Int) -> ByteBuffer {
        var bytes = Array(record.readableBytesView)
        let bits = (bytes.count - 5) * 8
        guard bits > 0 else { return record }
        let place = ((bit % bits) + bits) % bits
        bytes[5 + place / 8] ^= 0x80 >> UInt8(place % 8)
        return ByteBuffer(bytes: bytes)
    }
}
