import ProbeKit

/// The options of a command line that decide how a step of a fix is worded: one that is refused beside them, or that was
/// given already, is not advised.
struct GivenOptions {
    private let arguments: ArraySlice<String>

    init(_ arguments: [String]) { self.arguments = arguments.prefix { $0 != "--" } }

    /// The words for a step beside these options.
    enum Wording {
        /// Words of their own; nil takes the plain ones, which name no option.
        case own(String?)
        /// The same as without the options.
        case usual
    }

    /// The first word, which names the command if one is named.
    var command: String? { arguments.first }

    /// True if services are named in a file.
    var hasProfile: Bool { has("--profile") || command == "fleet" }

    private var isAboutFiles: Bool { command == "profile" }

    private func has(_ name: String) -> Bool { arguments.contains { $0 == name || $0.hasPrefix(name + "=") } }

    /// Returns the words for a step.
    func words(_ step: Fix.Step) -> Wording {
        switch step {
        case .serveIntermediates where has("--chain"): .own("add its intermediates to the file of --chain")
        case .giveAnchor: .own(anchor("the CA"))
        case .giveCopyAsAnchor: .own(anchor("your own copy of this one"))
        case .giveChain where has("--live"): .own("give its certificates with --chain in place of --live")
        case .trustServer where isAboutFiles && arguments.dropFirst().first != "lint": .own(nil)
        case .trustServer where has("--dns-ca"): .own("add its CA to the file of --dns-ca")
        case .trustProxy where has("--proxy-ca"): .own("add its CA to the file of --proxy-ca")
        case .giveProxyCredentials where has("--proxy-credentials"):
            .own("write the USER:PASSWORD or token that the proxy takes to the file of --proxy-credentials")
        case .dialAddress: dial
        // A client offers its own.
        case .offerProtocol where has("--client") || command == "fleet": .own(nil)
        case .speakTLSAtOnce where !has("--starttls") && !hasProfile: .own("write the target as https://HOST:PORT")
        default: .usual
        }
    }

    /// Returns the words that make a certificate an anchor.
    private func anchor(_ certificate: String) -> String {
        if has("--ca") { return "add \(certificate) to the file of --ca" }
        if has("--roots") { return "give \(certificate) with --ca FILE in place of --roots" }
        // Only its servers' certificates are judged.
        if command == "models" { return "give \(certificate) with --dns-ca FILE" }
        guard isAboutFiles, !has("--live"), !has("--chain") else { return "give \(certificate) with --ca FILE" }
        return ["lint", "forecast"].contains(arguments.dropFirst().first ?? "")
            ? "give \(certificate) with --ca FILE beside --live or --chain"
            : "give a check \(certificate) with --ca FILE"
    }

    /// The words that say where to dial: the options that find addresses leave nothing to say.
    private var dial: Wording {
        let finding = ["--follow", "--dane", "--all-addresses", "--family"].filter(has)
        guard !finding.isEmpty else { return .usual }
        return .own("say where to dial with --connect ADDR:PORT in place of \(finding.joined(separator: " and "))")
    }
}
