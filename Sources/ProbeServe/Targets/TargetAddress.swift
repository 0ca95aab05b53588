import ProbeKit
import ProbeNet

/// The address that a target is dialled at: looked up once, judged by the rules, and dialled as it was judged.
struct TargetAddress: Sendable {
    /// The address; nil if there is none.
    let address: IPAddress?
    /// The reason why there is none.
    let failure: HandshakeFailure?
    /// The time of the lookup.
    let duration: Duration

    /// Returns a target dialled here; unchanged without an address.
    func dialled(_ target: Target) -> Target { address.map { target.dialled(atFound: $0) } ?? target }

    /// Looks a target up.
    ///
    /// - Throws: ``ServeRefusal`` if the target, or an address of it, may not be probed.
    static func find(
        _ name: ServerName, port: UInt16, _ preference: AddressPreference, _ rules: TargetRules,
        by deadline: Deadline
    ) async throws(ServeRefusal) -> TargetAddress {
        guard rules.allows(name) else {
            throw ServeRefusal(.forbidden, "'\(name)' is not among the targets that may be probed here")
        }
        let start = ContinuousClock.now
        let found: Result<[IPAddress], LookupFailure> =
            switch name {
            case .ip(let address): .success([address])
            case .dns(let host): await HostLookup.system.addresses(of: host, by: deadline)
            }
        let duration = start.duration(to: .now)
        switch found {
        case .failure(let failure):
            let endpoint = Endpoint(host: name, port: port)
            return TargetAddress(
                address: nil, failure: failure.handshakeFailure(dialling: endpoint), duration: duration)
        case .success(let addresses):
            guard let address = preference.choose(among: addresses) else {
                let failure = HandshakeFailure(
                    .noAddressOfFamily, "\(name) has no \(preference.version.rawValue) address")
                return TargetAddress(address: nil, failure: failure, duration: duration)
            }
            guard rules.allows(address) else {
                throw ServeRefusal(
                    .forbidden,
                    "'\(name)' is at \(address), which is not public: whoever runs this exporter has to allow the network"
                )
            }
            return TargetAddress(address: address, failure: nil, duration: duration)
        }
    }
}
