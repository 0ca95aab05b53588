import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeExternal

/// The attempts of a resolver in a program of its own.
@Suite(.bounded) struct DNSReplyTests {
    private func attempt(_ members: String) throws -> DNSAttempt? {
        let line = #"{"attempts":[{"server":"127.0.0.1:53","channel":"udp","duration":0,\#(members)}]}"#
        return try ProgramJSON.decode(WireDNSReply.self, Data(line.utf8)).report().attempts.first
    }

    @Test(arguments: [
        (#""queryID":70000,"failure":{"code":"timeout","message":"x"}"#, "queryID is 70000, and may be 0 to 65535"),
        (
            #""queryID":1,"ednsSize":-1,"failure":{"code":"timeout","message":"x"}"#,
            "ednsSize is -1, and may be 0 to 65535"
        ),
        (
            #""queryID":1,"reply":"AAA=","native":{"rcode":70000,"records":[]}"#,
            "native.rcode is 70000, and may be 0 to 65535"
        ),
    ])
    func aNumberOutOfRangeIsNamed(members: String, words: String) throws {
        let error = #expect(throws: WireError.self) { try attempt(members) }
        #expect(error?.description == words)
    }

    /// Otherwise each of a line's many servers would be read before the line is refused.
    @Test func theNumberOfAttemptsIsCheckedFirst() throws {
        let query = DNSQuery(
            name: try DNSName("good.test"), servers: [Endpoint(host: .ip(.loopback4), port: 53)],
            deadline: .after(.seconds(1800)))
        let attempt =
            #"{"server":"192.0.2.1:53","channel":"udp","duration":0,"queryID":1,"failure":{"code":"timeout","message":"x"}}"#
        for (count, words) in [(200, "an attempt is with '192.0.2.1:53'"), (201, "there are 201 attempts")] {
            let attempts = Array(repeating: attempt, count: count).joined(separator: ",")
            let reply = try ProgramJSON.decode(WireDNSReply.self, Data(#"{"attempts":[\#(attempts)]}"#.utf8))
            let error = #expect(throws: WireError.self) { try reply.report(of: query) }
            #expect(error?.description.hasPrefix(words) == true)
        }
    }

    @Test func sentencesHaveWordsAndALimit() throws {
        let silent = try attempt(#""queryID":1,"failure":{"code":"timeout","message":""}"#)
        #expect(silent?.failure?.message == "timeout")
        let long = String(repeating: "x", count: 5000)
        let native = try attempt(#""queryID":1,"reply":"AAA=","dropped":["\#(long)"],"native":{"unreadable":""}"#)
        #expect(native?.dropped == [String(repeating: "x", count: 1024) + "…"])
        #expect(native?.native == .unreadable("it gives no reason"))
    }
}
