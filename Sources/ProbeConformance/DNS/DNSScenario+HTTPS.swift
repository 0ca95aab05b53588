import ProbeKit
import ProbeLab

extension DNSScenario {
    /// DNS over HTTPS: its methods, faults of a response, and faults of the connection.
    static let https: [DNSScenario] = methods + responses + bodies + replies + connections

    private static let list = LabDNSMessage(answers: [.txt("dc,florida")])

    private static func asked(
        _ id: String, _ sentence: String, source: String = "RFC 8484 4.2.1", by method: DoHServer.Method = .post,
        _ behaviour: LabDNSBehaviour = .reply(list), _ expected: Outcome = .dnsIndeterminate, code: String? = nil
    ) -> DNSScenario {
        DNSScenario("https/" + id, sentence, source: source, behaviour, expected, code: code).with {
            $0.medium = .https(method)
        }
    }

    private static func response(
        _ id: String, _ sentence: String, source: String = "RFC 8484 4.2.1", _ expected: Outcome = .dnsIndeterminate,
        code: String? = nil, _ change: (inout LabHTTPResponse) -> Void
    ) -> DNSScenario {
        var response = LabHTTPResponse()
        change(&response)
        return asked(
            id, sentence, source: source, LabDNSBehaviour.reply(list).with { $0.response = response }, expected,
            code: code)
    }

    private static let methods: [DNSScenario] = [
        asked("post", "A query in the body is answered.", source: "RFC 8484 4.1", .reply(list), .pass),
        asked("get", "So is one in the URL.", source: "RFC 8484 4.1", by: .get, .reply(list), .pass),
        asked(
            "get-not-listed", "The answer counts the same.", source: "RFC 8484 4.1", by: .get,
            .answer(.txt("dc,houston")), .modelNotListed),
        asked(
            "get-absent", "And so does absence.", source: "RFC 8484 4.2.1", by: .get,
            .reply(LabDNSMessage(authorities: [.soa(zone: .lab("test"))], responseCode: .nameError)), .modelAbsent),
        asked(
            "whole", "Nothing is truncated: 4200 bytes come at once.", source: "RFC 8484 6",
            .answer(.txt((LabModelList.strings(bytes: 4200) + ["florida"]).map { Array($0.utf8) })), .pass),
        DNSScenario(
            "https/ipv6", "A server may have an IPv6 address.", source: "RFC 3986 3.2.2",
            [Server(LabDNSZone(LabDNSBehaviour.reply(list)), on: .loopback6)], .pass
        ).with { $0.medium = .https(.post) },
    ]

    private static func status(_ status: UInt, _ sentence: String) -> DNSScenario {
        response("status-\(status)", sentence, code: "http-status") { $0.status = status }
    }

    private static let responses: [DNSScenario] = [
        status(400, "A refused request says nothing, whatever its body is."),
        status(404, "Nor does a path that is not there."),
        status(429, "Nor does a server that is asked too often."),
        status(500, "Nor does a server's failure."),
        status(503, "Nor does one that is not available."),
        status(206, "Nor does a part of a reply."),
        response(
            "redirect", "No redirect is followed.", source: "choice: who answers is who was asked", code: "http-status"
        ) {
            $0.status = 302
            $0.fields = [("location", "https://other.test/dns-query")]
        },
        response("content-type-text", "A reply has its own media type.", source: "RFC 8484 6", code: "http-content") {
            $0.contentType = "text/html"
        },
        response(
            "content-type-json", "JSON is not a reply, even if it is about DNS.", source: "RFC 8484 6",
            code: "http-content"
        ) {
            $0.contentType = "application/dns-json"
        },
        response("content-type-missing", "Nor is a body without a type.", source: "RFC 8484 6", code: "http-content") {
            $0.contentType = nil
        },
        response("content-type-case", "A media type's case does not count.", source: "RFC 9110 8.3.1", .pass) {
            $0.contentType = "Application/DNS-Message"
        },
        response(
            "fields-endless", "The head of a response has an end.", source: "choice: at most 64 KiB",
            code: "http-content"
        ) {
            $0.fields = (0..<100).map { ("x-filler-\($0)", String(repeating: "x", count: 1000)) }
        },
        response(
            "field-endless", "So has each of its lines.", source: "choice: at most 64 KiB", code: "http-content"
        ) {
            $0.fields = [("x-filler", String(repeating: "x", count: 120_000))]
        },
    ]

    private static func body(
        _ id: String, _ sentence: String, source: String = "RFC 9112 6.3", _ stream: LabDNSBehaviour.Stream,
        _ expected: Outcome = .dnsIndeterminate, code: String? = nil, timeout: Duration = .seconds(2)
    ) -> DNSScenario {
        asked(
            id, sentence, source: source, LabDNSBehaviour.reply(list).with { $0.stream = stream }, expected, code: code
        )
        .with { $0.timeout = timeout }
    }

    private static let bodies: [DNSScenario] = [
        response("body-empty", "An empty body is not a reply.", code: "http-content") { $0.body = [] },
        response("body-noise", "Nor is one that is not a message.", code: "malformed") { $0.body = [1, 2, 3] },
        response("body-html", "Nor is a page that claims to be one.", code: "not-a-reply") {
            $0.body = Array("<html><body>Sign in to use this network</body></html>".utf8)
        },
        response(
            "body-too-big", "A body is at most as long as a DNS message can be.", source: "RFC 8484 6",
            code: "http-content"
        ) { $0.body = [UInt8](repeating: 0, count: 200_000) },
        response("not-http", "What is not HTTP is not a response.", source: "RFC 9112 2.1", code: "http-broken") {
            $0.body = Array("\u{16}\u{3}\u{1} nothing of the kind\r\n\r\n".utf8)
            $0.isBare = true
        },
        body("body-half", "Half a body says nothing.", .half, code: "connection-closed"),
        body(
            "body-length-too-big", "Nor does one that ends before its length.", .claimedLength(60_000),
            code: "connection-closed"),
        body("body-length-too-small", "A body ends where its length says.", .claimedLength(20), code: "malformed"),
        body("closed", "A connection closed at once says nothing.", .closed, code: "connection-closed"),
        body("body-dribbled", "A body may come byte by byte.", .dribbled(.milliseconds(4)), .pass),
        body(
            "body-too-slow", "The deadline holds for one that comes too slowly.", source: "decided: dns-answers",
            .dribbled(.milliseconds(50)), code: "timeout", timeout: .seconds(1)
        ).with { $0.duration = .milliseconds(800)...(.milliseconds(1500)) },
        body(
            "silent", "A silent connection is left at the deadline.", source: "decided: dns-answers", .silent,
            code: "timeout", timeout: .seconds(1)),
    ]

    private static func reply(_ id: String, _ sentence: String, _ message: LabDNSMessage, code: String) -> DNSScenario {
        asked(id, sentence, source: "RFC 5452 9.1", .reply(message), code: code)
    }

    /// A response belongs to its request, so there is nothing to wait for behind a wrong one.
    private static let replies: [DNSScenario] = [
        reply("wrong-id", "The id of a reply is the query's.", list.with { $0.idOffset = 1 }, code: "wrong-id"),
        reply(
            "wrong-question", "So is its question.", list.with { $0.question = .other(.lab("other", "test")) },
            code: "wrong-question"),
        reply("no-question", "Which is not left out.", list.with { $0.question = .missing }, code: "wrong-question"),
        reply("query-echo", "A query is not a reply.", list.with { $0.isReply = false }, code: "not-a-reply"),
    ]

    private static func connection(
        _ id: String, _ sentence: String, source: String = "RFC 9110 4.3.4", _ identity: LabIdentityName
    ) -> DNSScenario {
        asked("tls-" + id, sentence, source: source, .reply(list), .dnsIndeterminate, code: "tls-failed").with {
            $0.tls = LabTLSRecipe(identity)
        }
    }

    private static let connections: [DNSScenario] = [
        connection("unknown-issuer", "A server whose certificate nobody vouches for is not asked.", .unknownIssuer),
        connection("self-signed", "Nor is one that vouches for itself.", .selfSigned),
        connection("wrong-name", "Nor is one whose certificate is for another name.", .wrongName),
        connection("expired", "Nor is one whose certificate has expired.", .expired),
        connection("not-yet-valid", "Nor is one whose certificate is not valid yet.", .notYetValid),
        DNSScenario(
            "https/second-server", "The second server is asked where the first one's response is not a reply.",
            source: "decided: dns-answers",
            [
                Server(LabDNSBehaviour.reply(list).with { $0.response.status = 502 }), Server(.reply(list)),
            ], .pass
        ).with { $0.medium = .https(.post) },
    ]
}
