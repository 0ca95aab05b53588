import ProbeKit
import Testing

@testable import ProbeProfiles

/// Names with which TrustKit raises an exception at its start are reported where they are written.
@Suite struct TrustKitSuffixTests {
    private static let list = PublicSuffixList("com\nco.uk\n*.ck\n")

    private static func losses(
        _ name: String, _ reach: HostReach = .itself, list: PublicSuffixList? = list
    ) throws -> [String] {
        let set = PinSet([PinSet.Member(Pins.pin(1)), PinSet.Member(Pins.pin(2))], position: .any)
        let host = PinnedHost(name: name, reach: reach, port: nil, sets: [set], semantics: .exact)
        var losses: [FormatLoss] = []
        let bytes = try TrustKitFormat.write(
            [host], FormatExport(format: .trustkit, publicSuffixes: list), losses: &losses)
        #expect(String(decoding: bytes, as: UTF8.self).contains("<key>\(name)</key>"), "the host stays pinned")
        return losses.map(\.code)
    }

    @Test func namesBelowNoPublicSuffix() throws {
        #expect(try Self.losses("api.corp") == ["public-suffix"])
        #expect(try Self.losses("api.corp", list: nil) == [])
        #expect(try Self.losses("api.example.com") == [])
        #expect(try Self.losses("a.xn--p1ai") == [], "the list has it in other letters")
    }

    @Test func subdomainsOfAPublicSuffix() throws {
        #expect(try Self.losses("co.uk", .everything) == ["public-suffix"])
        #expect(try Self.losses("co.uk") == [])
        #expect(try Self.losses("example.co.uk", .everything) == [])
        #expect(try Self.losses("co.uk", .everything, list: nil) == [])
    }
}
