import Crypto
import ProbeKit
import ProbePins
import Testing
import TransportGnuTLS

@Suite struct DigesterTests {
    /// Messages of every length around their last blocks, anywhere in memory.
    @Test func digestsAreThoseOfSwiftCrypto() {
        let bytes = (0..<100_007).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for count in Array(0...320) + [100_000] {
            let message = count % 7..<count % 7 + count
            #expect(
                GnuTLSDigester().sha256(bytes.span.extracting(message)) == PinDigest(SHA256.hash(data: bytes[message])),
                "\(count) bytes")
        }
    }

    @Test func namesItsLibrary() {
        let identity = GnuTLSDigester().identity
        #expect(identity.name == "gnutls")
        #expect(identity.library == "GnuTLS")
        #expect(identity.version.hasPrefix("3."))
        #expect(identity == GnuTLSTransport().identity)
    }
}
