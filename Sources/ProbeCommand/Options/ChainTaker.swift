import ProbeKit
import ProbeRun

/// A service of a profile, or a target, that a file of `--chain` may be for. Check, lint and forecast assign files alike.
struct ChainTaker {
    /// The service's label; nil for a target of the command line.
    let label: String?
    let target: Target

    /// Returns the indices of those that a subject names: the service with this label, else all of this host, of which a
    /// port or a URL's scheme chooses. A scheme that starts TLS means a service without one too, if no other has it.
    static func named(_ subject: String, among takers: [ChainTaker]) throws(InputError) -> [Int] {
        let labelled = takers.indices.filter { takers[$0].label == subject }
        guard labelled.isEmpty else { return labelled }
        let named = try Target(subject)
        let (hasScheme, hasPort) = (subject.contains("://"), Self.hasPort(subject))
        let there = takers.indices.filter { index in
            let target = takers[index].target
            return target.name == named.name && (!hasPort || target.port == named.port)
        }
        let stating = hasScheme ? there.filter { takers[$0].target.startTLS == named.startTLS } : there
        guard stating.isEmpty, named.startTLS != nil else { return stating }
        return there.filter { takers[$0].target.startTLS == nil }
    }

    /// Returns true if the subject has a port, which a scheme implies.
    private static func hasPort(_ subject: String) -> Bool {
        // Port 0 is invalid, so 0 means that no port was given.
        (try? Endpoint(subject, defaultPort: 0, allowsZone: true)).map { $0.port != 0 } ?? true
    }
}

extension ChainTaker {
    init(_ check: Check) {
        self.init(label: check.service, target: check.target)
    }
}
