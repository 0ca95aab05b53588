import ProbeKit

/// The rules that results refer to: the codes of findings, explained without a target.
enum SARIFRule {
    /// Returns the rule of a code, as serious as the worst of its findings, in the words of the program that writes it.
    static func rule(_ code: String, of groups: [FindingGroup], by tool: SARIFTool) -> SARIFLog.Rule {
        let stage = groups.first?.stage ?? .tls
        let severity: Finding.Severity = groups.contains { $0.severity == .error } ? .error : .warning
        let title = code.prefix(1).uppercased() + code.dropFirst().replacing("-", with: " ")
        let what = known[code]?.what ?? subject(stage)
        let help = tool.advice[code] ?? known[code]?.help ?? advice
        return SARIFLog.Rule(
            id: code, shortDescription: .init(text: title), fullDescription: .init(text: what),
            help: .init(
                text: "\(what) \(help)" + (tool.evidence.map { " Run '\($0)' on the host for the evidence." } ?? ""),
                markdown: "**\(what)**\n\n\(help)"
                    + (tool.evidence.map { "\n\nRun `\($0)` on the host for the evidence." } ?? "")),
            defaultConfiguration: .init(level: severity.rawValue),
            properties: .init(tags: stage == .tls ? ["tls"] : ["tls", stage.rawValue]))
    }

    /// The codes that people meet most.
    private static let known: [String: (what: String, help: String)] = [
        "unknown-issuer": (
            "No path leads from the server's certificate to a trusted CA.",
            "Configure the server to send its intermediate certificates, in order, without the root."
        ),
        "expired": ("A certificate of the path has expired.", "Renew it, and check that renewal is automatic."),
        "not-yet-valid": (
            "A certificate of the path is not valid yet.", "Check the clock of the server and of the CA."
        ),
        "certificate-expires-soon": (
            "A certificate of the path expires soon.", "Renew it before clients refuse the server."
        ),
        "self-signed": (
            "The server's certificate is signed with its own key.",
            "Get a certificate from a CA that the clients trust."
        ),
        "hostname-mismatch": (
            "The certificate is for other names than the one that clients use.",
            "Issue a certificate whose subject alternative names have this name."
        ),
        "revoked": ("The certificate is revoked.", "Replace it with one for a new key."),
        "weak-key": ("A key of the path is too weak.", "Use RSA with at least 2048 bits, or P-256, P-384 or P-521."),
        "weak-signature": ("A signature of the path is too weak.", "Get a certificate that is signed with SHA-256."),
        "pin-mismatch": (
            "No pinned key or certificate is in the path, so that clients with these pins refuse the server.",
            "Serve a chain with a pinned key, or ship the new pin in the app before the server changes."
        ),
        "tls-version": (
            "The negotiated TLS version is older than the policy allows.",
            "Configure the server for TLS 1.2 or 1.3."
        ),
        "alert-received": ("The server refused the handshake with a TLS alert.", "The message names what it refused."),
        "not-tls": (
            "The port does not speak TLS.", "Name the port that does, or the protocol that starts it."
        ),
        "proxy-unreachable": (
            "The proxy could not be reached, or did not complete TLS in time.",
            "Check the proxy's URL, and that the proxy runs."
        ),
        "proxy-refused": ("The proxy did not connect to the server.", "Check its credentials, and what it allows."),
        "proxy-connect-failed": ("The proxy did not reach the server.", "Check the name and the port."),
        "proxy-intercepts": (
            "The proxy opens connections and presents certificates of its own.",
            "Have the server passed through unopened, or probe without the proxy."
        ),
        "starttls-refused": (
            "The server does not start TLS for this client.",
            "The message quotes its reason; without one, configure it to offer TLS, or name its port that speaks TLS at once."
        ),
        "starttls-injection": (
            "Clear text follows the server's go-ahead for TLS.",
            "Update the server, and look for who is between it and its clients."
        ),
        "client-certificate-refused": (
            "The server refused the client certificate.", "Check its validity, its purpose and its issuer."
        ),
        "client-certificate-required": (
            "The server requires a client certificate.", "Check that the clients that were shipped have one."
        ),
        "stacks-disagree": (
            "One stack accepts the server and another refuses it.",
            "Change the chain so that both accept it: which clients fail depends on their TLS library."
        ),
        "paths-differ": (
            "The pins match on one verified path and not on another.", "Pin a key that every path to a root has."
        ),
        "name-not-found": ("The name has no address.", "Check the name and its DNS zone."),
        "no-address-of-family": (
            "The name has no address of the family that was asked for.", "Publish one, or dial either family."
        ),
        "service-not-offered": (
            "The name's records say that it does not offer the service.", "Publish a record that leads to a server."
        ),
        "records-unusable": (
            "The name's records do not lead to a server.", "Correct them: aliases end, and servers have names."
        ),
        "connection-refused": ("Nothing listens there.", "Check that the server runs, and where it listens."),
        "connect-timeout": ("No connection was made in time.", "Check the address and the firewall."),
        "clients-lost": (
            "Too few of the users can connect with the clients that they have.",
            "Look at the results of the clients, which have the reasons."
        ),
        "clients-undecided": (
            "Of too many clients it is not known whether they connect.", "See why they could not be asked."
        ),
        "model-not-listed": ("The allow-list in DNS does not have the model.", "Publish it, or retire the build."),
    ]

    private static func subject(_ stage: Stage) -> String {
        switch stage {
        case .connect: "The server could not be reached."
        case .tls: "The TLS handshake, or what it negotiated, is not as it should be."
        case .trust: "The certificates, or the trust in them, are not as they should be."
        case .pins: "The pins, or what they are compared with, are not as they should be."
        case .dns: "The allow-list in DNS does not say what it has to."
        case .signature: "The signature could not be validated."
        }
    }

    private static let advice = "The result's message names the evidence and the fix."
}
