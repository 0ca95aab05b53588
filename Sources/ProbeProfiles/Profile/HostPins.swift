import ProbeKit

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
        let named = Dictionary(
            environment.services.filter { $0.sharesWith == nil }.map { ($0.name, $0.pins) },
            uniquingKeysWith: { first, _ in first })
        func pins(of service: Service) -> [PinSet] {
            guard service.pins.isEmpty, let other = service.sharesWith else { return service.pins }
            return named[other] ?? []
        }
        self.service = service
        own = pins(of: service)
        var seen: Set<Set<PinDemand>> = []
        lists = environment.services.filter { $0.target.name == service.target.name }.map(pins)
            .filter { !$0.isEmpty && seen.insert(PinDemand.of($0)).inserted }
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
    /// Where they can't be united, the service's own are judged alone, which is stricter than the client; without pins of its
    /// own, all sets have to match.
    var sets: [PinSet] {
        if canUnite { return PinSet.united(lists) }
        return own.isEmpty ? lists.flatMap(\.self) : own
    }

    /// The reason why the pins are apart; nil if they are united.
    var separation: SeparatePinsWords? {
        canUnite ? nil : SeparatePinsWords(host: service.target.name, judged: own.isEmpty ? nil : service.name)
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
        let instead = judged.map { "those of '\($0)' are judged alone" } ?? "every set of theirs has to match"
        message =
            "the pins of the services on \(host) can't be united: the services have several sets, or sets that differ in more than their pins; \(instead)"
    }

    /// The finding of a check. It only warns: what is judged instead accepts less than the client.
    var finding: Finding { .warning(code, stage: .pins, message, fix: Fix(fix)) }
}
