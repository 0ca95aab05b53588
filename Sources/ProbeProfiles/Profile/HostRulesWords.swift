import ProbeKit

/// The words about host rules that a service's own pins replace, for a check and for lint.
struct HostRulesWords {
    let message: String
    let fix = "write every set that the client has into the service, or leave the service's pins to the host rules"

    init(_ service: Service) {
        let pins =
            if !service.pins.isEmpty {
                "has pins of its own"
            } else if let other = service.sharesWith {
                "shares the pins of '\(other)'"
            } else {
                "has the pins of the other services on its host"
            }
        message = "the host rules for \(service.target.name) are not judged: the service \(pins), which replace them"
    }
}

extension Finding {
    /// The note that a wider rule of TrustKit's was taken to be for a host, without the list that decides it.
    static func suffixesUnchecked(for host: ServerName) -> Finding {
        .note(
            "public-suffix-unchecked", stage: .pins,
            "TrustKit holds \(host) to a wider rule only if both have one public suffix, which was not checked: this system has no list of them",
            fix: "install publicsuffix")
    }
}
