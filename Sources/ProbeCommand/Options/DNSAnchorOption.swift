import ArgumentParser
import ProbeKit
import ProbeTrust

/// The trust anchors of DNS servers that are asked over HTTPS or TLS.
struct DNSAnchorOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Trust the certificates of this PEM or DER file for https and tls servers instead of the system's.",
            valueName: "file"), completion: .file())
    var dnsCa: String?

    /// Returns the anchors: those of the file, else the system's.
    func anchors() throws(InputError) -> TrustAnchors {
        guard let dnsCa else { return try .system() }
        do throws(InputError) {
            return try .file(dnsCa)
        } catch {
            throw InputError("--dns-ca \(error.message)", remedy: error.remedy, source: error.source)
        }
    }
}
