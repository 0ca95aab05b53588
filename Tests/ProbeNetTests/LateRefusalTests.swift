import NIOCore
import ProbeKit
import Testing

@testable import ProbeNet

/// The meaning of a server's first records after a handshake in which it asked for a client certificate.
@Suite struct LateRefusalTests {
    /// A record of the server.
    private enum Record {
        /// One without plaintext that ends nothing, of a length without the header.
        case silent(Int)
        case data
        /// One that ends the connection, of a length.
        case end(RecordFailure, Int = 19)

        static let ticket = Self.silent(200)
        static let shortestTicket = Self.silent(35)
        static let keyUpdate = Self.silent(22)
        static let alert = Self.silent(19)
    }

    /// Decrypts the records that it is made with, one for each that has arrived whole.
    private final class ScriptedEngine: HandshakeEngine {
        private var records: ArraySlice<Record>
        private var arrived = ByteBuffer()

        init(_ records: [Record]) { self.records = records[...] }

        func receive(_ bytes: RawSpan) {
            for index in 0..<bytes.byteCount {
                arrived.writeInteger(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            }
        }
        func advance() -> HandshakeProgress { .complete }
        func takeOutput() -> [UInt8] { [] }
        func fill(_ report: inout HandshakeReport) -> TrustDecision? { nil }
        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {}

        func decrypt() -> DecryptedBytes {
            var bytes: [UInt8] = []
            while let length: UInt16 = arrived.getInteger(at: arrived.readerIndex + 3),
                arrived.readSlice(length: 5 + Int(length)) != nil
            {
                switch records.popFirst() {
                case .data: bytes.append(1)
                case .end(let failure, _): return DecryptedBytes(bytes, end: failure)
                case .silent, nil: break
                }
            }
            return DecryptedBytes(bytes)
        }
    }

    /// The time from which data may be an answer.
    private static let answers = NIODeadline.uptimeNanoseconds(1000)
    private static let early = answers - TimeAmount.nanoseconds(1)

    private static func bytes(of record: Record) -> [UInt8] {
        let length =
            switch record {
            case .silent(let length), .end(_, let length): length
            case .data: 200
            }
        return [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xff)] + [UInt8](repeating: 0xaa, count: length)
    }

    /// Returns the progress in a word or, of a refusal, its code, whatever the pieces in which the records arrive.
    ///
    /// - Parameters:
    ///   - before: the number of bytes that came with the end of the handshake.
    ///   - sizes: the sizes of the pieces; all bytes at once are tried too.
    private static func word(
        _ records: [Record], at time: NIODeadline = early, before: Int = 0, inPiecesOf sizes: [Int] = [1, 7]
    ) -> String {
        let stream = records.flatMap(bytes(of:))
        let words = Set(
            (sizes + [max(stream.count, 1)]).map { size in
                let engine = ScriptedEngine(records)
                let first = ByteBuffer(bytes: stream.prefix(before))
                var bounds = RecordBounds()
                bounds.take(first)
                engine.receive(first.readableBytesSpan)
                var refusal = LateRefusal(after: bounds, answersFrom: answers)
                var progress = refusal.progress(of: engine, after: ByteBuffer(), at: time)
                for start in stride(from: before, to: stream.count, by: size) {
                    guard case .waiting = progress else { break }
                    let piece = ByteBuffer(bytes: stream[start..<min(start + size, stream.count)])
                    progress = refusal.progress(of: engine, after: piece, at: time)
                }
                return switch progress {
                case .waiting: "waiting"
                case .accepted: "accepted"
                case .refused(let failure): failure.code.rawValue
                }
            })
        return words.sorted().joined(separator: " or ")
    }

    private static let refusal = Record.end(RecordFailure("certificate required", alert: .certificateRequired))

    @Test func aTicketAccepts() {
        #expect(Self.word([.ticket]) == "accepted")
        #expect(Self.word([.shortestTicket]) == "accepted")
        #expect(Self.word([.ticket, .end(.closed)]) == "accepted")
        #expect(Self.word([.data, .ticket]) == "accepted")
    }

    /// A server may send data, with its Finished or later, before it has read the client's certificate.
    @Test func dataAcceptNobody() {
        for time in [Self.early, Self.answers] {
            #expect(Self.word([.data], at: time) == "waiting")
            #expect(Self.word([.data, Self.refusal], at: time) == "alert-received")
            #expect(Self.word([.data, .data, Self.refusal], at: time, before: 205) == "alert-received")
        }
    }

    /// Data from before an answer could come say nothing about the close behind them.
    @Test func aCloseAfterLateDataIsNotARefusal() {
        #expect(Self.word([.data, .end(.closed)]) == "connection-closed")
        #expect(Self.word([.data, .end(.closed)], before: 205) == "connection-closed")
        #expect(Self.word([.data, .end(.closed)], at: Self.answers) == "accepted")
    }

    /// A server may change its key right after its Finished (RFC 8446 section 4.6.3).
    @Test func aKeyUpdateDoesNotAccept() {
        #expect(Self.word([.keyUpdate]) == "waiting")
        #expect(Self.word([.keyUpdate, Self.refusal]) == "alert-received")
        #expect(Self.word([.keyUpdate, .end(.closed)]) == "connection-closed")
    }

    /// A record that began before the handshake was complete is not a ticket, and the records behind it are still found.
    @Test(arguments: [1, 4, 5, 6, 100]) func aRecordAcrossTheEndOfTheHandshakeIsFollowed(count: Int) {
        #expect(Self.word([.silent(200)], before: count) == "waiting")
        #expect(Self.word([.silent(200), Self.refusal], before: count) == "alert-received")
        #expect(Self.word([.silent(200), .alert, .keyUpdate], before: count) == "waiting")
        #expect(Self.word([.data, .ticket], before: count) == "accepted")
    }

    /// OpenSSL and BoringSSL pass over user_canceled; GnuTLS ends with it.
    @Test func anAlertThatIsPassedOverDoesNotAccept() {
        #expect(Self.word([]) == "waiting")
        #expect(Self.word([.alert]) == "waiting")
        #expect(Self.word([.alert, .end(.closed)]) == "connection-closed")
        let canceled = RecordFailure("user canceled", nativeCode: "X", alert: .userCanceled)
        #expect(Self.word([.end(canceled)]) == "connection-closed")
    }

    @Test func aCloseOrAnAlertRefuses() {
        #expect(Self.word([.end(.closed)]) == "connection-closed")
        // Padded (RFC 8446 section 5.4).
        #expect(Self.word([.end(.closed, 200)]) == "connection-closed")
        #expect(Self.word([Self.refusal]) == "alert-received")
        #expect(Self.word([.end(RecordFailure("bad record mac"), 40)]) == "protocol-error")
    }

    /// The bytes that are kept for the next reader are bounded.
    @Test func aFloodEndsTheWait() {
        let count = HTTPExchange.maximumResponseBytes / Self.bytes(of: .data).count + 1
        #expect(Self.word([Record](repeating: .data, count: count), inPiecesOf: [4096]) == "accepted")
    }
}
