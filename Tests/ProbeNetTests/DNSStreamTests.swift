import ProbeKit
import Testing

@testable import ProbeNet

/// Messages come off a stream whole, wherever it is cut.
@Suite struct DNSStreamTests {
    private static let messages = [12, 300, 65_535].map { [UInt8](repeating: UInt8($0 & 0xff), count: $0) }

    @Test(arguments: [1, 2, 13, 1000, 70_000]) func messagesComeWhole(chunk: Int) throws {
        let sent = Self.messages.flatMap(DNSStream.framed)
        var stream = DNSStream()
        var received: [[UInt8]] = []
        for start in stride(from: 0, to: sent.count, by: chunk) {
            stream.append(sent[start..<min(start + chunk, sent.count)])
            while let message = try stream.next() { received.append(message) }
        }
        #expect(received == Self.messages)
        #expect(stream.closed.message == "the server closed the connection before a reply came")
    }

    @Test func aPartOfAMessageIsReported() throws {
        var stream = DNSStream()
        stream.append(DNSStream.framed(Self.messages[0]) + [0, 20, 1, 2, 3])
        #expect(try stream.next() == Self.messages[0])
        #expect(try stream.next() == nil)
        #expect(
            stream.closed.message == "the server closed the connection within a message, after 5 bytes of it")
        #expect(stream.closed.code == .closed)
    }

    @Test(arguments: [0, 11]) func aMessageHasAHeader(count: Int) {
        var stream = DNSStream()
        stream.append(DNSStream.framed([UInt8](repeating: 0, count: count)))
        #expect(throws: DNSFailure(.framing, "the length prefix \(count) is smaller than a DNS header")) {
            try stream.next()
        }
    }
}
