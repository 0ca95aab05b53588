import NIOCore
import ProbeKit
import Testing

@testable import ProbeNet

/// A peer's first bytes where TLS begins, and the failure of a peer that uses something else.
@Suite struct PeerGreetingTests {
    @Test func recordsArePassedOn() throws {
        var greeting = PeerGreeting(isAfterDialogue: false)
        let header: [UInt8] = [0x16, 3, 3, 0, 2]
        let beginning = try greeting.take(ByteBuffer(bytes: header.prefix(2)))
        #expect(beginning == nil && greeting.failure == nil)
        let all = try greeting.take(ByteBuffer(bytes: header.dropFirst(2)))
        #expect(all == ByteBuffer(bytes: header))
        // From then on the engine judges.
        let text = ByteBuffer(string: "HTTP/1.1")
        let rest = try greeting.take(text)
        #expect(rest == text && greeting.failure == nil)
    }

    /// Behind a peer's agreement to start TLS the text may be anyone's.
    @Test(arguments: [(false, HandshakeFailure.Code.notTLS), (true, .startTLSInjection)])
    func clearTextIsAFailure(isAfterDialogue: Bool, code: HandshakeFailure.Code) throws {
        var greeting = PeerGreeting(isAfterDialogue: isAfterDialogue)
        let beginning = try greeting.take(ByteBuffer(string: "22"))
        #expect(beginning == nil && greeting.failure?.code == code)
        do throws(HandshakeFailure) {
            _ = try greeting.take(ByteBuffer(string: "0 mail\r\n"))
            Issue.record("clear text was passed on")
        } catch {
            #expect(error.code == code)
        }
    }
}
