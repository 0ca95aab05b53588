import ProbeKit
public import ProbeRun

/// One result as one record of CSV (RFC 4180), under a header whose columns are only added to, at its end.
public struct CSVLine: Sendable {
    /// The names of the columns.
    public static let columns = [
        "target", "service", "transport", "resolver", "outcome", "exit_code", "stage", "code", "message", "fix",
        "tries",
        "address", "tls_version", "cipher_suite", "group", "alpn", "native_trust", "reference_trust", "leaf_subject",
        "leaf_issuer", "leaf_not_before", "leaf_not_after", "leaf_cert_sha256", "leaf_spki_sha256", "connect_seconds",
        "handshake_seconds",
    ]

    /// The header.
    public static let header = text(columns)

    /// The values, one for each column.
    public let values: [String]

    /// Creates the record of a result.
    public init(_ result: ProbeResult) {
        let connection = result.evidence.connection
        let report = connection?.report
        let finding = result.verdict.leadingFinding
        let leaf = connection?.certificates.first
        let digests = try? leaf?.digests.get()
        let details = leaf?.details
        let verdict: [String?] = [
            result.subject, result.service.map(PrintableText.escape), connection?.transport.name,
            result.evidence.model?.resolver.name,
            result.verdict.outcome.rawValue, "\(result.verdict.outcome.exitCode)", finding?.stage.rawValue,
            finding?.code, finding?.message, finding.map { "\($0.fix)" }, "\(result.tries)",
        ]
        let handshake: [String?] = [
            report?.peerAddress, report?.version?.rawValue, report?.cipherSuite, report?.group, report?.alpn,
            Self.text(report?.nativeTrust?.answered), Self.text(connection?.referenceTrust),
        ]
        let certificate: [String?] = [
            details?.subject, details?.issuer, details.map { RFC3339.format($0.notBefore) },
            details.map { RFC3339.format($0.notAfter) }, digests?.cert.hex, digests?.spki.hex,
        ]
        let timings = [report?.timings.connect, report?.timings.handshake].map { $0.map { "\($0.inSeconds)" } }
        values = (verdict + handshake + certificate + timings).map { $0 ?? "" }
    }

    /// The record, without the end of its line.
    public var text: String { Self.text(values) }

    /// Returns values as a record, those in quotes that need them.
    public static func text(_ values: [String]) -> String { values.map(quoted).joined(separator: ",") }

    private static func quoted(_ value: String) -> String {
        guard value.utf8.contains(where: { ["\"", ",", "\r", "\n"].contains(Character(Unicode.Scalar($0))) }) else {
            return value
        }
        return "\"" + PrintableText.replace(["\"": "\"\""], in: value) + "\""
    }

    private static func text(_ reading: TrustReading?) -> String? { reading.map { $0.cause?.rawValue ?? "accepted" } }
}
