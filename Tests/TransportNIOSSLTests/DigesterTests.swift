import Crypto
import ProbeKit
import ProbePins
import Testing
import TransportNIOSSL

@Suite struct DigesterTests {
    /// Messages of every length around their last blocks, anywhere in memory.
    @Test func digestsAreThoseOfSwiftCrypto() {
        let bytes = (0..<100_007).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for count in Array(0...320) + [100_000] {
            let message = count % 7..<count % 7 + count
            #expect(
                BoringSSLDigester().sha256(bytes.span.extracting(message))
                    == PinDigest(SHA256.hash(data: bytes[message])),
                "\(count) bytes")
        }
    }

    @Test func namesItsLibrary() {
        let identity = BoringSSLDigester().identity
        #expect(identity.name == "boringssl")
        #expect(identity.library == "BoringSSL")
    }
}
