import ProbeKit

/// The words about host rules that stand back for a service's own pins, for a check and for lint.
struct HostRulesWords {
    let message: String
    let fix = "write every set that the client has into the service, or leave the service's pins to the host rules"

    init(_ service: Service) {
        message =
            "the host rules for \(service.target.name) are not judged: the service has pins of its own, which stand for all that its client has"
    }
}
