import ProbeKit

/// The SSL request of MySQL and MariaDB, after the server's first packet.
struct MySQLDialogue: StartingTLS {
    let known = StartTLS.mysql

    /// CLIENT_SSL among the server's capabilities.
    private static let ssl: UInt8 = 0x08
    /// 32 bytes with the sequence number 1: the capabilities of protocol 4.1 with SSL, the largest packet, UTF-8.
    private static let request: [UInt8] =
        [32, 0, 0, 1, 0x01, 0x8a, 0x08, 0x00, 0, 0, 0, 1, 33] + [UInt8](repeating: 0, count: 23)

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        try refuseTLS(input)
        let header = Array(input.rest.prefix(4))
        guard header.count == 4 else { return .waits }
        let size = Int(header[0]) | Int(header[1]) << 8 | Int(header[2]) << 16
        guard size <= DialogueLimits.message, header[3] == 0 else {
            throw otherProtocol(String(decoding: input.rest, as: UTF8.self))
        }
        guard let packet = input.take(4 + size) else { return .waits }
        let payload = packet.dropFirst(4)
        if payload.first == 0xff { throw refusal(payload.dropFirst()) }
        guard payload.first == 10, let end = payload.firstIndex(of: 0) else {
            throw violation("its first packet is not that of protocol 10")
        }
        // After the version: a thread's number, 8 bytes for the password, a zero, and the lower capabilities.
        let capabilities = payload.dropFirst(end + 1 - payload.startIndex + 13).prefix(2)
        guard capabilities.count == 2, let upper = capabilities.last else {
            throw violation("its first packet is short")
        }
        guard upper & Self.ssl != 0 else { throw notOffered }
        return .ready(sending: Self.request)
    }

    /// Returns the failure of an error in place of the greeting: its number, from some servers a SQLSTATE after a `#`, and
    /// its text, in the form that the mysql client prints.
    private func refusal(_ error: ArraySlice<UInt8>) -> HandshakeFailure {
        let number = error.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
        var text = error.dropFirst(2)
        var state = ""
        if text.first == UInt8(ascii: "#"), text.count >= 6 {
            state = " (\(String(decoding: text.dropFirst().prefix(5), as: UTF8.self)))"
            text = text.dropFirst(6)
        }
        return refusal(
            "ERROR \(number)\(state): \(String(decoding: text, as: UTF8.self))", of: .client,
            isTemporary: Self.passing.contains(number))
    }

    /// The errors of a server without a connection, memory or a thread to spare, and of one that is stopping (MySQL's error
    /// reference: ER_CON_COUNT_ERROR, ER_OUT_OF_RESOURCES, ER_SERVER_SHUTDOWN, ER_CANT_CREATE_THREAD).
    private static let passing: Set = [1040, 1041, 1053, 1135]
}
