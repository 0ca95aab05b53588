public import ProbeKit
import ProbeRun

/// A fact that the result of a probe has to contain, beside its outcome.
public enum TLSFact: Hashable, Sendable {
    /// The negotiated version.
    case version(TLSVersion)
    /// The negotiated cipher suite by its IANA name.
    case cipherSuite(String)
    /// The key exchange group by its IANA name.
    case group(String)
    /// The chosen application protocol; nil for none.
    case alpn(String?)
    /// True if the server asked for a client certificate.
    case clientCertificateRequested(Bool)
    /// True if the client certificate was sent.
    case clientCertificateSent(Bool)
    /// The alert the peer refused with.
    case alert(HandshakeFailure.Alert)
    /// The protocol of the HTTP response, as ALPN names it, and its status.
    case response(String, Int)
    /// The number of seconds by which our clock is ahead of the server's.
    case skew(Int)
    /// The number of certificates of the validated path, including the anchor.
    case pathLength(Int)
    /// The stack accepts the chain, and the path that it shows leads from the leaf to an anchor.
    case ownPath
    /// A finding of this code, whether or not it decides.
    case finding(String)
    /// The finding of this code has these words in its message.
    case says(String, in: String)

    /// The capability that a transport needs for the fact to be known; nil if every transport reports it.
    var capability: TransportCapability? {
        switch self {
        case .group: .group
        case .alpn: .alpn
        case .clientCertificateRequested: .clientCertificateRequest
        case .clientCertificateSent: .clientIdentity
        case .response, .skew: .httpHead
        case .ownPath: .verifiedPath
        case .version, .cipherSuite, .alert, .pathLength, .finding, .says: nil
        }
    }

    /// Returns the actual value; nil if the fact holds.
    func contradiction(in result: ProbeResult) -> String? {
        guard let connection = result.evidence.connection else { return "there is no connection" }
        let report = connection.report
        return switch self {
        case .version(let version): Self.compare("version", version.rawValue, report.version?.rawValue)
        case .cipherSuite(let name): Self.compare("cipher suite", name, report.cipherSuite)
        case .group(let name): Self.compare("group", name, report.group)
        case .alpn(let name): Self.compare("application protocol", name, report.alpn)
        case .clientCertificateRequested(let isRequested):
            Self.compare("client certificate requested", isRequested, report.clientCertificateRequested)
        case .clientCertificateSent(let isSent):
            Self.compare("client certificate sent", isSent, report.clientCertificateSent)
        case .alert(let alert): Self.compare("alert", alert.rawValue, report.failure?.alert?.rawValue)
        case .response(let version, let status):
            Self.compare(
                "HTTP response", "\(version) \(status)", report.http?.response.map { "\($0.version) \($0.status)" })
        case .skew(let seconds):
            Self.compare("server's time", seconds, connection.serverTime.flatMap(Self.skew))
        case .pathLength(let count): Self.compare("length of the validated path", count, connection.validated?.count)
        case .ownPath: connection.nativePath == nil ? Self.pathFault(report.nativeTrust) : nil
        case .finding(let code):
            result.verdict.findings.contains { $0.code == code } ? nil : "there is no finding \(code)"
        case .says(let words, let code):
            Self.words(words, among: result.verdict.findings.filter { $0.code == code }.map(\.message))
        }
    }

    private static func compare<Value: Equatable>(_ what: String, _ wanted: Value?, _ seen: Value?) -> String? {
        func text(_ value: Value?) -> String { value.map { "\($0)" } ?? "none" }
        return wanted == seen ? nil : "the \(what) is to be \(text(wanted)), seen is \(text(seen))"
    }

    private static func pathFault(_ reading: TrustReading?) -> String {
        guard let reading, reading.isAccepted else { return "the stack does not accept the chain" }
        guard let path = reading.path else { return "the stack does not show the path that it verified" }
        return "the stack's path of \(path.count.counted("certificate")) does not lead from the leaf to an anchor"
    }

    private static func skew(_ time: ServerTime) -> Int? {
        guard case .known(_, let skew) = time else { return nil }
        return skew
    }

    private static func words(_ words: String, among messages: [String]) -> String? {
        messages.contains { $0.contains(words) } ? nil : "'\(words)' is not said in \(messages)"
    }
}
