import ArgumentParser
import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeRun
import ProbeTrust

/// A service's verdicts by its label.
typealias ServiceMoments = (service: String, moments: [ClientForecast.Moment])

/// The clients of a forecast, by `--client` or `--fleet`.
struct ForecastClients {
    /// The clients; those of `--client` have equal shares, which are not shown.
    let fleet: Fleet
    /// True if the shares are of users.
    let isFleet: Bool

    /// Reads the clients that the options name; nil if there are none.
    ///
    /// - Throws: ``InputError`` for both options at once, for clients without a chain, and for roots beside theirs.
    init?(client: [String], fleet file: String?, _ served: ServedOptions) throws(InputError) {
        guard !client.isEmpty || file != nil else { return nil }
        let option = file == nil ? "--client" : "--fleet"
        guard client.isEmpty || file == nil else {
            throw InputError("--client and --fleet are given", remedy: "name the clients in one of the two")
        }
        guard served.live || !served.chain.isEmpty else {
            throw InputError(
                "\(option) is of no use without --live or --chain", remedy: "leave it out, or give one of them too")
        }
        if let anchors = served.connection.anchorOption {
            throw InputError(
                "\(anchors) and \(option) are given, and a client brings its own",
                remedy: "leave \(anchors) out; a client of your own in a file may have other facts")
        }
        var catalogue = try ClientCatalogue.shipped()
        isFleet = file != nil
        fleet =
            if let file { try FleetFile.read(file, catalogue) } else {
                Fleet(members: try catalogue.named(client).map { Fleet.Member(client: $0, share: 1) }, minimum: nil)
            }
    }

    /// Judges each service's chain, from an instant to its end.
    ///
    /// - Parameters:
    ///   - chains: by the service's label.
    ///   - rows: the forecast without clients, for the days on which pins and windows change.
    func services(
        _ checks: [Check], chains: [String: [[UInt8]]], rows: [ForecastRow], from instant: Date
    ) async throws -> [ServiceMoments] {
        let reference = ReferenceVerifier.withSystemSuffixes()
        let transports = try Backends.current.transports(named: .all)
        let policies = Backends.current.policies
        let (meter, roots) = (OwnLateness.meter, ClientRoots())
        let forecast = ClientForecast(fleet.members.map(\.client)) { clock in
            ClientRun(
                prober: Prober(clock: clock, reference: reference, lateness: meter), reference: reference,
                transports: transports, clock: clock, policies: policies, roots: roots)
        }
        var services: [ServiceMoments] = []
        for check in checks {
            guard let label = check.service, let chain = chains[label], !chain.isEmpty else { continue }
            let changes = ClientForecast.changes(rows, of: label)
            services.append(
                (label, try await forecast.moments(check, chain: chain, from: instant, changes: changes)))
        }
        return services
    }

    /// Returns the outcome of one moment: the fleet's, or the most severe client's.
    func outcome(_ moment: ClientForecast.Moment) -> Outcome {
        isFleet
            ? FleetReading(fleet, moment.results).outcome
            : Outcome.deciding(among: moment.results.map(\.result.verdict.outcome))
    }

    /// Returns the outcome of all moments before a leaf's end, which no client outlives.
    func outcome(_ services: [ServiceMoments]) -> Outcome {
        Outcome.deciding(
            among: services.flatMap(\.moments).filter { $0.event != .certificateExpires }.map { outcome($0) })
    }

    /// Returns the rows for scripts.
    func lines(_ services: [ServiceMoments]) -> [ForecastLine] {
        services.flatMap { service, moments in moments.map { ForecastLine(service, $0, self) } }
    }

    /// Returns the share of users who connect, or the number of clients, as part of a sentence.
    func words(_ moment: ClientForecast.Moment) -> String {
        let reading = FleetReading(fleet, moment.results)
        guard isFleet else {
            let count = moment.results.count
            return
                "\(moment.results.count(where: \.connects)) of \(count) client\(count == 1 ? " connects" : "s connect")"
        }
        return FleetText.share(reading)
    }
}
