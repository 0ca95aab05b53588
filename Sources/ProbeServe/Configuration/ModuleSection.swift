import ProbeKit
import ProbeYAML

/// The keys of a module's prober. Each is known, those among them that are refused because nothing here does what they ask.
struct ModuleSection {
    static let plainRemedy =
        "write 'tls: true' or 'starttls: PROTOCOL', or leave a module without TLS to blackbox_exporter"

    let fields: YAMLFields

    private init(_ node: YAMLNode, _ kind: String, _ known: [String], notDone: [String]) throws(InputError) {
        let dialled = ["preferred_ip_protocol", "ip_protocol_fallback"]
        fields = try node.fields(kind, known + dialled + notDone)
        for key in notDone {
            guard let value = fields[key] else { continue }
            throw value.refuse(
                "asks for what this exporter does not do: it judges certificates and TXT records",
                remedy: "take the key out, or leave this module to blackbox_exporter")
        }
    }

    static func http(_ node: YAMLNode) throws(InputError) -> ModuleSection {
        try ModuleSection(
            node, "http module",
            [
                "tls_config", "enable_http2", "fail_if_not_ssl", "fail_if_ssl", "method", "follow_redirects",
                "no_follow_redirects",
            ],
            notDone: [
                "valid_status_codes", "valid_http_versions", "headers", "body", "body_file", "body_size_limit",
                "compression", "fail_if_body_matches_regexp", "fail_if_body_not_matches_regexp",
                "fail_if_body_json_matches_cel", "fail_if_body_json_not_matches_cel", "fail_if_header_matches",
                "fail_if_header_not_matches", "basic_auth", "authorization", "oauth2", "bearer_token",
                "bearer_token_file", "proxy_url", "no_proxy", "proxy_from_environment", "proxy_connect_header",
                "http_headers", "skip_resolve_phase_with_proxy", "source_ip_address",
            ])
    }

    static func tcp(_ node: YAMLNode) throws(InputError) -> ModuleSection {
        try ModuleSection(
            node, "tcp module", ["tls", "tls_config", "starttls", "query_response"], notDone: ["source_ip_address"])
    }

    static func tls(_ node: YAMLNode) throws(InputError) -> ModuleSection {
        try ModuleSection(
            node, "tls_config",
            [
                "ca", "ca_file", "cert_file", "key_file", "server_name", "insecure_skip_verify", "min_version",
            ], notDone: ["ca_ref", "cert", "cert_ref", "key", "key_ref", "max_version"])
    }

    static func dns(_ node: YAMLNode) throws(InputError) -> ModuleSection {
        try ModuleSection(
            node, "dns module",
            [
                "query_name", "query_type", "query_class", "transport_protocol", "recursion_desired", "dns_over_tls",
                "valid_rcodes",
            ],
            notDone: [
                "tls_config", "source_ip_address", "validate_answer_rrs", "validate_authority_rrs",
                "validate_additional_rrs",
            ])
    }

    static func profile(_ node: YAMLNode) throws(InputError) -> ModuleSection {
        try ModuleSection(node, "profile module", ["file", "environment"], notDone: [])
    }

    /// Returns the kind of address that the module dials.
    func addresses() throws(InputError) -> AddressPreference {
        var preference = AddressPreference()
        if let node = fields["preferred_ip_protocol"] { preference.version = try node.word() }
        if let node = fields["ip_protocol_fallback"] { preference.isOptional = try node.flag() }
        return preference
    }

    /// Refuses every value of a key but the one that says what is done anyway.
    ///
    /// - Parameters:
    ///   - reason: what is done.
    ///   - isNeeded: true if blackbox_exporter would do something else where the key is missing.
    func only(_ key: String, _ value: String, _ reason: String, isNeeded: Bool = false) throws(InputError) {
        guard let node = fields[key] else {
            guard !isNeeded else {
                throw fields.node.refuse("lacks '\(key)'", remedy: "write '\(key): \(value)': \(reason)")
            }
            return
        }
        let text = try node.text()
        guard text == value else {
            throw node.refuse(
                "is '\(text)', and \(reason)",
                remedy: "write '\(key): \(value)', or leave this module to blackbox_exporter")
        }
    }
}
