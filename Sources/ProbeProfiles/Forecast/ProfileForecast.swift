public import ProbeKit
import ProbePins
public import ProbePlatform

/// A forecast of failures: each service's clients against renewals, new keys, new CAs, windows and expiries
/// (requirements 53, 64 and 106).
///
/// The events are simulated on supposed chains, and judged by the policies for connections. If a service's chain is not
/// known, pins are assumed to match today; a result that depends on which certificates they match is reported as such.
public struct ProfileForecast: Sendable {
    private let profile: Profile
    private let chains: [String: ConnectionEvidence]
    private let compared: [String: [CertificateEvidence]]
    private let format: ProfileFormat
    private let refusals: [String: String]

    /// Creates a forecast.
    ///
    /// - Parameters:
    ///   - chains: the chain of each service, by its label; any may be missing.
    ///   - compared: the certificates that services are compared with, by the service's label.
    ///   - format: the format of the file; in any but our own, which can mark backups, a pin of nothing that is served is one.
    ///   - refusals: the reason why every client refuses a service's chain as it is served, by the service's label.
    public init(
        _ profile: Profile, chains: [String: ConnectionEvidence] = [:],
        compared: [String: [CertificateEvidence]] = [:], format: ProfileFormat = .nativeYAML,
        refusals: [String: String] = [:]
    ) {
        self.refusals = refusals
        self.format = format
        self.profile = profile
        self.chains = chains
        self.compared = compared
    }

    /// Returns a row for each service, event and platform; nothing for services that pin nothing.
    public func rows(at instant: Date) -> [ForecastRow] {
        profile.environments.filter { $0.pinning != .off }.flatMap { environment in
            environment.services.flatMap { service in rows(service, in: environment, at: instant) }
        }
    }

    private func rows(_ service: Service, in environment: ProfileEnvironment, at instant: Date) -> [ForecastRow] {
        let label = environment.label(of: service)
        var clients = ServicePins.advised(of: service, in: environment, of: profile, seeing: chains[label])
        let pinned = clients.flatMap(\.sets)
        let comparison = compared[label].flatMap { PinSet(comparing: $0, beside: chains[label]) }
        if let comparison { clients.append(ServicePins(source: .service, sets: [comparison])) }
        let sets = clients.flatMap(\.sets)
        guard !sets.isEmpty else { return unpinned(service, clients, label: label) }
        let worlds: [ForecastChain] =
            if let served = chains[label], !served.certificates.isEmpty {
                [ForecastChain(served: served, backups: backups(pinned, comparison, label, beside: served))]
            } else {
                [ForecastChain(meeting: sets, highest: false), ForecastChain(meeting: sets, highest: true)]
            }
        // A chain that was asked for and not seen is supposed, and a supposed chain is not served.
        let isUnseen = chains[label]?.certificates.isEmpty ?? false
        let agenda = Self.agenda(sets, worlds[0], at: instant).filter { !isUnseen || $0.event != .asServed }
        return agenda.flatMap { entry in
            let judged = worlds.map {
                ForecastJudgement(clients, isEnforced: environment.pinning == .enforce, entry, $0)
            }
            let refusal = (entry.event == .asServed ? refusals[label] : nil) ?? worlds[0].refusal(after: entry)
            return ForecastJudgement.merged(judged).map { platform, result, reason in
                let (result, reason) = refusal.map { (.fails, $0) } ?? (result, reason)
                return ForecastRow(
                    service: label, event: entry.event, date: entry.date,
                    frequency: entry.event.frequency(at: instant), platform: platform, result: result, reason: reason)
            }
        }
    }

    /// Returns rows for a service without pins whose chain was seen: its clients accept any trusted chain.
    private func unpinned(_ service: Service, _ clients: [ServicePins], label: String) -> [ForecastRow] {
        guard chains[label]?.certificates.isEmpty == false else { return [] }
        let host = service.target.name
        let refusal = refusals[label]
        func row(_ platform: String, _ result: ForecastRow.Result, _ reason: String) -> ForecastRow {
            let (result, reason) = refusal.map { (.fails, $0) } ?? (result, reason)
            return ForecastRow(
                service: label, event: .asServed, date: nil, frequency: nil, platform: platform, result: result,
                reason: reason)
        }
        let platforms = HostSemantics.allCases.filter { semantics in
            semantics.platform != nil && profile.hosts.contains { $0.semantics == semantics }
        }.map(\.rawValue)
        if !clients.isEmpty {
            return clients.compactMap { client in
                guard case .rules(let semantics) = client.source else { return nil }
                return row(
                    semantics == .exact ? PinKind.spki.rawValue : semantics.rawValue, .passesWithWarning,
                    "a rule takes all pins away from \(host): the system's trust decides alone")
            }
        }
        switch profile.unlistedHost {
        case .skip: return []
        case .fail:
            return [row(PinKind.spki.rawValue, .fails, "the profile has no pins for \(host), and refuses such hosts")]
        case .system:
            let reason = UnlistedHostWords.consequence(host, in: profile.hosts)
            return (platforms.isEmpty ? [PinKind.spki.rawValue] : platforms).map { row($0, .passesWithWarning, reason) }
        }
    }

    /// Returns the pins that wait beside a served chain. Files of certificates have no marks, whatever names them.
    private func backups(
        _ pinned: [PinSet], _ comparison: PinSet?, _ label: String, beside served: ConnectionEvidence
    ) -> ForecastBackups {
        let sets = pinned.map { $0.markingBackups(beside: served, areMarked: format.isNative) }
        let files = comparison?.markingBackups(beside: served, areMarked: false)
        return ForecastBackups(sets + [files].compactMap(\.self), known: compared[label] ?? [])
    }

    /// Returns the events of a service in order; those with a date are judged at that date, the others now.
    private static func agenda(
        _ sets: [PinSet], _ chain: ForecastChain, at instant: Date
    ) -> [ForecastEntry] {
        var entries = [ForecastEntry(.asServed, at: instant), ForecastEntry(.renewedSameKey, at: instant)]
        if chain.hasBackup(at: instant) { entries.append(ForecastEntry(.renewedBackupKey, at: instant)) }
        entries.append(ForecastEntry(.renewedNewKey, at: instant))
        if chain.hasIntermediate { entries.append(ForecastEntry(.newIntermediate, at: instant)) }
        entries.append(ForecastEntry(.newRoot, at: instant))
        for window in unique(sets.compactMap(\.window)) where window.end >= instant {
            let first = max(window.start, instant)
            entries.append(ForecastEntry(.windowSameKey, at: first, date: window.start))
            if chain.hasBackup(at: first) {
                entries.append(ForecastEntry(.windowBackupKey, at: first, date: window.start))
            }
            entries.append(ForecastEntry(.windowNewKey, at: first, date: window.start))
            entries.append(ForecastEntry(.afterWindow, on: window.end.addingTimeInterval(1)))
        }
        let expiries = sets.compactMap { $0.expiry?.last } + sets.flatMap(\.members).compactMap(\.expires)
        for last in unique(expiries).sorted() where last >= instant {
            entries.append(ForecastEntry(.pinsExpire, on: last.addingTimeInterval(1)))
        }
        if let early = chain.endsBeforeLeaf, early.notAfter >= instant {
            entries.append(
                ForecastEntry(.certificateExpires, on: early.notAfter.addingTimeInterval(1), ending: early.name))
        }
        if let notAfter = chain.notAfter, notAfter >= instant {
            let after = notAfter.addingTimeInterval(1)
            let change: ForecastChain.Change? = chain.hasPinnedSuccessor(at: after) ? .pinnedSuccessor : nil
            entries.append(ForecastEntry(.replacedBeforeExpiry, on: after, change: change))
            entries.append(ForecastEntry(.certificateExpires, on: after))
        }
        return entries
    }

    private static func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { seen.insert($0).inserted }
    }
}
