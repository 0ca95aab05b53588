import ProbeKit
import ProbeNet
import Testing

/// An answer to a ClientHello that no server should give, and its effect, which is the same in all stacks.
package struct HostileBytes: Sendable, CustomTestStringConvertible {
    /// The answer in words.
    package let testDescription: String
    let bytes: [UInt8]
    /// The failure's code; nil if the client waits for more.
    let code: HandshakeFailure.Code?
    let alert: HandshakeFailure.Alert?

    private init(
        _ words: String, _ bytes: [UInt8], _ code: HandshakeFailure.Code?, alert: HandshakeFailure.Alert? = nil
    ) {
        testDescription = words
        self.bytes = bytes
        self.code = code
        self.alert = alert
    }

    /// The table.
    package static let all: [HostileBytes] = nonsense + messages

    private static let nonsense: [HostileBytes] = [
        HostileBytes("clear text", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), .protocolError),
        HostileBytes("zeros", [UInt8](repeating: 0, count: 64), .protocolError),
        HostileBytes("ones", [UInt8](repeating: 0xff, count: 70_000), .protocolError),
        HostileBytes(
            "a record longer than any may be", ServerFlight.record(22, [UInt8](repeating: 1, count: 0xffff)),
            .protocolError),
        HostileBytes("a ServerHello of 16 MiB, and as much as is taken of it", hugeHello, .protocolError),
        HostileBytes("a ServerHello without content", ServerFlight.record(22, [2, 0, 0, 0]), .protocolError),
        HostileBytes("application data", ServerFlight.record(23, [0]), .protocolError),
        HostileBytes("a ChangeCipherSpec of type 2", ServerFlight.record(20, [2]), .protocolError),
    ]

    private static let messages: [HostileBytes] = [
        HostileBytes("a part of a record", [22, 3, 3, 0, 0x7a, 2], nil),
        HostileBytes("half an alert", ServerFlight.record(21, [2]), .protocolError),
        HostileBytes("a warning", warning, nil),
        HostileBytes(
            "more warnings than are taken", [[UInt8]](repeating: warning, count: 101).flatMap(\.self), .protocolError),
        HostileBytes(
            "a fatal alert", ServerFlight.record(21, [2, 40]), .alertReceived, alert: .handshakeFailure),
        HostileBytes("close_notify", ServerFlight.record(21, [1, 0]), .connectionClosed),
    ]

    private static let hugeHello: [UInt8] = {
        let rest = ServerFlight.record(22, [UInt8](repeating: 0, count: 0x4000))
        return ServerFlight.record(22, [2, 0xff, 0xff, 0xff]) + [[UInt8]](repeating: rest, count: 40).flatMap(\.self)
    }()

    /// The alert user_canceled, which ends nothing by itself.
    private static let warning = ServerFlight.record(21, [1, 90])
}

extension EngineUnderTest {
    /// Returns the differences of the effect from the table's.
    package func differences(_ row: HostileBytes) throws -> [String] {
        let engine = try engine()
        _ = engine.advance()
        _ = engine.takeOutput()
        let progress = engine.feed(row.bytes)
        var differences: [String] = []
        if progress.failure?.code != row.code || progress.failure?.alert != row.alert {
            differences.append("the end is \(progress)")
        }
        if case .complete = progress { differences.append("the handshake is complete") }
        guard row.code == .protocolError else { return differences }
        let code = progress.failure?.nativeCode ?? "none"
        if !code.hasPrefix(stack.codePrefix) { differences.append("the native code is \(code)") }
        let next = engine.feed([22])
        if next.failure?.code != row.code { differences.append("the end becomes \(next)") }
        let report = engine.report(after: progress)
        if !report.chain.isEmpty || report.nativeTrust != nil { differences.append("it reports a chain") }
        return differences
    }

    /// Returns the random bytes that completed a handshake.
    package func bytesThatComplete(amongRandom count: Int) throws -> [[UInt8]] {
        try (0..<count).compactMap { round in
            let engine = try engine()
            _ = engine.advance()
            var bytes = (0..<Int.random(in: 1...2000)).map { _ in UInt8.random(in: .min ... .max) }
            // Half of them are framed as handshake records, so that they get past the record layer.
            if round % 2 == 0 {
                bytes = [22, 3, 3, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff), 2] + bytes
            }
            let progress = engine.feed(bytes)
            _ = engine.report(after: progress)
            guard case .complete = progress else { return nil }
            return bytes
        }
    }
}
