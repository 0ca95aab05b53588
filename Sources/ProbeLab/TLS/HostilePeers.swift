public import ProbeKit

extension LabPeer {
    /// Accepts, and sends nothing.
    public static let silent = script(LabScript(on: .accept))
    /// Takes the ClientHello and never answers.
    public static let silentAfterHello = script(LabScript(on: .clientHello))
    /// Closes as soon as it has accepted.
    public static let closes = script(LabScript(on: .accept, end: .close))
    /// Closes when it has the ClientHello.
    public static let closesAfterHello = script(LabScript(on: .clientHello, end: .close))
    /// Sends close_notify after the ClientHello (RFC 8446 section 6.1), and closes.
    public static let closesWithNotify = script(LabScript(on: .clientHello, bytes: record(21, [1, 0]), end: .close))
    /// Resets the connection when it has the ClientHello.
    public static let resetsAfterHello = script(LabScript(on: .clientHello, end: .reset))
    /// Closes in the middle of its ServerHello.
    public static let closesMidHandshake = script(
        LabScript(on: .clientHello, bytes: Array(serverHello.prefix(serverHello.count / 2)), end: .close))
    /// Falls silent in the middle of its ServerHello.
    public static let halfRecord = script(
        LabScript(on: .clientHello, bytes: Array(serverHello.prefix(serverHello.count / 2))))

    /// Answers the ClientHello as a web server without TLS does.
    public static let plainHTTP = script(
        LabScript(
            on: .clientHello,
            bytes: Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8), end: .close
        ))
    /// Greets like a mail server and waits.
    public static let plainSMTP = script(LabScript(on: .accept, bytes: Array("220 mail.test ESMTP\r\n".utf8)))
    /// Sends bytes that are not a TLS record.
    public static let garbage = script(LabScript(on: .clientHello, bytes: noise))
    /// Sends a record with a length above the limit (RFC 8446 section 5.1).
    public static let oversizedRecord = script(
        LabScript(on: .clientHello, bytes: [22, 3, 3, 0xff, 0xff] + [UInt8](repeating: 0, count: 1024)))

    /// Sends bytes that are not a TLS record, without end.
    public static let endlessBytes = script(LabScript(on: .clientHello, refrain: noise))
    /// Sends warning alerts without end.
    public static let endlessWarnings = script(
        LabScript(on: .clientHello, refrain: record(21, [1, HandshakeFailure.Alert.unrecognizedName.rawValue])))
    /// Sends empty handshake records without end.
    public static let endlessEmptyRecords = script(LabScript(on: .clientHello, refrain: record(22, [])))
    /// Sends HelloRequests without end, which a client may ignore (RFC 5246 section 7.4.1.1).
    public static let endlessHelloRequests = script(LabScript(on: .clientHello, refrain: record(22, [0, 0, 0, 0])))
    /// Sends ChangeCipherSpec without end, which a client drops in TLS 1.3 (RFC 8446 section 5).
    public static let endlessCipherChanges = script(LabScript(on: .clientHello, refrain: record(20, [1])))
    /// Sends a certificate message of 327,680 bytes in records of one byte each, and goes on after its end.
    public static let endlessFragments = script(
        LabScript(on: .clientHello, bytes: serverHello + record(22, [11, 5, 0, 0]), refrain: record(22, [0])))
    /// Sends the fragments of one handshake message of 16 MB, and never reaches its end.
    public static let endlessMessage = script(
        LabScript(
            on: .clientHello, bytes: record(22, [2, 0xff, 0xff, 0xff]),
            refrain: record(22, [UInt8](repeating: 0, count: 1024))))

    /// Chooses TLS 1.0, whatever was offered, as servers do that have nothing newer.
    public static let choosesTLS10 = script(
        LabScript(
            on: .clientHello,
            bytes: [22, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1] + noise.prefix(32) + [0, 0xc0, 0x13, 0], end: .close))

    /// Refuses with a fatal alert (RFC 8446 section 6).
    public static func alert(_ alert: HandshakeFailure.Alert) -> LabPeer {
        script(LabScript(on: .clientHello, bytes: record(21, [2, alert.rawValue]), end: .close))
    }

    private static func record(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type, 3, 3, UInt8(body.count >> 8), UInt8(body.count & 0xff)] + body
    }

    /// A ServerHello of TLS 1.2 that chooses TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256.
    private static let serverHello: [UInt8] = {
        let random = noise.prefix(32)
        let body: [UInt8] = [3, 3] + random + [32] + random + [0xc0, 0x2f, 0]
        return record(22, [2, 0, 0, UInt8(body.count)] + body)
    }()

    /// Bytes that look random and do not begin like a record.
    private static let noise: [UInt8] = (0..<256).map { UInt8(truncatingIfNeeded: 0xa5 + $0 * 167) }
}
