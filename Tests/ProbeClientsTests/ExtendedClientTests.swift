import ProbeKit
import ProbeTrust
import Testing

@testable import ProbeClients

/// The facts that a client of a file has from the one that it extends.
@Suite struct ExtendedClientTests {
    /// A client of which every stored property differs from a new one's.
    private static var base: Client {
        var client = Client(name: "base-1", family: "base", released: "2015-01-01", library: "Base")
        client.program = "base-program"
        client.agreement = 99
        client.roots = "mozilla@2021-05"
        client.rootsFile = "/base/roots.pem"
        client.rootsInFile = TrustAnchors(name: "/base/roots.pem", certificates: [[1]])
        client.offer = ClientOffer(versions: ["TLS 1.2"])
        client.sendsName = false
        client.habits.acceptsSHA1 = true
        client.judgesStaples = true
        client.missingIssuers = .fetched
        client.policies = ["ats"]
        client.unreadPins = [.android]
        client.platform = "android"
        client.sources = ["released": "a list"]
        return client
    }

    private static func read(_ text: String) throws -> Client {
        let file = ClientFile(file: "own.yaml", family: "own", folder: "/own")
        return try #require(try file.read(text, known: ["base-1": base]).first)
    }

    private static func values(_ client: Client) -> [String: String] {
        Mirror(reflecting: client).children.reduce(into: [:]) { $0[$1.label ?? ""] = String(reflecting: $1.value) }
    }

    @Test("a client has every property of the one that it extends, but its name and its family") func inherited() throws
    {
        let mine = try Self.read("clients: {mine: {extends: base-1}}")
        #expect(mine.name == "mine" && mine.family == "own")
        let own = Self.values(mine)
        let new = Self.values(Client(name: "", family: "", released: "", library: ""))
        let base = Self.values(Self.base)
        #expect(base.count > 10)
        for (property, value) in base {
            #expect(new[property] != value, "\(property) of this test's base needs a value that a new client lacks")
            if property != "name", property != "family" { #expect(own[property] == value, "\(property)") }
        }
    }

    @Test("the agreement that was measured for the base is not another program's") func program() throws {
        let mine = try Self.read("clients: {mine: {extends: base-1, program: other}}")
        #expect(mine.program == "other" && mine.agreement == nil)
        let measured = try Self.read(
            "clients: {mine: {extends: base-1, program: other, agreement: 98.5, sources: {agreement: a page}}}")
        #expect(measured.program == "other" && measured.agreement == 98.5)
    }

    @Test("roots of its own replace those that were read for the one it extends") func roots() throws {
        let mine = try Self.read("clients: {mine: {extends: base-1, roots: store.pem, sources: {roots: a}}}")
        #expect(mine.rootsFile == "/own/store.pem" && mine.roots == nil && mine.rootsInFile == nil)
        #expect(mine.program == "base-program" && mine.sources == ["released": "a list", "roots": "a"])
    }
}
