import ProbeReport

extension SARIFTool {
    /// The command, with its options in the advice on what they are for.
    static let probe = SARIFTool(
        name: "probe", version: ProbeVersion.current, evidence: "probe check --verbose",
        advice: [
            "not-tls": "Name the port that does, or the protocol that starts it, with --starttls.",
            "proxy-unreachable": "Check the URL of --proxy, and that the proxy runs.",
        ])
}
