import ProbeKit
import ProbeRun
import ProbeTrust

/// The pins of one client of a service, and their place in the profile.
///
/// A profile can describe several clients of a service: the rules of each platform are one client.
struct ServicePins: Hashable, Sendable {
    /// The origin of pins.
    enum Source: Hashable, Sendable {
        /// The service, or the one it shares with.
        case service
        /// The host rules of one platform.
        case rules(HostSemantics)
        /// The pins for every host.
        case everyHost
    }

    let source: Source
    /// Sets of which every one has to match.
    let sets: [PinSet]
    /// The reason why the pins of the service's host are apart, although its client unites them; nil if they are as it has them.
    var separation: SeparatePinsWords? = nil

    /// Returns the service's own pins, else those it shares, else the host rules', else those for every host; empty if
    /// it has none.
    static func clients(
        of service: Service, in environment: ProfileEnvironment, of profile: Profile
    ) -> [ServicePins] {
        if service.emulation?.unitesPins == true {
            let host = HostPins(of: service, in: environment)
            let sets = host.sets
            if !sets.isEmpty { return [ServicePins(source: .service, sets: sets, separation: host.separation)] }
        }
        if !service.pins.isEmpty { return [ServicePins(source: .service, sets: service.pins)] }
        if let other = service.sharesWith,
            let source = environment.services.first(where: { $0.name == other && $0.sharesWith == nil })
        {
            return clients(of: source, in: environment, of: profile)
        }
        let readings = profile.hosts.readings(for: service.target.name)
        guard readings.isEmpty else { return readings.map { ServicePins(source: .rules($0.semantics), sets: $0.sets) } }
        return profile.pins.isEmpty ? [] : [ServicePins(source: .everyHost, sets: profile.pins)]
    }

    /// Returns the clients as advice is about them: of a list for many common names they have the pins for the name of
    /// the leaf that was seen, or without a chain for the host's.
    ///
    /// Verdicts are by ``clients(of:in:of:)``: a client looks pins up by the presented leaf's name, whatever the host.
    static func advised(
        of service: Service, in environment: ProfileEnvironment, of profile: Profile, seeing served: ConnectionEvidence?
    ) -> [ServicePins] {
        let clients = clients(of: service, in: environment, of: profile)
        guard let name = AdvisedName.of(service.target, seeing: served) else { return clients }
        return clients.map {
            ServicePins(source: $0.source, sets: $0.sets.map { $0.narrowed(to: name) }, separation: $0.separation)
        }
    }

    /// Returns the sets of all clients, each once; nil if there is no client.
    static func sets(of service: Service, in environment: ProfileEnvironment, of profile: Profile) -> [PinSet]? {
        let clients = clients(of: service, in: environment, of: profile)
        guard !clients.isEmpty else { return nil }
        var seen: Set<PinSet> = []
        return clients.flatMap(\.sets).filter { seen.insert($0).inserted }
    }

    /// Returns the sets of host rules that reach a service and are not judged, since it has pins of its own, shares
    /// another's, or has those of its neighbours on the host.
    static func passedOver(
        _ service: Service, in environment: ProfileEnvironment, of profile: Profile
    ) -> [PinSet] {
        let isReplaced = !service.pins.isEmpty || service.sharesWith != nil
        guard isReplaced || service.emulation?.unitesPins == true else { return [] }
        let clients = clients(of: service, in: environment, of: profile)
        guard isReplaced || clients.contains(where: { $0.source == .service }) else { return [] }
        let judged = PinDemand.of(clients.flatMap(\.sets))
        return profile.hosts.readings(for: service.target.name).flatMap(\.sets)
            .filter { !judged.contains(PinDemand($0)) }
    }

    /// Returns the sets that are only in platforms' own files of pins, by the platform. Sets that such a file can't
    /// hold are judged by the app's own code, on every version.
    static func ofPlatforms(
        _ service: Service, in environment: ProfileEnvironment, of profile: Profile
    ) -> [String: [PinSet]] {
        let clients = clients(of: service, in: environment, of: profile)
        var sets: [String: [PinSet]] = [:]
        let ofCode = clients.filter { $0.platformFile == nil }.flatMap(\.sets)
        for client in clients {
            guard let file = client.platformFile else { continue }
            sets[file.rawValue] = client.sets.filter { $0.isOfPlatformFile && !ofCode.contains($0) }
        }
        return sets
    }

    /// The rules of the platform's own file that the client reads; nil if the pins are in the app's code.
    private var platformFile: HostSemantics? {
        guard case .rules(let semantics) = source, semantics.platform != nil else { return nil }
        return semantics
    }
}

extension PinSet {
    /// True if the files of Android and of App Transport Security can hold the set: hashes of keys on the validated path,
    /// without a window.
    fileprivate var isOfPlatformFile: Bool {
        chain == .validated && window == nil && hasOnlySPKI
    }
}
