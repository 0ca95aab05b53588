import Foundation
import Testing

/// The guide's resolver does what PROTOCOL.md asks of one, beyond what the suite can see.
@Suite struct GuideResolverTests {
    /// Runs a script of Python after the definitions of the guide's program, and returns the lines that it prints.
    private static func lines(of script: String) throws -> [String] {
        let file = Reader.root.appending(path: "Sources/ProbeKit/ProbeKit.docc/ABackendInAnotherLanguage.md")
        let guide = try Guide(try String(contentsOf: file, encoding: .utf8))
        let programs = guide.steps.compactMap { step -> String? in
            if case .file("probe-resolver-foo", let text) = step { text } else { nil }
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        // Its loop over the requests ends at once, since standard input is empty.
        process.arguments = ["-c", try #require(programs.first) + "\n" + script]
        let pipe = Pipe()
        (process.standardOutput, process.standardInput) = (pipe, FileHandle.nullDevice)
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return output.split(separator: "\n").map(String.init)
    }

    /// PROTOCOL.md: FORMERR, SERVFAIL, NOTIMP or REFUSED that is a header alone is the reply; any other message without a
    /// question is dropped.
    @Test func onlyAHeaderMayLackTheQuestion() throws {
        let lines = try Self.lines(
            of: """
                query = bytes.fromhex("123401000001000000000000") + b"\\1a\\0\\0\\x10\\0\\1"
                for code in range(6):
                    header = b"\\x12\\x34\\x81" + bytes([code]) + bytes(8)
                    record = b"\\0\\0\\x10\\0\\1" + bytes(6)
                    print(code, *(stranger(reply, query, query[12:]) is None for reply in (header, header + record)))
                """)
        let expected = [0: "False", 1: "True", 2: "True", 3: "False", 4: "True", 5: "True"]
        #expect(lines == expected.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) False" })
    }

    /// PROTOCOL.md: `server` is one of those of the request, with brackets around an IPv6 address.
    @Test func serversAreNamedAsTheProtocolWritesThem() throws {
        let lines = try Self.lines(
            of: """
                def over_udp(*rest):
                    raise TimeoutError
                for host in ("127.0.0.1", "::1"):
                    print(exchange({"host": host, "port": 53}, "", None, "udp", 0)["server"])
                """)
        #expect(lines == ["127.0.0.1:53", "[::1]:53"])
    }

    /// PROTOCOL.md: only a server that said SERVFAIL or nothing is asked again.
    @Test func whoRefusedIsNotAskedAgain() throws {
        let lines = try Self.lines(
            of: """
                servers = [{"host": "127.0.0.1", "port": 53}, {"host": "127.0.0.2", "port": 53}]
                for code in (2, 4, 5, None):
                    def exchange(server, wire_name, size, channel, end):
                        asked.append(server["host"][-1])
                        reply = None if code is None else base64.b64encode(bytes([0, 0, 0x81, code]) + bytes(8)).decode()
                        return {"reply": reply, "native": {"rcode": code}}
                    asked = []
                    dns_query({"deadline": 1000, "servers": servers, "tries": 2, "ednsSize": None, "wireName": ""})
                    print(code, *asked)
                """)
        #expect(lines == ["2 1 2 1 2", "4 1 2", "5 1 2", "None 1 2 1 2"])
    }
}
