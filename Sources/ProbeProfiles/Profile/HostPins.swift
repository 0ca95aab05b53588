import ProbeKit
import ProbePins

/// The pins of the services on one host, for a client that looks pins up by host and so accepts those of any of them
/// (requirement 99, decided: services-apart).
///
/// Sets of one service all have to match, whoever emulates it (requirement 3). A single set can accept just what any of the
/// services accepts only where each has one set, and they differ in nothing but their pins.
struct HostPins {
    private let service: Service
    /// The sets of the service itself, or those that it shares.
    private let own: [PinSet]
    /// The sets of each service on the host that has some, each list once.
    private let lists: [[PinSet]]

    /// Reads the pins of all services on the host of one, with those that they share.
    init(of service: Service, in environment: ProfileEnvironment) {
        var resolved: [String: [PinSet]] = [:]
        self.init(of: service, in: environment, resolved: &resolved)
    }

    /// - Parameter resolved: the pins of the services that were read before, by name. Those of one that is being read are its
    ///   own for now: two services can each share the pins of the other's host.
    private init(of service: Service, in environment: ProfileEnvironment, resolved: inout [String: [PinSet]]) {
        resolved[service.name] = service.pins
        let own = Self.pins(of: service, in: environment, resolved: &resolved)
        var lists: [[PinSet]] = []
        var places: [Set<PinDemand>: Int] = [:]
        for other in environment.services where other.target.name == service.target.name {
            let sets = Self.pins(of: other, in: environment, resolved: &resolved)
            guard !sets.isEmpty else { continue }
            let demand = PinDemand.of(sets)
            if let place = places[demand] {
                lists[place] = (lists[place] + sets).merged
            } else {
                places[demand] = lists.count
                lists.append(sets)
            }
        }
        self.service = service
        self.own = own
        self.lists = lists
    }

    /// Returns the pins that a service has itself, else those of the one that it shares with, which may be united.
    private static func pins(
        of service: Service, in environment: ProfileEnvironment, resolved: inout [String: [PinSet]]
    ) -> [PinSet] {
        guard service.pins.isEmpty, let name = service.sharesWith else { return service.pins }
        if let known = resolved[name] { return known }
        guard let shared = environment.services.first(where: { $0.name == name && $0.sharesWith == nil }) else {
            return []
        }
        let sets =
            shared.emulation?.unitesPins == true
            ? HostPins(of: shared, in: environment, resolved: &resolved).sets : shared.pins
        resolved[name] = sets
        return sets
    }

    /// False if the services have several sets, or sets that differ in more than their pins.
    var canUnite: Bool {
        guard lists.count > 1, let first = lists.first?.first else { return true }
        return lists.allSatisfy { sets in
            sets.count == 1 && sets.allSatisfy { $0.isLike(first) && !$0.hasCommonNames }
        }
    }

    /// The sets of which every one has to match; empty if no service on the host has pins.
    ///
    /// If they can't be united, the service's own are judged alone and without their windows: what matches these matches for
    /// the client too. Every set has to match where it has none, or where one of them only reports or may be ignored: that would
    /// leave out pins that the client enforces.
    var sets: [PinSet] {
        if canUnite { return PinSet.united(lists) }
        guard judgesOwnAlone else { return lists.flatMap(\.self).merged }
        return own.map { set in
            var set = set
            set.window = nil
            return set
        }
    }

    private var judgesOwnAlone: Bool {
        !own.isEmpty && own.allSatisfy { $0.isEnforced && $0.expiry?.afterwards != .ignore }
    }

    /// The reason why the pins are apart; nil if they are united.
    var separation: SeparatePinsWords? {
        canUnite ? nil : SeparatePinsWords(host: service.target.name, judged: judgesOwnAlone ? service.name : nil)
    }
}

/// The words about pins of one host that can't be united as asked, for a check and for lint.
struct SeparatePinsWords: Hashable {
    let code = "pins-not-united"
    let message: String
    let fix =
        "give each service on the host one set, all with the same position, chain, window, expiry and enforcement, and no common names; or take out emulate: ecall"

    /// - Parameter judged: the service whose pins are judged alone; nil if those of all have to match.
    init(host: ServerName, judged: String?) {
        let instead =
            judged.map { "those of '\($0)' are judged alone and without windows" }
            ?? "every set of theirs has to match"
        message =
            "the pins of the services on \(host) can't be united: the services have several sets, or sets that differ in more than their pins; \(instead)"
    }

    /// The finding of a check. It only warns: what is judged instead enforces no less than the client.
    var finding: Finding { .warning(code, stage: .pins, message, fix: Fix(fix)) }
}
