import ProbeKit

/// The words about host rules that a service's own pins replace, for a check and for lint.
struct HostRulesWords {
    let message: String
    let fix = "write every set that the client has into the service, or leave the service's pins to the host rules"

    init(_ service: Service) {
        let pins = service.pins.isEmpty ? "shares the pins of '\(service.sharesWith ?? "")'" : "has pins of its own"
        message = "the host rules for \(service.target.name) are not judged: the service \(pins), which replace them"
    }
}
