extension LabService {
    /// Takes the request and never answers.
    public static let silent = script(LabScript(on: .firstBytes))
    /// Sends one byte when the handshake is complete, and closes the connection properly.
    public static let closes = script(LabScript(on: .accept, bytes: [0x0a], end: .close))
    /// Does so when it has the request.
    public static let closesOnRequest = script(LabScript(on: .firstBytes, end: .close))
    /// Resets the connection when it has the request.
    public static let resetsOnRequest = script(LabScript(on: .firstBytes, end: .reset))
    /// Answers with bytes that are neither HTTP/1.1 nor HTTP/2.
    public static let garbage = script(
        LabScript(on: .firstBytes, bytes: (0..<1024).map { UInt8(truncatingIfNeeded: 0xa5 + $0 * 167) }))
    /// The same, without end, and before it was asked anything.
    public static let endlessGarbage = script(LabScript(on: .accept, refrain: [UInt8](repeating: 0x2a, count: 256)))
    /// Greets like a mail server.
    public static let mail = script(LabScript(on: .accept, bytes: Array("220 mail.test ESMTP\r\n".utf8)))
    /// Begins a head and falls silent.
    public static let halfHead = text("HTTP/1.1 200 OK\r\nDate: ")
    /// Begins a head, and ends the connection after a valid Date.
    public static let cutHead = script(
        LabScript(
            on: .firstBytes, bytes: Array("HTTP/1.1 200 OK\r\nDate: Sun, 01 Nov 2026 12:00:00 GMT\r\n".utf8),
            end: .close))
    /// Sends one field after the other.
    public static let endlessFields = text("HTTP/1.1 200 OK\r\n", refrain: "X-Filler: 0123456789abcdef\r\n")
    /// Sends one field that does not end.
    public static let endlessField = text("HTTP/1.1 200 OK\r\nX-Filler: ", refrain: "0123456789abcdef")
    /// Sends interim responses and no other.
    public static let endlessInterim = text("", refrain: "HTTP/1.1 100 Continue\r\n\r\n")
    /// Switches to a protocol that was not asked for.
    public static let switchesProtocols = text(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n")
    /// A status that no HTTP has.
    public static let oddStatus = text("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n")

    /// Answers below TLS, as if there were none.
    public static let plainAnswer = plaintext(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
    /// Sends an unencrypted record of application data.
    public static let forgedRecord = plaintext([23, 3, 3, 0, 32] + [UInt8](repeating: 0x61, count: 32))
    /// Sends an unencrypted fatal alert.
    public static let forgedAlert = plaintext([21, 3, 3, 0, 2, 2, 40])
    /// Sends a record with a length above the limit (RFC 8446 section 5.1).
    public static let oversizedRecord = plaintext([23, 3, 3, 0xff, 0xff] + [UInt8](repeating: 0, count: 1024))
    /// Begins a record and falls silent.
    public static let halfRecord = plaintext([23, 3, 3, 0, 32, 0x61])
    /// Begins another handshake, unencrypted.
    public static let forgedHandshake = plaintext([22, 3, 3, 0, 4, 0, 0, 0, 0])

    /// Gives up the connection before any stream (RFC 9113 section 6.8).
    public static let goesAway = frames(settings, frame(7, 0, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0]))
    /// Refuses the stream, which a client may request again over another connection.
    public static let refusesStream = frames(settings, frame(3, 0, stream: 1, [0, 0, 0, 7]))
    /// Demands HTTP/1.1.
    public static let demandsHTTP11 = frames(settings, frame(3, 0, stream: 1, [0, 0, 0, 13]))
    /// Answers on a stream that was not opened.
    public static let answersOtherStream = frames(settings, frame(1, 5, stream: 3, [0x88]))
    /// Pushes an unrequested response, on the stream of the request.
    public static let pushes = frames(settings, frame(5, 4, stream: 1, [0, 0, 0, 2, 0x82, 0x84, 0x87]))
    /// Sends a header block that can't be decoded.
    public static let brokenFields = frames(settings, frame(1, 5, stream: 1, [0xff, 0xff, 0xff, 0xff, 0xff]))
    /// Sends a head that has no status.
    public static let noStatus = frames(settings, frame(1, 5, stream: 1, [0x84]))
    /// Sends settings without end.
    public static let endlessSettings = frames(settings, refrain: frame(4, 0, stream: 0, [0, 3, 0, 0, 0, 100]))
    /// Sends pings without end.
    public static let endlessPings = frames(settings, refrain: frame(6, 0, stream: 0, [0, 1, 2, 3, 4, 5, 6, 7]))
    /// Sends unknown frames without end.
    public static let endlessUnknownFrames = frames(settings, refrain: frame(0xee, 0, stream: 0, [0]))
    /// Begins a header block and continues it without end.
    public static let endlessContinuations = frames(
        settings, frame(1, 0, stream: 1, [0x88]),
        refrain: frame(9, 0, stream: 1, [0x00, 0x01, 0x61, 0x01, 0x62]))

    /// A server's connection preface: settings of which none is set.
    private static let settings = frame(4, 0, stream: 0, [])

    /// Answers a request with these bytes.
    public static func answering(_ text: String) -> LabService { Self.text(text) }

    /// Answers a request in HTTP/2 with these fields, each written out (RFC 7541 section 6.2.2), as they are.
    public static func answering(_ fields: [(String, String)], endingStream: Bool = true) -> LabService {
        let block = fields.flatMap { name, value -> [UInt8] in
            [0] + string(Array(name.utf8)) + string(Array(value.utf8))
        }
        return frames(settings, frame(1, endingStream ? 5 : 4, stream: 1, block))
    }

    /// Returns a string without Huffman coding (RFC 7541 section 5.2).
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        precondition(bytes.count < 127)
        return [UInt8(bytes.count)] + bytes
    }

    private static func text(_ text: String, refrain: String = "") -> LabService {
        script(LabScript(on: .firstBytes, bytes: Array(text.utf8), refrain: Array(refrain.utf8)))
    }

    private static func frames(_ frames: [UInt8]..., refrain: [UInt8] = []) -> LabService {
        script(LabScript(on: .firstBytes, bytes: frames.flatMap(\.self), refrain: refrain))
    }

    /// Returns a frame of RFC 9113 section 4.1.
    private static func frame(_ type: UInt8, _ flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }
}
