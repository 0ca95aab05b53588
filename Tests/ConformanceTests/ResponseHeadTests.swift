import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// Heads that are not written as RFC 9112 and RFC 9113 have them, or just so: every stack reads a server's time from them, or none.
@Suite(.bounded) struct ResponseHeadTests {
    private static let pki = LabPKI(epoch: .now)
    private static let date = "Sun, 01 Nov 2026 12:00:00 GMT"

    /// A response by its bytes.
    struct Head: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String

        init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
    }

    /// A response by its fields.
    struct Fields: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fields: [(String, String)]

        init(_ name: String, _ fields: [(String, String)]) { (testDescription, self.fields) = (name, fields) }
    }

    /// HTTP/1.1 that can be read.
    private static let readable: [Head] = [
        Head("regular", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("bare LF everywhere", "HTTP/1.1 200 OK\nDate: \(date)\nContent-Length: 0\n\n"),
        Head("bare LF after the status", "HTTP/1.1 200 OK\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("bare LF after Date", "HTTP/1.1 200 OK\r\nDate: \(date)\nContent-Length: 0\r\n\r\n"),
        Head("bare LF after another", "HTTP/1.1 200 OK\r\nContent-Length: 0\nDate: \(date)\r\n\r\n"),
        Head("bare LF at the end", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\n"),
        Head("folded", "HTTP/1.1 200 OK\r\nDate: Sun, 01 Nov 2026\r\n 12:00:00 GMT\r\nContent-Length: 0\r\n\r\n"),
        Head("folded at once", "HTTP/1.1 200 OK\r\nDate:\r\n \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("folded other", "HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("no space after colon", "HTTP/1.1 200 OK\r\nDate:\(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("tabs", "HTTP/1.1 200 OK\r\nDate:\t\(date)\t\r\nContent-Length: 0\r\n\r\n"),
        Head("odd case", "HTTP/1.1 200 OK\r\ndAtE: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("HTTP/1.0", "HTTP/1.0 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("no reason", "HTTP/1.1 200 \r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("no space after status", "HTTP/1.1 200\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("reason with UTF-8", "HTTP/1.1 200 Žádný\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("control in a value", "HTTP/1.1 200 OK\r\nX-A: a\u{1}b\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("UTF-8 in a value", "HTTP/1.1 200 OK\r\nX-A: ž\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("empty Date", "HTTP/1.1 200 OK\r\nDate:\r\nContent-Length: 0\r\n\r\n"),
        Head("two Dates", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("two lengths", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n"),
        Head("two equal lengths", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n"),
        Head(
            "length and chunks",
            "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Head("huge length", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 99999999999999999999999999\r\n\r\n"),
        Head("body after HEAD", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 5\r\n\r\nhello"),
        Head("no length", "HTTP/1.1 200 OK\r\nDate: \(date)\r\n\r\n"),
        Head("unknown coding", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nTransfer-Encoding: strange\r\n\r\n"),
        Head("204", "HTTP/1.1 204 No Content\r\nDate: \(date)\r\n\r\n"),
        Head("304", "HTTP/1.1 304 Not Modified\r\nDate: \(date)\r\n\r\n"),
        Head("401", "HTTP/1.1 401 Unauthorized\r\nDate: \(date)\r\nWWW-Authenticate: Basic\r\n\r\n"),
        Head(
            "long value",
            "HTTP/1.1 200 OK\r\nX-A: \(String(repeating: "a", count: 60_000))\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"
        ),
        Head(
            "many fields",
            "HTTP/1.1 200 OK\r\n\(String(repeating: "X-A: a\r\n", count: 900))Date: \(date)\r\nContent-Length: 0\r\n\r\n"
        ),
        Head(
            "100 first, with a Date",
            "HTTP/1.1 100 Continue\r\nDate: Sun, 01 Nov 2020 12:00:00 GMT\r\n\r\nHTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"
        ),
    ]

    /// Heads that are not HTTP/1.1, or that answer no HEAD.
    private static let unreadable: [Head] = [
        Head(
            "too long a value",
            "HTTP/1.1 200 OK\r\nX-A: \(String(repeating: "a", count: 70_000))\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"
        ),
        Head(
            "too many fields",
            "HTTP/1.1 200 OK\r\n\(String(repeating: "X-A: a\r\n", count: 1200))Date: \(date)\r\nContent-Length: 0\r\n\r\n"
        ),
        Head("bare CR", "HTTP/1.1 200 OK\rDate: \(date)\rContent-Length: 0\r\r\n\r\n"),
        Head("two CRs", "HTTP/1.1 200 OK\r\r\nDate: \(date)\r\r\nContent-Length: 0\r\r\n\r\r\n"),
        Head("space before colon", "HTTP/1.1 200 OK\r\nDate : \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("HTTP/1.2", "HTTP/1.2 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("HTTP/2", "HTTP/2 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("HTTP/0.9", "HTTP/0.9 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("http in lowercase", "http/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("ICY", "ICY 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("two spaces", "HTTP/1.1  200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("status of two digits", "HTTP/1.1 20 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("status of four digits", "HTTP/1.1 2000 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("status 099", "HTTP/1.1 099 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("status 600", "HTTP/1.1 600 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("empty line first", "\r\nHTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("line without colon", "HTTP/1.1 200 OK\r\nnonsense\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("empty name", "HTTP/1.1 200 OK\r\n: x\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("odd name", "HTTP/1.1 200 OK\r\nX(a)@b: x\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("name with a space", "HTTP/1.1 200 OK\r\nX A: x\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("NUL in a value", "HTTP/1.1 200 OK\r\nX-A: a\0b\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        Head("NUL in Date", "HTTP/1.1 200 OK\r\nDate: \(date)\0\r\nContent-Length: 0\r\n\r\n"),
        Head("length of no number", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: five\r\n\r\n"),
        Head("negative length", "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: -1\r\n\r\n"),
    ]

    /// HTTP/2 that can be read.
    private static let readableFields: [Fields] = [
        Fields("regular", [(":status", "200"), ("date", date)]),
        Fields("space before", [(":status", "200"), ("date", " " + date)]),
        Fields("space after", [(":status", "200"), ("date", date + " ")]),
        Fields("UTF-8", [(":status", "200"), ("x-a", "ž"), ("date", date)]),
        Fields("empty date", [(":status", "200"), ("date", "")]),
        Fields("two dates", [(":status", "200"), ("date", date), ("date", date)]),
        Fields("length 5", [(":status", "200"), ("content-length", "5"), ("date", date)]),
    ]

    /// Heads that are malformed in HTTP/2, or that answer no HEAD.
    private static let unreadableFields: [Fields] = [
        Fields("uppercase", [(":status", "200"), ("Date", date)]),
        Fields("uppercase other", [(":status", "200"), ("X-A", "a"), ("date", date)]),
        Fields("no status", [("date", date)]),
        Fields("two statuses", [(":status", "200"), (":status", "200"), ("date", date)]),
        Fields("status last", [("date", date), (":status", "200")]),
        Fields("unknown pseudo", [(":status", "200"), (":odd", "x"), ("date", date)]),
        Fields("request pseudo", [(":status", "200"), (":path", "/"), ("date", date)]),
        Fields("connection", [(":status", "200"), ("connection", "close"), ("date", date)]),
        Fields("transfer-encoding", [(":status", "200"), ("transfer-encoding", "chunked"), ("date", date)]),
        Fields("keep-alive", [(":status", "200"), ("keep-alive", "5"), ("date", date)]),
        Fields("te", [(":status", "200"), ("te", "gzip"), ("date", date)]),
        Fields("NUL", [(":status", "200"), ("x-a", "a\0b"), ("date", date)]),
        Fields("LF", [(":status", "200"), ("x-a", "a\nb"), ("date", date)]),
        Fields("CR", [(":status", "200"), ("x-a", "a\rb"), ("date", date)]),
        Fields("LF in date", [(":status", "200"), ("date", date + "\nx: y")]),
        Fields("CRLF in date", [(":status", "200"), ("date", "x\r\ndate: \(date)")]),
        Fields("control", [(":status", "200"), ("x-a", "a\u{1}b"), ("date", date)]),
        Fields("empty name", [(":status", "200"), ("", "x"), ("date", date)]),
        Fields("odd name", [(":status", "200"), ("x(a)@b", "x"), ("date", date)]),
        Fields("name with space", [(":status", "200"), ("x a", "x"), ("date", date)]),
        Fields("name with colon", [(":status", "200"), ("x:a", "x"), ("date", date)]),
        Fields("status 20", [(":status", "20"), ("date", date)]),
        Fields("status 2000", [(":status", "2000"), ("date", date)]),
        Fields("status 099", [(":status", "099"), ("date", date)]),
        Fields("status 600", [(":status", "600"), ("date", date)]),
        Fields("status 101", [(":status", "101"), ("date", date)]),
        Fields("status +20", [(":status", "+20"), ("date", date)]),
        Fields("status 2x0", [(":status", "2x0"), ("date", date)]),
        Fields("two lengths", [(":status", "200"), ("content-length", "5"), ("content-length", "6"), ("date", date)]),
        Fields(
            "two equal lengths", [(":status", "200"), ("content-length", "5"), ("content-length", "5"), ("date", date)]),
        Fields("length five", [(":status", "200"), ("content-length", "five"), ("date", date)]),
        Fields("length -1", [(":status", "200"), ("content-length", "-1"), ("date", date)]),
        Fields("huge length", [(":status", "200"), ("content-length", "99999999999999999999999999"), ("date", date)]),
    ]

    @Test(arguments: readable) func isRead(_ head: Head) async throws {
        for (name, answer) in try await Self.answers(of: .answering(head.text), in: "http/1.1") {
            guard case .response(let response)? = answer else {
                Issue.record("\(name): \(String(describing: answer))")
                continue
            }
            #expect(response.version == "http/1.1")
            let expected = head.text.contains("Date:\r\nC") ? "" : Self.date
            #expect(!response.date.isEmpty && response.date.allSatisfy { $0 == expected }, "\(name): \(response)")
        }
    }

    @Test(arguments: unreadable) func isRefused(_ head: Head) async throws {
        try await Self.expectRefusal(of: .answering(head.text), in: "http/1.1")
    }

    @Test(arguments: readableFields) func fieldsAreRead(_ head: Fields) async throws {
        for endsStream in [true, false] {
            let service = LabService.answering(head.fields, endingStream: endsStream)
            for (name, answer) in try await Self.answers(of: service, in: "h2") {
                guard case .response(let response)? = answer else {
                    Issue.record("\(name): \(String(describing: answer))")
                    continue
                }
                #expect(response.version == "h2")
                let expected = head.fields.filter { $0.0 == "date" }.map { $0.1.trimmingCharacters(in: .whitespaces) }
                #expect(response.date == expected, "\(name)")
            }
        }
    }

    @Test(arguments: unreadableFields) func fieldsAreRefused(_ head: Fields) async throws {
        try await Self.expectRefusal(of: .answering(head.fields), in: "h2")
    }

    private static func expectRefusal(of service: LabService, in alpn: String) async throws {
        for (name, answer) in try await answers(of: service, in: alpn) {
            guard let answer, case .unavailable = answer else {
                Issue.record("\(name): \(String(describing: answer))")
                continue
            }
        }
    }

    /// Returns the answer that each stack reads.
    private static func answers(
        of service: LabService, in alpn: String
    ) async throws -> [(String, HTTPReport.Answer?)] {
        let recipe = LabTLSRecipe(.good, applicationProtocols: [alpn], service: service)
        return try await LabServer.run(.tls(recipe), pki: pki) { server in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: server.endpoint),
                anchors: try pki.anchors(), serverDate: .always, timeout: .seconds(300))
            let transports = try BackendsUnderTest.transports.map { try $0.get() }
            let results = await Prober().probe(check, through: transports, resolvers: [])
            #expect(results.count == transports.count)
            return results.compactMap(\.evidence.connection).map { ($0.transport.name, $0.report.http?.outcome) }
        }
    }
}
