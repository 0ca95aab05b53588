package import ProbeKit
import ProbePlatform

/// The facts of one handshake.
package struct WireHandshakeReport: Decodable {
    struct Timings: Decodable {
        let connect: Double?
        let handshake: Double?
        let trust: Double?
    }

    struct Failure: Decodable {
        let code: HandshakeFailure.Code
        let message: String
        let nativeCode: String?
        let alert: Int?
        let afterHandshake: Bool?
        let cause: String?

        /// The codes that the protocol has words for (PROTOCOL.md, handshake): the others are about what a program is never
        /// asked for.
        static let spoken: Set<HandshakeFailure.Code> = [
            .nameNotFound, .nameLookupFailed, .connectionRefused, .networkUnreachable, .connectTimeout,
            .connectionReset, .connectionClosed, .notTLS, .alertReceived, .handshakeTimeout, .localOverload,
            .chainTooLong, .protocolError, .unsupported, .backendError,
        ]

        /// The causes that a program can find out; the others are causes that only this process finds.
        private static let causes: Set<HandshakeFailure.Cause> = [.versionNotOffered, .keyUsage, .legacyRenegotiation]

        /// The cause; nil for one of another name, since a newer program may know more of them.
        private var knownCause: HandshakeFailure.Cause? {
            if code == .backendError { return .programReport }
            guard code == .protocolError, let cause = cause.flatMap(HandshakeFailure.Cause.init(rawValue:)) else {
                return nil
            }
            return Self.causes.contains(cause) ? cause : nil
        }

        /// - Throws: ``WireError`` for an alert that TLS can't have, and for a code that is not the protocol's.
        func handshakeFailure() throws -> HandshakeFailure {
            guard Self.spoken.contains(code) else {
                throw WireError("failure.code is '\(code.rawValue)', which is not a code of the protocol")
            }
            return HandshakeFailure(
                code, WireText.sentence(message, or: code.rawValue), nativeCode: nativeCode.map(WireText.name),
                alert: try alert.map { HandshakeFailure.Alert(rawValue: try .wire($0, "failure.alert")) },
                isAfterHandshake: afterHandshake ?? false, cause: knownCause)
        }
    }

    let address: String?
    let sni: String?
    let chain: [Data]?
    let keys: [WireKey]?
    let version: String?
    let cipherSuite: String?
    let group: String?
    let alpn: String?
    let ocspStaple: Data?
    let handshakeSCTs: [Data]?
    let clientCertificateRequested: Bool?
    let clientCertificateIssuers: [Data]?
    let trust: WireTrust?
    let http: WireHTTPReport?
    let timings: Timings?
    let failure: Failure?

    /// - Throws: ``WireError`` if a member does not make sense, or address or SNI are not those that were to be dialled and sent.
    func report(of request: HandshakeRequest) throws -> HandshakeReport {
        let report = try report()
        // Some libraries send none for some names, and report that.
        if let sni, sni != request.serverName.sni {
            let wanted = request.serverName.sni.map { "'\($0)'" } ?? "none, as an address has none (RFC 6066 section 3)"
            throw WireError("it sent the SNI '\(WireText.name(sni))', and was to send \(wanted)")
        }
        guard case .ip(let asked) = request.endpoint.host, let text = report.peerAddress, let peer = IPAddress(text)
        else { return report }
        let (dialled, reached) = (asked.mapped ?? asked, peer.mapped ?? peer)
        // A system takes the address of nobody for its own.
        guard reached == dialled || dialled.bytes.allSatisfy({ $0 == 0 }) else {
            throw WireError("it reached \(peer), and was to reach \(asked)")
        }
        return report
    }

    /// - Throws: ``WireError`` if a member does not make sense.
    package func report() throws -> HandshakeReport {
        let (chain, keys) = (chain ?? [], keys ?? [])
        guard chain.count <= HandshakeLimits.certificates,
            chain.reduce(0, { $0 + $1.count }) <= HandshakeLimits.certificateMessageBytes
        else { throw WireError("the chain is larger than what is taken") }
        guard keys.count <= chain.count else { throw WireError("there are more keys than certificates") }
        if failure?.afterHandshake ?? (failure == nil) {
            let missing = [
                ("address", address == nil), ("chain", chain.isEmpty), ("version", version == nil),
                ("trust", trust == nil),
            ].filter(\.1).map(\.0)
            guard missing.isEmpty else {
                throw WireError("a handshake is complete without \(missing.joined(separator: ", "))")
            }
        }
        var report = HandshakeReport()
        report.peerAddress = try address.map(Self.address)
        report.sniSent = sni.map(WireText.value)
        report.chain = chain.map { Array($0) }
        // A key that is left out means nothing for its certificate.
        let missing = KeyReading.unanswered("it reported \(keys.count.counted("key")) of \(chain.count)")
        report.keys =
            try keys.map { try $0.reading() } + Array(repeating: missing, count: chain.count - keys.count)
        report.version = try version.map(Self.version)
        report.cipherSuite = cipherSuite.map(WireText.name)
        report.group = group.map(WireText.name)
        report.alpn = alpn.map(WireText.value)
        report.ocspStaple = ocspStaple.map { Array($0) }
        report.handshakeSCTs = (handshakeSCTs ?? []).map { Array($0) }
        report.clientCertificateRequested = clientCertificateRequested
        report.clientCertificateIssuers = (clientCertificateIssuers ?? []).prefix(
            HandshakeLimits.clientCertificateIssuers
        ).map { Array($0) }
        report.nativeTrust = try trust.map { try $0.reading() }
        report.http = try http.map { try $0.report() }
        report.timings.connect = try timings?.connect.map { try .wire($0, "timings.connect") }
        report.timings.handshake = try timings?.handshake.map { try .wire($0, "timings.handshake") }
        report.timings.trust = try timings?.trust.map { try .wire($0, "timings.trust") }
        report.failure = try failure?.handshakeFailure()
        return report
    }

    /// Returns who was reached in the form that all backends have: an address without its port.
    ///
    /// - Throws: ``WireError`` for a text that is not an address.
    private static func address(_ text: String) throws -> String {
        guard let endpoint = try? Endpoint(text, defaultPort: 443, allowsZone: true),
            case .ip(let address) = endpoint.host
        else { throw WireError("address is '\(WireText.name(text))', which is not an address") }
        return "\(address)"
    }

    private static func version(_ number: String) throws -> TLSVersion {
        guard let version = TLSVersion(number: number) else {
            throw WireError("'\(WireText.name(number))' is not a version of TLS")
        }
        return version
    }
}

/// The reply to it, and the body of an approval's question.
package struct WireHandshakeReply: Decodable {
    package let report: WireHandshakeReport
}
