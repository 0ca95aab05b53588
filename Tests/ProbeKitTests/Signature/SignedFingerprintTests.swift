import Crypto
import Foundation
import ProbeKit
import ProbeSignatures
import Testing

@Suite struct SignedFingerprintTests {
    private let key = P256.Signing.PrivateKey()

    private func signed(
        _ name: String = "api.example.com", _ fingerprint: String = "MTIz", _ expires: Int64 = 1_800_000_000,
        as text: String? = nil
    ) throws -> SignedFingerprint {
        let signature = try key.signature(for: Data((text ?? "\(name)&\(fingerprint)&\(expires)").utf8))
        return SignedFingerprint(
            name: name, fingerprint: fingerprint, expires: expires,
            signature: signature.derRepresentation.base64EncodedString())
    }

    @Test("[R84] a list of pins counts when its key signed every one of them")
    func aSignedListIsRead() throws {
        let list = SignedFingerprints(fingerprints: [try signed(), try signed("other.example.com")])
        let read = try JSONDecoder().decode(SignedFingerprints.self, from: try JSONEncoder().encode(list))
        #expect(read == list)
        #expect(read.fingerprints[0].signedText == "api.example.com&MTIz&1800000000")
        for text in [
            key.publicKey.x963Representation.base64EncodedString(),
            key.publicKey.derRepresentation.base64EncodedString(),
            key.publicKey.pemRepresentation,
        ] {
            #expect(read.unsigned(by: try FingerprintKey(text)).isEmpty)
        }
    }

    @Test func whatWasChangedIsNotSigned() throws {
        let key = try FingerprintKey(key.publicKey.pemRepresentation)
        let good = try signed()
        for change: (inout SignedFingerprint) -> Void in [
            { $0.name = "evil.example.com" }, { $0.fingerprint = "MTI0" }, { $0.expires += 1 }, { $0.signature = "" },
            { $0.signature = "not base64" }, { $0.signature = String($0.signature.dropLast(8)) },
        ] {
            var changed = good
            change(&changed)
            #expect(!changed.isSigned(by: key))
            #expect(SignedFingerprints(fingerprints: [good, changed]).unsigned(by: key) == [changed.name])
        }
        let other = try FingerprintKey(P256.Signing.PrivateKey().publicKey.pemRepresentation)
        #expect(!good.isSigned(by: other))
    }

    /// `a&b` and `c` are signed like `a` and `b&c`.
    @Test func ampersandsCantBeMoved() throws {
        let key = try FingerprintKey(key.publicKey.pemRepresentation)
        #expect(try !signed("a&b", "c").isSigned(by: key))
        #expect(try !signed("a", "b&c").isSigned(by: key))
    }

    @Test(arguments: ["", "AAAA", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "no base64!"])
    func whatIsNoKeyIsRefused(_ text: String) {
        #expect(throws: InputError.self) { try FingerprintKey(text) }
    }

    /// A key of another curve is not accepted either.
    @Test func otherCurvesAreRefused() {
        let other = P384.Signing.PrivateKey().publicKey
        #expect(throws: InputError.self) { try FingerprintKey(other.pemRepresentation) }
        #expect(throws: InputError.self) { try FingerprintKey(other.x963Representation.base64EncodedString()) }
    }
}
