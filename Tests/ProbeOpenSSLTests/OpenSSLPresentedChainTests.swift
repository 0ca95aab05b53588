import CProbeOpenSSL
import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeOpenSSL

/// The server's certificates, read from its message and paired with those that OpenSSL parsed.
@Suite struct OpenSSLPresentedChainTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))

    private static func presented(_ message: [UInt8], over version: TLSVersion? = .tls12) -> OpenSSLPresentedChain {
        var chain = OpenSSLPresentedChain()
        unsafe message.withUnsafeBytes { unsafe chain.note($0, version: version) }
        return chain
    }

    @Test func anotherNumberThanOpenSSLParsedIsAFailure() {
        let two = Self.presented(ServerFlight.certificateMessage([[7], [8]]))
        #expect(two.disagreement(parsed: 2) == nil)
        #expect(
            two.disagreement(parsed: 1)
                == HandshakeFailure(
                    .backendError, "OpenSSL parsed 1 certificate, and the server's message has 2"))
        #expect(two.disagreement(parsed: 0)?.code == .backendError)
    }

    @Test(arguments: [nil, TLSVersion.tls13]) func aMessageThatCanNotBeReadIsAFailure(version: TLSVersion?) {
        let chain = Self.presented(ServerFlight.certificateMessage([[7]]), over: version)
        #expect(chain.disagreement(parsed: 1)?.message.contains("malformed") == true)
        #expect(chain.unparsed == nil)
    }

    /// A compressed message (RFC 8879) has another type, and OpenSSL's encoding is all that is known of what is in it.
    @Test func withoutAMessageTheEncodingIsOpenSSLs() throws {
        let chain = Self.presented([25, 0, 0, 1, 0])
        #expect(chain.disagreement(parsed: 3) == nil)
        let leaf = try Self.pki.identity(.good).leaf
        #expect(try Self.paired(chain, with: leaf).map(\.der) == [leaf])
    }

    @Test func theBytesAreTheMessages() throws {
        let leaf = try Self.pki.identity(.rsa2048).leaf
        let sent: [UInt8] = [0x30, 0x80] + leaf.dropFirst(4) + [0, 0]
        let certificate = try #require(
            try Self.paired(Self.presented(ServerFlight.certificateMessage([sent])), with: sent).first)
        #expect(certificate.der == sent && certificate.encoded == leaf)
        #expect(try OpenSSLCertificate(der: sent).der == sent)
    }

    @Test func aChainThatOpenSSLDropsIsShown() throws {
        let leaf = try Self.pki.identity(.good).leaf
        let sent = try #require(Self.presented(ServerFlight.certificateMessage([leaf, [7]])).unparsed)
        #expect(sent == [leaf, [7]])
        let unparsed = OpenSSLCertificates(sent)
        guard case .spki? = unparsed.keys.first, case .unreadable? = unparsed.keys.last else {
            Issue.record("\(unparsed.keys)")
            return
        }
    }

    /// Returns the certificates of a stack with one, as OpenSSL parses it.
    private static func paired(_ chain: OpenSSLPresentedChain, with der: [UInt8]) throws -> [OpenSSLCertificate] {
        let parsed = try OpenSSLCertificate(der: der)
        let stack = unsafe cprobe_certificates_new()
        defer { unsafe cprobe_certificates_free(stack) }
        let count = unsafe cprobe_certificates_push(stack, parsed.pointer)
        #expect(count == 1)
        return try withExtendedLifetime(parsed) { try unsafe chain.certificates(parsed: stack) }
    }
}
