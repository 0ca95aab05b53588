import Foundation
package import ProbeKit
package import ProbeLab
package import ProbeNet

/// A stack's engine without a socket: a test gives it the server's bytes.
package struct EngineUnderTest: Sendable {
    /// The stacks, each of which has a column in the tables.
    package enum Stack: Sendable {
        case openssl, gnutls, nio

        /// The beginning of the codes that it has for errors of TLS.
        var codePrefix: String {
            switch self {
            case .openssl: "error:0A"
            case .gnutls: "GNUTLS_E_"
            case .nio: "error:1"
            }
        }
    }

    /// One for all stacks, since keys take long to make.
    package static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))

    let stack: Stack
    private let make: @Sendable (HandshakeRequest) throws -> any HandshakeEngine

    /// Names a stack, and the way to make its engine.
    package init(_ stack: Stack, _ make: @escaping @Sendable (HandshakeRequest) throws -> any HandshakeEngine) {
        self.stack = stack
        self.make = make
    }

    /// Returns an engine for a handshake with good.test that has not begun.
    package func engine(
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, alpn: [String] = []
    ) throws -> any HandshakeEngine {
        try make(
            HandshakeRequest(
                endpoint: Endpoint(host: ServerName("127.0.0.1"), port: 1), serverName: ServerName("good.test"),
                versions: versions, alpn: alpn, anchors: Self.pki.anchors(), instant: Self.pki.epoch,
                deadline: .after(.seconds(1800))))
    }

    /// Returns the differences of the first flight from that of all clients here.
    package func differencesOfHello() throws -> [String] {
        let engine = try engine(alpn: ["h2"])
        guard case .needsInput = engine.advance() else { return ["it does not wait"] }
        let hello = Data(engine.takeOutput())
        func has(_ bytes: [UInt8]) -> Bool { hello.firstRange(of: Data(bytes)) != nil }
        var differences: [String] = []
        if !hello.starts(with: [22, 3]) { differences.append("it does not begin with a handshake record") }
        if !has(Array("good.test".utf8)) { differences.append("it does not name the server") }
        if !has(Array("h2".utf8)) { differences.append("it does not offer h2") }
        // The extensions for a ticket and for timestamps have no content. GnuTLS does not ask for timestamps.
        if has([0, 35, 0, 0]) { differences.append("it asks for a ticket") }
        if !has([0, 5, 0, 5, 1, 0, 0, 0, 0]) { differences.append("it does not ask for a staple") }
        if stack != .gnutls, !has([0, 18, 0, 0]) { differences.append("it does not ask for timestamps") }
        if !engine.takeOutput().isEmpty { differences.append("it sends more") }
        return differences
    }

    /// Returns the report of a client of TLS 1.2 whose hello is answered with these bytes.
    package func report(of bytes: [UInt8], inPiecesOf size: Int = .max, alpn: [String] = []) throws -> HandshakeReport {
        let engine = try engine(versions: .tls12 ... .tls12, alpn: alpn)
        _ = engine.advance()
        return engine.report(after: engine.feed(bytes, inPiecesOf: size))
    }

    /// Returns the report of a whole handshake with a server in memory.
    package func report(
        of identity: LabIdentityName, version: TLSVersion, staple: [UInt8]? = nil, timestamps: [[UInt8]] = [],
        inPiecesOf size: Int
    ) throws -> HandshakeReport {
        let server = try LabMemoryServer(try Self.pki.identity(identity), staple: staple, timestamps: timestamps)
        let engine = try engine(versions: version...version)
        var progress = engine.advance()
        // Any version needs two round trips.
        for _ in 0..<3 {
            guard case .needsInput = progress else { break }
            progress = engine.feed(server.take(engine.takeOutput()).sent, inPiecesOf: size)
        }
        if case .needsInput = progress { progress = .failed(HandshakeFailure(.backendError, "it never ends")) }
        return engine.report(after: progress)
    }
}

extension HandshakeEngine {
    /// Takes bytes of the peer in pieces, and goes as far as they allow.
    package func feed(_ bytes: [UInt8], inPiecesOf size: Int = .max) -> HandshakeProgress {
        var progress = HandshakeProgress.needsInput
        var rest = bytes[...]
        while case .needsInput = progress, !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            unsafe receive(piece.span.bytes)
            progress = advance()
            rest = rest.dropFirst(size)
        }
        return progress
    }

    /// Returns the report of the handshake so far, with its failure if it has failed.
    package func report(after progress: HandshakeProgress) -> HandshakeReport {
        var report = HandshakeReport()
        report.failure = progress.failure
        report.nativeTrust = fill(&report)?()
        return report
    }
}

extension HandshakeProgress {
    /// The reason why the handshake can't complete; nil if it can, or has.
    package var failure: HandshakeFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}
