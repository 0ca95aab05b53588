import Crypto
import ProbeKit
import Testing
import TransportNIOSSL

@Suite struct DigesterTests {
    @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 294, 100_000])
    func agreesWithSwiftCrypto(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(BoringSSLDigester().sha256(bytes.span) == PinDigest(SHA256.hash(data: bytes)))
    }

    @Test func namesItsLibrary() {
        let identity = BoringSSLDigester().identity
        #expect(identity.name == "boringssl")
        #expect(identity.library == "BoringSSL")
    }
}
