import CProbeOpenSSL
import ProbeKit
import ProbeNet

/// The server's records after the handshake, as OpenSSL shows them to libcurl.
struct CurlLateRecords {
    /// True if the server sent a ticket, which comes after the client's Finished and means that it accepts the client (RFC
    /// 8446 section 4.6.1).
    private(set) var didReceiveTicket = false
    /// True if it sent data inside TLS.
    private(set) var didReceiveData = false
    /// True if data came before the request, and answer nothing.
    private(set) var didReceiveEarlyData = false
    /// True if data were read so late that they may be an answer to the client's Finished: others may be for a client that
    /// has not authenticated (RFC 8446 section 2).
    private(set) var didReceiveLateData = false
    /// The server's alert, other than one that closes (RFC 8446 section 6.1).
    private var alert: HandshakeFailure.Alert?
    /// The number of requests for a client certificate.
    private var certificateRequests = 0
    /// The bytes of all records.
    private var received = 0
    /// The bytes before the last record.
    private var beginning = 0
    /// The bytes that came before the request.
    private var early = 0

    /// True if the server asked for a client certificate more often than is answered.
    var asksTooOften: Bool { certificateRequests > HandshakeLimits.lateCertificateRequests }

    /// True if it sent more than a response can contain.
    var receivedTooMuch: Bool { received > HTTPExchange.maximumResponseBytes }

    /// The server's refusal, if it sent an alert.
    var refusal: HandshakeFailure? {
        guard let alert else { return nil }
        // OpenSSL has no text for certificate_required, which is the usual alert.
        let words =
            alert == .certificateRequired
            ? "certificate required"
            : unsafe SSL_alert_desc_string_long(CInt(alert.rawValue)).map { unsafe String(cString: $0) }
        return .refused(alert: alert, words, isAfterHandshake: true)
    }

    /// Notes that the request is made now.
    ///
    /// - Parameter unread: the bytes that came, and were not shown here yet.
    mutating func noteRequest(unread: Int) {
        early = received + unread
        didReceiveEarlyData = didReceiveData
    }

    /// Takes what OpenSSL's message callback shows of a record: its header, the type of its content, or a message in it.
    ///
    /// - Parameter mayAnswer: true if data that are read now may be an answer to the client's Finished.
    mutating func take(_ type: CInt, _ bytes: UnsafeRawBufferPointer, mayAnswer: Bool) {
        if type == SSL3_RT_HEADER, bytes.count == 5 {
            beginning = received
            received += unsafe 5 + (Int(bytes[3]) << 8 | Int(bytes[4]))
        }
        if type == SSL3_RT_HANDSHAKE, let message = unsafe bytes.first { take(message: CInt(message)) }
        if type == SSL3_RT_INNER_CONTENT_TYPE, unsafe bytes.first == UInt8(SSL3_RT_APPLICATION_DATA) {
            didReceiveData = true
            if beginning < early { didReceiveEarlyData = true }
            if mayAnswer { didReceiveLateData = true }
        }
        if type == SSL3_RT_ALERT, bytes.count == 2, unsafe bytes[1] != SSL3_AD_CLOSE_NOTIFY {
            let alert = HandshakeFailure.Alert(rawValue: unsafe bytes[1])
            if alert != .userCanceled { self.alert = alert }
        }
    }

    private mutating func take(message: CInt) {
        if message == SSL3_MT_CERTIFICATE_REQUEST { certificateRequests += 1 }
        if message == SSL3_MT_NEWSESSION_TICKET { didReceiveTicket = true }
    }
}
