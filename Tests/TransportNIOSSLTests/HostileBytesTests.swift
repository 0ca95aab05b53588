import Foundation
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

@testable import TransportNIOSSL

/// The engine without a socket, with input that no server should send.
@Suite(.bounded)
struct HostileBytesTests {
    private func engine(
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, alpn: [String] = []
    ) throws -> NIOSSLEngine {
        try NIOSSLEngine(
            try Fixture.request(versions: versions, alpn: alpn), context: try BoringSSLContext(),
            anchors: NIOSSLAnchors())
    }

    private func feed(_ bytes: [UInt8], to engine: NIOSSLEngine) -> HandshakeProgress {
        unsafe engine.receive(bytes.span.bytes)
        return engine.advance()
    }

    private func failureOf(_ progress: HandshakeProgress) -> HandshakeFailure? {
        if case .failed(let failure) = progress { failure } else { nil }
    }

    @Test func sendsAClientHelloAndWaits() throws {
        let engine = try engine(alpn: ["h2"])
        guard case .needsInput = engine.advance() else { throw HandshakeFailure(.backendError, "did not wait") }
        let hello = Data(engine.takeOutput())
        #expect(hello.starts(with: [0x16, 0x03]))
        #expect(hello.firstRange(of: Data("good.test".utf8)) != nil)
        #expect(hello.firstRange(of: Data("h2".utf8)) != nil)
        // Session tickets are not offered: extension 35 with no content. OCSP and SCTs are: extensions 5 and 18.
        #expect(hello.firstRange(of: Data([0, 35, 0, 0])) == nil)
        #expect(hello.firstRange(of: Data([0, 5, 0, 5, 1, 0, 0, 0, 0])) != nil)
        #expect(hello.firstRange(of: Data([0, 18, 0, 0])) != nil)
        #expect(engine.takeOutput().isEmpty)
    }

    @Test(arguments: [
        Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
        [UInt8](repeating: 0, count: 64),
        [UInt8](repeating: 0xff, count: 70_000),
        // A record longer than any may be.
        [0x16, 0x03, 0x03, 0xff, 0xff] + [UInt8](repeating: 1, count: 0xffff),
        // A server hello with a length of 16 MiB, followed by as many bytes.
        [0x16, 0x03, 0x03, 0x00, 0x04, 0x02, 0xff, 0xff, 0xff]
            + [[UInt8]](repeating: [0x16, 0x03, 0x03, 0x40, 0x00] + [UInt8](repeating: 0, count: 0x4000), count: 40)
            .flatMap(\.self),
        // A server hello without content, application data, a change of cipher spec of two.
        [0x16, 0x03, 0x03, 0x00, 0x04, 0x02, 0x00, 0x00, 0x00],
        [0x17, 0x03, 0x03, 0x00, 0x01, 0x00],
        [0x14, 0x03, 0x03, 0x00, 0x01, 0x02],
    ])
    func nonsenseIsATypedFailure(_ bytes: [UInt8]) throws {
        let engine = try engine()
        _ = engine.advance()
        _ = engine.takeOutput()
        let failure = try #require(failureOf(feed(bytes, to: engine)))
        #expect(failure.code == .protocolError)
        #expect(failure.nativeCode?.hasPrefix("error:1") == true)
        // Once failed, it stays so.
        #expect(failureOf(feed([0x16], to: engine)) != nil)
        var report = HandshakeReport()
        report.nativeTrust = engine.fill(&report)?()
        #expect(report.chain.isEmpty)
        #expect(report.nativeTrust == nil)
    }

    @Test func randomBytesNeverComplete() throws {
        var random = SystemRandomNumberGenerator()
        for round in 0..<300 {
            let engine = try engine()
            _ = engine.advance()
            // Half of them are framed as handshake records, so that they get past the record layer.
            var bytes = (0..<Int.random(in: 1...2000)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            if round % 2 == 0 {
                bytes = [0x16, 0x03, 0x03, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff), 0x02] + bytes
            }
            if case .complete = feed(bytes, to: engine) { Issue.record("completed on \(bytes)") }
            var report = HandshakeReport()
            report.nativeTrust = engine.fill(&report)?()
        }
    }

    @Test func aFarewellIsNoProtocolError() throws {
        let engine = try engine()
        _ = engine.advance()
        let failure = failureOf(feed([0x15, 0x03, 0x03, 0x00, 0x02, 0x01, 0x00], to: engine))
        #expect(failure?.code == .connectionClosed)
    }

    /// Returns the start of a TLS 1.2 handshake, all of it in the clear: a server hello that picks
    /// TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, then a certificate message.
    private func certificateMessage(_ certificates: [UInt8]) -> [UInt8] {
        func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + body.count.threeBytes + body }
        let hello = [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0, 0xc0, 0x2f, 0, 0, 5, 0xff, 0x01, 0, 1, 0]
        let messages = message(2, hello) + message(11, certificates.count.threeBytes + certificates)
        return messages.chunks(of: 0x4000).flatMap {
            [0x16, 0x03, 0x03, UInt8($0.count >> 8), UInt8($0.count & 0xff)] + $0
        }
    }

    private func report(onTLS12 bytes: [UInt8], chunks size: Int = 65_536) throws -> HandshakeReport {
        let engine = try engine(versions: .tls12 ... .tls12)
        _ = engine.advance()
        var report = HandshakeReport()
        for piece in bytes.chunks(of: size) where report.failure == nil {
            report.failure = failureOf(feed(piece, to: engine))
        }
        report.nativeTrust = engine.fill(&report)?()
        return report
    }

    @Test(arguments: [1, 1000, 1 << 20])
    func aCertificateMessageAboveTheLimitIsTooLong(_ size: Int) throws {
        let report = try report(
            onTLS12: certificateMessage([UInt8](repeating: 0, count: 600_000)), chunks: size)
        #expect(report.failure?.code == .chainTooLong)
        #expect(report.version == .tls12)
    }

    @Test(arguments: [1, 1 << 20])
    func moreCertificatesThanTheLimitAreTooLongBeforeTheHandshakeIsOver(_ size: Int) throws {
        let leaf = try Fixture.pki.identity(.rsa2048).leaf
        let many = [[UInt8]](repeating: leaf.count.threeBytes + leaf, count: HandshakeLimits.certificates + 1)
        let report = try report(onTLS12: certificateMessage(many.flatMap(\.self)), chunks: size)
        #expect(report.failure?.code == .chainTooLong)
        #expect(report.chain.isEmpty)
    }

    @Test func aChainThatBoringSSLCannotReadIsStillShown() throws {
        let garbage = Array("not a certificate".utf8)
        for identity in [LabIdentityName.rsa2048, .rsaWithoutNull] {
            let leaf = try Fixture.pki.identity(identity).leaf
            let chain = identity == .rsa2048 ? [leaf, garbage] : [leaf]
            let report = try report(onTLS12: certificateMessage(chain.flatMap { $0.count.threeBytes + $0 }))
            #expect(report.failure?.code == .protocolError)
            #expect(report.chain == chain)
            guard case .unreadable = report.keys.last else { throw HandshakeFailure(.backendError, "read a key") }
        }
        let report = try report(onTLS12: certificateMessage(garbage.count.threeBytes + garbage))
        #expect(report.failure?.code == .protocolError)
        #expect(report.chain == [garbage])
        #expect(report.nativeTrust?.cause == .malformed)
    }

    /// The first certificate of a message that breaks off would be judged as if it were the whole chain.
    @Test func aChainThatIsCutShortIsNotShown() throws {
        let leaf = try Fixture.pki.identity(.rsa2048).leaf
        for rest in [[0], [0, 0, 9, 7], [0, 0, 0]] as [[UInt8]] {
            let report = try report(onTLS12: certificateMessage(leaf.count.threeBytes + leaf + rest))
            #expect(report.failure?.code == .protocolError)
            #expect(report.chain.isEmpty && report.keys.isEmpty && report.nativeTrust == nil)
        }
    }

    @Test func anALPNNameNobodyCanEncodeIsRefusedBeforeAByteIsSent() throws {
        let error = #expect(throws: HandshakeFailure.self) { try engine(alpn: [String(repeating: "x", count: 300)]) }
        #expect(error?.code == .unsupported)
    }
}

extension Int {
    /// The number as TLS writes a length of 24 bits.
    fileprivate var threeBytes: [UInt8] { [UInt8(self >> 16 & 0xff), UInt8(self >> 8 & 0xff), UInt8(self & 0xff)] }
}

extension [UInt8] {
    /// Returns the bytes in pieces of at most `size`.
    fileprivate func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
