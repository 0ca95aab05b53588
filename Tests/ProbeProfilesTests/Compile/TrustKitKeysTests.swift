import Foundation
import ProbeKit
import ProbePins
import ProbeTestSupport
import Testing

@testable import ProbeProfiles

/// The remedy for a key that TrustKit can't hash is possible where the certificate stands.
@Suite(.bounded) struct TrustKitKeysTests {
    private static let keys = "RSA of 2048, 3072 or 4096 bits, P-256 or P-384"

    @Test(
        arguments: [
            (["EC P-256", "EC P-384", "EC P-521"], "move to a CA whose root has a key of \(keys)"),
            (["EC P-256", "EC P-521", "RSA 4096"], "use \(keys), or pin the key of a CA above it"),
            (["EC P-521", "EC P-256", "RSA 4096"], "use \(keys), or pin the key of a CA above it"),
            (["EC P-521"], "use \(keys)"),
        ])
    func remedies(keys: [String], remedy: String) throws {
        let path = keys.enumerated().map { TrustKitKeys.Link(name: "\($0.offset)", key: $0.element, spki: nil) }
        let policy = TrustKitKeys([PinGroup([Pins.pin(1)], position: .any)])
        let finding = try #require(policy.finding(on: path, at: .distantPast))
        #expect(finding.code == "trustkit-key-type")
        #expect(finding.fix == remedy)
    }
}
