import Foundation
import ProbeKit
import ProbeRun
import Testing

@testable import ProbeScan

/// The content of a list's lines.
@Suite struct ScanListTests {
    private func targets(_ text: String) throws -> [String] {
        let entry = try ScanEntry(text)
        return (0..<entry.count).map { index in
            let target = entry[index].target
            return "\(target)" + (target.connect.map { " at \($0)" } ?? "")
        }
    }

    @Test(
        arguments: [
            ("good.test", ["good.test:443"]), ("good.test:8443", ["good.test:8443"]),
            ("https://good.test/a/b", ["good.test:443"]), ("192.0.2.1", ["192.0.2.1:443"]),
            ("192.0.2.1,good.test", ["good.test:443 at 192.0.2.1:443"]),
            ("192.0.2.1:8443, good.test", ["good.test:8443 at 192.0.2.1:8443"]),
            ("192.0.2.1,good.test:8443", ["good.test:8443 at 192.0.2.1:8443"]),
            ("192.0.2.1:1,good.test:2", ["good.test:2 at 192.0.2.1:1"]),
            ("[2001:db8::1]:8443,good.test", ["good.test:8443 at [2001:db8::1]:8443"]),
            ("fe80::1%lo,good.test", ["good.test:443 at [fe80::1%lo]:443"]),
            ("[fe80::1%lo]:8443, good.test", ["good.test:8443 at [fe80::1%lo]:8443"]),
            (#"{"target":"good.test","connect":"[fe80::1%lo]:1"}"#, ["good.test:443 at [fe80::1%lo]:1"]),
            (#"{"target":"[fe80::1%lo]:8443"}"#, ["[fe80::1%lo]:8443 at [fe80::1%lo]:8443"]),
            (#"{"target":"[fe80::1%lo]:8443","name":"good.test"}"#, ["good.test:8443 at [fe80::1%lo]:8443"]),
            ("192.0.2.254/31", ["192.0.2.254:443", "192.0.2.255:443"]),
            ("192.0.2.0/31:8443", ["192.0.2.0:8443", "192.0.2.1:8443"]),
            ("192.0.2.0/32,good.test", ["good.test:443 at 192.0.2.0:443"]),
            ("2001:db8::fffe/127", ["[2001:db8::fffe]:443", "[2001:db8::ffff]:443"]),
            ("[2001:db8::/127]:8443", ["[2001:db8::]:8443", "[2001:db8::1]:8443"]),
            (#"{"target":"good.test:8443"}"#, ["good.test:8443"]),
            (#"{"target":"good.test:8443","connect":"127.0.0.1:1"}"#, ["good.test:8443 at 127.0.0.1:1"]),
            (#"{"target":"192.0.2.1:8443","name":"good.test"}"#, ["good.test:8443 at 192.0.2.1:8443"]),
            ("smtp://good.test", ["smtp://good.test:25"]),
            (
                #"{"target":"imap://192.0.2.1:143","name":"good.test"}"#,
                ["imap://good.test:143 at 192.0.2.1:143"]
            ),
            (
                #"{"target":"192.0.2.1:8443","name":"good.test","connect":"127.0.0.1:1"}"#,
                ["good.test:8443 at 127.0.0.1:1"]
            ),
        ] as [(String, [String])])
    func lines(text: String, expected: [String]) throws {
        #expect(try targets(text) == expected)
    }

    @Test(arguments: [
        ("good.test", "smtp://good.test:25"), ("192.0.2.1,good.test", "smtp://good.test:25"),
        ("192.0.2.0/32", "smtp://192.0.2.0:25"), (#"{"target":"good.test:26"}"#, "smtp://good.test:26"),
        ("smtp://good.test:27", "smtp://good.test:27"),
    ])
    func theOptionIsForLinesWithoutAScheme(text: String, expected: String) throws {
        #expect("\(try ScanEntry(text, startTLS: .smtp)[0].target)" == expected)
    }

    @Test(
        arguments: [
            ("a,b,c", "3 parts"), ("two words", "host name"), ("192.0.2.1/24", "192.0.2.0/24"),
            ("192.0.2.0/", "prefix length"), ("192.0.2.0/+8", "prefix length"), ("good.test/24", "range"),
            ("2001:db8::/95", "2^33"), ("[192.0.2.0/24]x", "after the bracket"), ("192.0.2.0/24:70000", "not a port"),
            (#"{"target":"good.test","colour":1}"#, "'colour' is not a key"),
            (#"{"target":1}"#, "'target' has another type"),
            (#"{"name":"good.test"}"#, "lacks 'target'"), (#"{"target":"good.test""#, "not JSON"),
            (#"{"target":"good.test","timeout":0}"#, "timeout"), (#"{"target":"good.test","timeout":1e9}"#, "timeout"),
            (#"{"target":"good.test","pins":["x"]}"#, "pin"), (#"{"target":"good.test","connect":"good"}"#, "connect"),
            ("2001:db8::1%lo,good.test", "not a link-local address"),
            (#"{"target":"good.test","connect":"[2001:db8::1%lo]:1"}"#, "not a link-local address"),
            (#"{"target":"good.test","service":""}"#, "service"),
            (#"{"target":"good.test","name":"a b"}"#, "host name"),
            (#"{"target":"good.test","timeout":1e999}"#, "a string or a number is malformed or out of range"),
            (#"{"target":"good.test","clientCert":""}"#, "clientCert is empty"),
            (#"{"target":"good.test","clientCert":"a.pem","clientKey":""}"#, "clientKey is empty"),
            (#"{"target":"good.test","clientCert":"a.pem","clientPassphrase":""}"#, "clientPassphrase is empty"),
            (#"{"target":"good.test","clientCert":"-","clientKey":"a.key"}"#, "clientCert is -"),
            (#"{"target":"good.test","clientCert":"a.pem","clientKey":"-"}"#, "clientKey is -"),
            (#"{"target":"good.test","clientCert":"a.pem","clientPassphrase":"-"}"#, "clientPassphrase is -"),
        ])
    func whatNamesNothingSaysWhy(text: String, words: String) {
        let error = #expect(throws: InputError.self) { try ScanEntry(text) }
        #expect(error.map { "\($0)".contains(words) } ?? false, "\(error as Any)")
    }

    @Test func aRangeOfAllOfIPv4IsHeldAsItsEnds() throws {
        let entry = try ScanEntry("0.0.0.0/0")
        #expect(entry.count == 1 << 32)
        #expect("\(entry[(1 << 32) - 1].target)" == "255.255.255.255:443")
        #expect(try ScanEntry("2001:db8::/96").count == 1 << 32)
    }

    /// Fixed here for all time: a file of results and a split among machines depend on it.
    @Test func identifiersAreTheSameEverywhere() throws {
        let plain = try ScanEntry("good.test")[0].id
        #expect(plain == ScanID(hashing: Array("good.test:443\n\n\n".utf8)))
        #expect(plain.hex == "88f520bec32aeed4066f692ca21c3493")
        #expect(ScanID(plain.hex) == plain)
        #expect(try ScanEntry("GOOD.test.:443")[0].id == plain)
        let others = try [
            "good.test:444", "192.0.2.1,good.test", #"{"target":"good.test","timeout":2}"#,
            #"{"target":"good.test","service":"a"}"#, #"{"target":"good.test","pins":[]}"#,
        ].map { try ScanEntry($0)[0].id }
        #expect(Set(others + [plain]).count == 6)
    }

    /// Its file keeps its name.
    @Test("a renewed client certificate makes another target of the same part of a list") func renewedCertificate() {
        func id(_ chain: [[UInt8]]?) -> ScanID {
            var target = ScanTarget(
                target: Target(name: .dns("good.test")), identity: IdentityFiles(certificate: "a.pem", key: "a.key"))
            target.clientIdentity = chain.map {
                ClientIdentity(chain: $0, key: .pkcs8(Secret(copying: [UInt8(1)].span)))
            }
            return target.id
        }
        #expect(id([[1], [2]]) == id([[1], [2]]))
        let ids = [id(nil), id([[1], [2]]), id([[3], [2]]), id([[1], [3]])]
        #expect(Set(ids).count == 4 && Set(ids.map(\.line)).count == 1)
    }

    @Test(arguments: [1, 2, 3, 7, 64]) func shardsAreAPartition(count: Int) throws {
        let shards = try (1...count).map { try Shard("\($0)/\(count)") }
        var sizes = [Int](repeating: 0, count: count)
        let range = try ScanEntry("10.0.0.0/20")
        for index in 0..<range.count {
            let id = range[index].id
            let owners = shards.indices.filter { shards[$0].contains(id) }
            #expect(owners.count == 1)
            for owner in owners { sizes[owner] += 1 }
        }
        #expect(try #require(sizes.min()) * 2 > 4096 / count)
    }

    @Test func whatIsDoneIsTakenOutAsOftenAsItIsThere() throws {
        let ids = try ["a.test", "b.test", "a.test", "c.test"].map { try ScanEntry($0)[0].id }
        var done = DoneTargets(ContiguousArray(ids))
        let other = try ScanEntry("d.test")[0].id
        let taken = (ids + ids + [other]).map { done.take($0) }
        #expect(taken == [true, true, true, true, false, false, false, false, false])
        var none = DoneTargets([])
        let isThere = none.take(other)
        #expect(!isThere)
    }
}
