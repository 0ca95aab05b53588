import ProbeKit
import Testing

@testable import TransportCurl

/// The server's records after the handshake, in the form of OpenSSL's message callback.
@Suite struct CurlLateRecordsTests {
    /// A part of a record.
    private enum Part {
        /// The header of one with as many bytes behind it.
        case header(Int)
        /// Data of TLS 1.3, which are shown by the type of their record's content alone.
        case data
        /// A handshake message with the type's number.
        case message(UInt8)
        /// An alert's number.
        case alert(UInt8)

        static let ticket = Self.message(4)
        static let certificateRequest = Self.message(13)
        static let keyUpdate = Self.message(24)
        static let closeNotify = Self.alert(0)
        static let userCanceled = Self.alert(90)
        static let certificateRequired = Self.alert(116)

        /// The number that the callback has for it (SSL_CTX_set_msg_callback(3)), and its bytes.
        var shown: (type: Int32, bytes: [UInt8]) {
            switch self {
            case .header(let count): (0x100, [23, 3, 3, UInt8(count >> 8), UInt8(count & 0xff)])
            case .data: (0x101, [23])
            case .message(let number): (22, [number, 0, 0, 1, 0])
            case .alert(let number): (21, [2, number])
            }
        }
    }

    /// Returns the records of all parts, with a request after the first ones if bytes that were unread by then are given.
    private static func records(
        _ parts: [Part], unread: Int? = nil, then others: [Part] = [], mayAnswer: Bool = false
    ) -> CurlLateRecords {
        var records = CurlLateRecords()
        func take(_ parts: [Part]) {
            for part in parts {
                let (type, bytes) = part.shown
                unsafe bytes.withUnsafeBytes { unsafe records.take(type, $0, mayAnswer: mayAnswer) }
            }
        }
        take(parts)
        if let unread { records.noteRequest(unread: unread) }
        take(others)
        return records
    }

    /// A record with a ticket of 205 bytes, one with an update of keys of 27, and one with data of 55.
    private static let (ticketRecord, updateRecord, dataRecord): ([Part], [Part], [Part]) = (
        [.header(200), .ticket], [.header(22), .keyUpdate], [.header(50), .data]
    )

    /// Data that began before the request are early, whatever came first, and part of their header is enough.
    @Test(arguments: [205 + 55, 205 + 2, 205 + 1])
    func dataBeforeTheRequestAreEarly(unread: Int) {
        let (ticket, data) = (Self.ticketRecord, Self.dataRecord)
        #expect(Self.records([], unread: unread, then: ticket + data).didReceiveEarlyData)
        #expect(Self.records(ticket, unread: unread - 205, then: data).didReceiveEarlyData)
        #expect(Self.records(data + ticket, unread: 0).didReceiveEarlyData)
    }

    /// A ticket or an update of keys before the request does not make the data behind it early.
    @Test func dataAfterTheRequestAreNotEarly() {
        let (ticket, update, data) = (Self.ticketRecord, Self.updateRecord, Self.dataRecord)
        for (record, count) in [(ticket, 205), (update, 27), ([], 0)] {
            for records in [
                Self.records([], unread: count, then: record + data + ticket),
                Self.records(record, unread: 0, then: data + ticket),
            ] {
                #expect(records.didReceiveData && records.didReceiveTicket && !records.didReceiveEarlyData)
            }
        }
        #expect(!Self.records(data).didReceiveEarlyData)
    }

    @Test func dataAreLateFromTheTimeToAnswer() {
        #expect(!Self.records([.data, .ticket]).didReceiveLateData)
        #expect(Self.records([.data], mayAnswer: true).didReceiveLateData)
        let withoutData = Self.records([.header(200), .ticket], mayAnswer: true)
        #expect(!withoutData.didReceiveData && !withoutData.didReceiveLateData)
    }

    /// A close refuses nobody by itself, and user_canceled is followed by one (RFC 8446 section 6.1).
    @Test func anAlertIsARefusal() throws {
        #expect(Self.records([.ticket, .userCanceled, .closeNotify]).refusal == nil)
        let refusal = try #require(Self.records([.certificateRequired, .closeNotify]).refusal)
        #expect(refusal.alert == .certificateRequired && refusal.isAfterHandshake)
        #expect(refusal.message.contains("certificate required"))
    }

    @Test func aRequestMoreThanIsAnsweredIsTooMany() {
        let requests = [Part](repeating: .certificateRequest, count: HandshakeLimits.lateCertificateRequests)
        #expect(!Self.records(requests + [.ticket]).asksTooOften)
        #expect(Self.records(requests + [.ticket, .certificateRequest]).asksTooOften)
    }

    @Test func moreBytesThanAResponseHasAreTooMany() {
        let record = Part.header(1019)
        let records = [Part](repeating: record, count: HTTPExchange.maximumResponseBytes / 1024)
        #expect(!Self.records(records).receivedTooMuch)
        #expect(Self.records(records + [.header(0)]).receivedTooMuch)
    }
}
