import ProbeKit
import ProbePlatform

/// The metrics of a TLS connection, by the names of blackbox_exporter: one connection's, whichever stack made it.
enum ConnectionMetrics {
    /// Adds the metrics of a connection that was made.
    ///
    /// - Parameter service: the service of a profile; nil for a target alone.
    static func add(
        _ connection: ConnectionEvidence, service: String? = nil, isHTTP: Bool, to metrics: inout MetricSet
    ) {
        let report = connection.report
        if isHTTP { addPhases(report.timings, to: &metrics) }
        guard report.isProven, let version = report.version else {
            if isHTTP { metrics.add("probe_http_ssl", Help.ssl, holds: false) }
            return
        }
        if isHTTP { metrics.add("probe_http_ssl", Help.ssl, holds: true) }
        metrics.add(
            "probe_tls_version_info", "The TLS version that was negotiated.",
            ["service": service, "version": version.rawValue], holds: true)
        if let suite = report.cipherSuite {
            metrics.add(
                "probe_tls_cipher_info", "The cipher suite that was negotiated.",
                ["service": service, "cipher": suite], holds: true)
        }
        addCertificates(connection, service, to: &metrics)
    }

    private static func addCertificates(
        _ connection: ConnectionEvidence, _ service: String?, to metrics: inout MetricSet
    ) {
        let presented = connection.presented.map { connection.certificates[$0] }
        if let earliest = presented.compactMap(\.details).min(by: { $0.notAfter < $1.notAfter }) {
            metrics.add(
                "probe_ssl_earliest_cert_expiry",
                "The earliest end of validity among the certificates that were sent, in Unix time.",
                ["service": service], value: earliest.notAfter.timeIntervalSince1970)
            metrics.add(
                "probe_ssl_earliest_cert_not_before",
                "The start of validity of the certificate that was sent and ends first, in Unix time.",
                ["service": service], value: earliest.notBefore.timeIntervalSince1970)
        }
        if let last = lastChainExpiry(connection) {
            metrics.add(
                "probe_ssl_last_chain_expiry_timestamp_seconds",
                "The end of validity of the valid chain that lasts longest, in Unix time.", ["service": service],
                value: last.timeIntervalSince1970)
        }
        if let leaf = presented.first, let digests = try? leaf.digests.get(), let details = leaf.details {
            metrics.add(
                "probe_ssl_last_chain_info", "The leaf of the chain.",
                [
                    "service": service,
                    "fingerprint_sha256": digests.cert.hex, "subject": details.subject, "issuer": details.issuer,
                    "subjectalternative": details.dnsNames.joined(separator: ","),
                    "serialnumber": details.serial,
                ], holds: true)
        }
    }

    /// Returns the end of the valid path that lasts longest; nil if there is none, or a certificate of each can't be read.
    private static func lastChainExpiry(_ connection: ConnectionEvidence) -> Date? {
        let paths = [connection.referencePath, connection.nativePath].compactMap(\.self) + connection.furtherPaths
        return paths.compactMap { path in
            let ends = path.map { connection.certificates[$0].details?.notAfter }
            return ends.contains(nil) ? nil : ends.compactMap(\.self).min()
        }.max()
    }

    private static func addPhases(_ timings: HandshakeReport.Timings, to metrics: inout MetricSet) {
        for (phase, duration) in [("connect", timings.connect), ("tls", timings.handshake)] {
            metrics.add("probe_http_duration_seconds", Help.phases, ["phase": phase], value: duration?.inSeconds ?? 0)
        }
    }
}

/// The meanings of metrics that are added in several places.
enum Help {
    static let ssl = "Whether the connection has TLS."
    static let phases = "The time of each step."
}
