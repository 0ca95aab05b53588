import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// The warning about services that no file of `--chain` is for: it names the first of them.
@Suite(.bounded) struct UnjudgedServicesTests {
    private static func services(_ count: Int, judged: Set<Int> = []) throws -> UnjudgedServices {
        let takers = try (0..<count).map { number throws in
            ChainTaker(label: number == 0 ? "api" : nil, target: try Target("s\(number).test"))
        }
        return try UnjudgedServices(["a.pem"], among: takers) { judged.contains($0) }
    }

    @Test(arguments: [
        (1, "s0.test:443: no file without a host has a leaf with its name"),
        (2, "s0.test:443, s1.test:443: no file without a host has a leaf with their names"),
        (
            4,
            "s0.test:443, s1.test:443, s2.test:443, s3.test:443: no file without a host has a leaf with their names"
        ),
        (
            5,
            "s0.test:443, s1.test:443, s2.test:443, s3.test:443 and 1 more: no file without a host has a leaf with their names"
        ),
        (
            9,
            "s0.test:443, s1.test:443, s2.test:443, s3.test:443 and 5 more: no file without a host has a leaf with their names"
        ),
    ])
    func theFirstFourAreNamed(count: Int, words: String) throws {
        let finding = try #require(try Self.services(count).finding)
        #expect(finding.message == "no --chain is for \(words)")
        let fix =
            count == 1
            ? "issue the certificate for it too, or give --chain api=FILE"
            : "issue the certificate for them too, or give each its own, like --chain api=FILE"
        #expect(finding.fix == fix)
    }

    @Test func onlyThoseWithoutAFileAreNamed() throws {
        let message = try #require(try Self.services(6, judged: [0, 3]).finding).message
        #expect(message.hasPrefix("no --chain is for s1.test:443, s2.test:443, s4.test:443, s5.test:443: "))
        #expect(try Self.services(2, judged: [0, 1]).finding == nil)
    }
}
