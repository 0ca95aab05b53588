import Foundation
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

@testable import TransportGnuTLS

/// The engine without a socket, with input that no server should send.
@Suite(.bounded)
struct HostileBytesTests {
    private func engine(alpn: [String] = []) throws -> GnuTLSEngine {
        try GnuTLSEngine(try Fixture.request(alpn: alpn), GnuTLSAnchors())
    }

    private func feed(_ bytes: [UInt8], to engine: GnuTLSEngine) -> HandshakeProgress {
        unsafe engine.receive(bytes.span.bytes)
        return engine.advance()
    }

    private func failureOf(_ progress: HandshakeProgress) -> HandshakeFailure? {
        if case .failed(let failure) = progress { failure } else { nil }
    }

    @Test func sendsAClientHelloAndWaits() throws {
        let engine = try engine(alpn: ["h2"])
        guard case .needsInput = engine.advance() else { throw HandshakeFailure(.backendError, "did not wait") }
        let hello = engine.takeOutput()
        #expect(hello.starts(with: [0x16, 0x03]))
        #expect(Data(hello).firstRange(of: Data("good.test".utf8)) != nil)
        #expect(Data(hello).firstRange(of: Data("h2".utf8)) != nil)
        // Session tickets are not offered: extension 35 with no content.
        #expect(Data(hello).firstRange(of: Data([0, 35, 0, 0])) == nil)
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
        // A server hello without content, an empty record, application data, a change of cipher spec.
        [0x16, 0x03, 0x03, 0x00, 0x04, 0x02, 0x00, 0x00, 0x00],
        [0x17, 0x03, 0x03, 0x00, 0x01, 0x00],
        [0x14, 0x03, 0x03, 0x00, 0x01, 0x02],
    ])
    func nonsenseIsATypedFailure(_ bytes: [UInt8]) throws {
        let engine = try engine()
        _ = engine.advance()
        _ = engine.takeOutput()
        let failure = try #require(failureOf(feed(bytes, to: engine)))
        #expect(failure.code == .protocolError || failure.code == .chainTooLong)
        #expect(failure.nativeCode?.hasPrefix("GNUTLS_E_") == true)
        // Once failed, it stays so.
        #expect(failureOf(feed([0x16], to: engine)) == failure)
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

    @Test func truncatedRecordsAreWaitedFor() throws {
        let engine = try engine()
        _ = engine.advance()
        guard case .needsInput = feed([0x16, 0x03, 0x03, 0x00, 0x7a, 0x02], to: engine) else {
            throw HandshakeFailure(.backendError, "did not wait")
        }
    }

    @Test func warningAlertsDoNotGoOnForever() throws {
        let engine = try engine()
        _ = engine.advance()
        let warning: [UInt8] = [0x15, 0x03, 0x03, 0x00, 0x02, 0x01, 0x5a]
        guard case .needsInput = feed(warning, to: engine) else {
            throw HandshakeFailure(.backendError, "did not survive one warning")
        }
        let many = [[UInt8]](repeating: warning, count: 100).flatMap(\.self)
        #expect(failureOf(feed(many, to: engine))?.code == .protocolError)
    }

    @Test func aFatalAlertHasItsNumber() throws {
        let engine = try engine()
        _ = engine.advance()
        let failure = try #require(failureOf(feed([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28], to: engine)))
        #expect(failure.code == .alertReceived)
        #expect(failure.alert == .handshakeFailure)
    }

    private func certificateMessage(_ certificates: [UInt8]) -> [UInt8] { TLS12Flight.records(entries: certificates) }

    private func report(onTLS12 bytes: [UInt8], chunks size: Int = 65_536) throws -> HandshakeReport {
        let engine = try GnuTLSEngine(try Fixture.request(versions: .tls12 ... .tls12), GnuTLSAnchors())
        _ = engine.advance()
        var report = HandshakeReport()
        for piece in bytes.chunks(of: size) { report.failure = failureOf(feed(piece, to: engine)) }
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

    @Test func moreCertificatesThanTheLimitAreTooLong() throws {
        let leaf = try Fixture.pki.identity(.rsa2048).leaf
        let many = [[UInt8]](repeating: leaf.count.threeBytes + leaf, count: HandshakeLimits.certificates + 1)
        let report = try report(onTLS12: certificateMessage(many.flatMap(\.self)))
        #expect(report.failure?.code == .chainTooLong)
        #expect(report.chain.isEmpty)
    }

    /// By itself GnuTLS goes on as if the server had chosen none (RFC 7301 section 3.2).
    @Test(arguments: [("h2", true), ("http/1.1", true), ("h3", false)])
    func aProtocolThatWasNotOfferedIsAViolation(chosen: String, isOffered: Bool) throws {
        let engine = try GnuTLSEngine(
            try Fixture.request(versions: .tls12 ... .tls12, alpn: ["h2", "http/1.1"]), GnuTLSAnchors())
        _ = engine.advance()
        let leaf = try Fixture.pki.identity(.rsa2048).leaf
        let failure = failureOf(
            feed(TLS12Flight.records(entries: leaf.count.threeBytes + leaf, alpn: chosen), to: engine))
        guard !isOffered else {
            #expect(failure == nil)
            return
        }
        #expect(failure?.code == .protocolError && failure?.nativeCode == "GNUTLS_E_NO_APPLICATION_PROTOCOL")
        #expect(failure?.message.contains("not offered") == true)
    }

    @Test func aCertificateThatDoesNotParseIsATypedFailure() throws {
        let garbage = Array("not a certificate".utf8)
        let report = try report(onTLS12: certificateMessage(garbage.count.threeBytes + garbage))
        #expect(report.failure?.code == .protocolError)
        #expect(report.failure?.nativeCode == "GNUTLS_E_CERTIFICATE_ERROR")
        #expect(report.version == .tls12)
    }

    @Test func anALPNNameNobodyCanEncodeIsRefusedBeforeAByteIsSent() throws {
        let error = #expect(throws: HandshakeFailure.self) { try engine(alpn: [String(repeating: "x", count: 300)]) }
        #expect(error?.code == .unsupported)
    }

    @Test(.enabled(if: OpenSSL.isInstalled, "openssl is not installed"), arguments: [1, 7, 4096])
    func goodBytesMayComeInAnyPieces(_ size: Int) async throws {
        let identity = try Fixture.pki.identity(.good)
        let report = try await OpenSSL.serve(identity) { port in
            let engine = try engine()
            let peer = try BlockingPeer(port: port)
            var progress = engine.advance()
            while case .needsInput = progress {
                try peer.send(engine.takeOutput())
                for piece in try peer.receive().chunks(of: size) {
                    progress = feed(piece, to: engine)
                    guard case .needsInput = progress else { break }
                }
            }
            var report = HandshakeReport()
            report.failure = failureOf(progress)
            report.nativeTrust = engine.fill(&report)?()
            return report
        }
        #expect(report.failure == nil)
        #expect(report.chain == identity.chain)
        #expect(report.version == .tls13)
    }
}
