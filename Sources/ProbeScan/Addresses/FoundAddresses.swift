import ProbeKit
import ProbeNet
import ProbeRun

/// The addresses of the targets of a check.
///
/// It is an object, and its functions are not inlined: a scan has thousands of lookups that wait, each of which would keep their
/// variables.
final class FoundAddresses {
    /// An address, and the target that has it.
    struct Place {
        let target: Target
        let address: IPAddress

        /// The target, dialled at the address.
        var dialled: Target {
            if case .ip = target.endpoint.host { return target }
            return target.dialled(atFound: address)
        }

        /// Returns the check of this address alone.
        func part(of check: Check) -> Check {
            let (port, named) = (target.endpoint.port, check.course?.origin ?? target)
            return check.about(
                .address(address, port: port == named.endpoint.port ? nil : port), dialling: [dialled])
        }
    }

    /// The addresses, in the order of the targets.
    private(set) var places: [Place] = []
    /// The first reason why a target has none.
    private(set) var failure: LookupFailure?

    /// Adds the answer of a target's lookup.
    @inline(never) func add(_ answer: Result<[IPAddress], LookupFailure>, of target: Target) {
        switch answer {
        case .success(let addresses): places += addresses.map { Place(target: target, address: $0) }
        case .failure(let error): failure = failure ?? error
        }
    }

    /// Returns the failure of a part that has no address of its family.
    func absence(of family: IPAddress.Family, in target: Target) -> HandshakeFailure {
        let host = target.endpoint.host
        if places.isEmpty, let failure { return failure.handshakeFailure(dialling: target.endpoint) }
        if case .ip = host {
            return HandshakeFailure(.noAddressOfFamily, "\(host) is not an \(family.rawValue) address")
        }
        let others = places.map { "\($0.address)" }.joined(separator: ", ")
        return HandshakeFailure(
            .noAddressOfFamily,
            "\(host) has no \(family.rawValue) address" + (others.isEmpty ? "" : ", only \(others)"))
    }
}
