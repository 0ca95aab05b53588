package import ProbeKit
import ProbeRun

extension BackendIdentity {
    /// A fleet as a whole, whose result is never one with those of its clients.
    package static let fleet = BackendIdentity(name: "the fleet", library: "clients", version: "1")
}

extension ProbeResult {
    /// The target, after the name that a profile gives it: services of one host are apart.
    var title: String { (service.map { PrintableText.escape($0) + " " } ?? "") + subject }

    /// The names of the backends it was asked through, as they are shown.
    /// With them the part of the addresses that it is about, where each has a result.
    var backends: String {
        [evidence.connection?.transport.name, evidence.model?.resolver.name].compactMap(\.self).joined(separator: "+")
            + (part.map { " \($0)" } ?? "")
    }
}
