import ProbeKit
import ProbeRoots
import Testing

@testable import ProbeClients

/// The stores and clients that take a path on which pins don't hold.
@Suite struct KnownTakersTests {
    /// The certificate of a store with this digest.
    private func anchors(_ store: String, without other: String) throws -> (only: [UInt8], common: [UInt8]) {
        let database = RootDatabase.standard(own: nil)
        let one = try database.snapshot(RootStoreName(store)).certificates
        let known = Set(try database.snapshot(RootStoreName(other)).certificates)
        return (try #require(one.first { !known.contains($0) }), try #require(known.first))
    }

    @Test func theStoresAndTheClientsAreNamed() throws {
        let clients = try ClientCatalogue.shipped().clients
        let client = try #require(clients.first { $0.roots?.hasPrefix("android@") == true })
        let (only, common) = try anchors(try #require(client.roots), without: "mozilla")
        let takers = KnownTakers(.standard(own: nil), clients: [client])
        let words = try #require(takers.words(anchor: only, usual: []))
        #expect(words.contains("android@") && words.hasSuffix("so for \(client.name)"), "\(words)")
        // The memory has the same.
        #expect(takers.words(anchor: only, usual: []) == words)
        #expect(takers.words(anchor: common, usual: [common]) == nil)
        #expect(takers.words(anchor: [1, 2, 3], usual: []) == nil)
    }

    @Test func manyClientsAreCounted() throws {
        let clients = (0..<9).map { index in
            var client = Client(name: "client-\(index)", family: "test", released: "2021-01-01", library: "none")
            client.roots = "mozilla@2021-05-30"
            return client
        }
        let database = RootDatabase.standard(own: nil)
        let anchor = try #require(try database.snapshot(RootStoreName("mozilla@2021-05-30")).certificates.first)
        let words = KnownTakers(database, clients: clients).words(anchor: anchor, usual: [])
        #expect(words?.hasSuffix("client-5 and 3 more clients") == true, "\(words ?? "")")
    }
}
