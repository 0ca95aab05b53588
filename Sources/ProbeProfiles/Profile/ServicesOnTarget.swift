package import ProbeKit
package import ProbeRun

extension [Check] {
    /// Returns the checks of the services on a target. A service without a protocol that starts TLS starts it by the target's,
    /// for formats of pins have ports and no protocols; a target without one is the service as the profile has it.
    package func services(on target: Target) -> [Check] {
        let own = filter { $0.target.description == target.description }
        guard own.isEmpty else { return own }
        return compactMap { check in
            let service = check.target
            guard service.startTLS == nil || target.startTLS == nil,
                service.starting(nil).description == target.starting(nil).description
            else { return nil }
            return check.trying([service.starting(service.startTLS ?? target.startTLS)] + check.alternates)
        }
    }
}

extension Target {
    /// Returns the same target with another way to start TLS.
    fileprivate func starting(_ startTLS: StartTLS?) -> Target {
        Target(name: name, port: port, connect: connect, startTLS: startTLS)
    }
}
