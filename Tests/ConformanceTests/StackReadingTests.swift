import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing
import TransportGnuTLS
import TransportNIOSSL
import TransportOpenSSL

/// Every stack's readings of certificates and bytes without a connection; where stacks differ, their own tests say how.
@Suite(.bounded) struct StackReadingTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    private static func question(chain: [[UInt8]], after seconds: TimeInterval = 0) throws -> TrustQuestion {
        TrustQuestion(
            chain: chain, anchors: try pki.anchors(), name: try ServerName("good.test"),
            instant: pki.epoch.addingTimeInterval(seconds))
    }

    @Test(
        arguments: BackendsUnderTest.transports,
        [[], [0x30], Array("nonsense".utf8), [0x30, 0x84, 0xff, 0xff, 0xff, 0xff]])
    func garbageIsUnreadable(subject: TransportUnderTest, bytes: [UInt8]) async throws {
        guard case .unreadable(let why) = await (try subject.get()).readKey(ofCertificate: bytes) else {
            Issue.record("read a key from \(bytes)")
            return
        }
        #expect(!why.isEmpty)
    }

    /// Damage outside the key leaves the key unchanged, or unreadable; a truncated certificate is malformed.
    @Test(arguments: BackendsUnderTest.transports)
    func noBitFlipMakesAnotherKey(subject: TransportUnderTest) async throws {
        let transport = try subject.get()
        let leaf = try Self.pki.identity(.good).leaf
        let slices = try CertificateSlices(certificate: leaf.span)
        for index in leaf.indices {
            var broken = leaf
            broken[index] ^= 0xff
            let reading = await transport.readKey(ofCertificate: broken)
            if case .spki(let key) = reading, !slices.spki.contains(index) {
                #expect(key == Array(leaf[slices.spki]), "\(index)")
            }
            guard case .unreadable = await transport.readKey(ofCertificate: Array(leaf.prefix(index))) else {
                Issue.record("read a key from the first \(index) bytes")
                return
            }
        }
    }

    @Test(arguments: BackendsUnderTest.transports)
    func whatIsNoCertificateIsMalformed(subject: TransportUnderTest) async throws {
        let good = try Self.pki.identity(.good).chain
        for (chain, depth) in [([], nil), ([[UInt8]("garbage".utf8)], 0), (good + [[0x30, 0x00]], good.count)] {
            let reading = await (try subject.get()).evaluateTrust(try Self.question(chain: chain))
            #expect(reading.cause == .malformed)
            #expect(reading.problems.first?.depth == depth)
        }
    }

    /// A list that a library can't read ends its question, and nothing besides: the memory of many is soon another's.
    @Test(arguments: BackendsUnderTest.transports)
    func whatIsNoRevocationListIsRefused(subject: TransportUnderTest) async throws {
        let transport = try subject.get()
        guard transport.capabilities.contains(.revocationLists) else { return }
        let chain = try Self.pki.identity(.good).chain
        let lists = [Array("garbage".utf8), [0x30, 0x00], [], try Self.pki.certificate(of: .root)]
        for list in Array(repeating: lists, count: 50).joined() {
            let anchors = try Self.pki.anchors().with(revocationLists: [list])
            let reading = await transport.evaluateTrust(
                TrustQuestion(
                    chain: chain, anchors: anchors, name: try ServerName("good.test"), instant: Self.pki.epoch))
            #expect(!reading.isAccepted && reading.isAnswered, "\(list)")
        }
        #expect(await transport.evaluateTrust(try Self.question(chain: chain)).isAccepted)
    }

    /// The clock of some libraries belongs to the process.
    @Test(arguments: BackendsUnderTest.transports)
    func verificationsAtDifferentInstantsDoNotMeet(subject: TransportUnderTest) async throws {
        let transport = try subject.get()
        let chain = try Self.pki.identity(.good).chain
        let day: TimeInterval = 86_400
        let cases: [(TrustQuestion, TrustCause?)] = [
            (try Self.question(chain: chain), nil), (try Self.question(chain: chain, after: 61 * day), .expired),
            (try Self.question(chain: chain, after: -31 * day), .notYetValid),
        ]
        await withTaskGroup(of: (TrustCause?, TrustCause?).self) { group in
            for (question, expected) in Array(repeating: cases, count: 100).joined() {
                group.addTask { (await transport.evaluateTrust(question).cause, expected) }
            }
            for await (found, expected) in group { #expect(found == expected) }
        }
    }

    /// Messages of every length around their last blocks, anywhere in memory.
    @Test func digestsAreThoseOfSwiftCrypto() {
        let digesters: [any Digester] = [OpenSSLDigester(), GnuTLSDigester(), BoringSSLDigester()]
        let bytes = (0..<100_007).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for digester in digesters {
            for count in Array(0...320) + [100_000] {
                let message = count % 7..<count % 7 + count
                #expect(
                    digester.sha256(bytes.span.extracting(message)) == PinDigest.sha256(of: Array(bytes[message])),
                    "\(digester.identity.name), \(count) bytes")
            }
        }
        #expect(digesters.map(\.identity.name) == ["openssl", "gnutls", "boringssl"])
        #expect(digesters.map(\.identity.library) == ["OpenSSL", "GnuTLS", "BoringSSL"])
        #expect(digesters.allSatisfy { !$0.identity.version.isEmpty })
    }
}
