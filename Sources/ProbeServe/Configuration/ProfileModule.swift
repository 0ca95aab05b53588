import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeRun
import ProbeTrust

/// The demands of a profile on its services, or on a host by its rules.
struct ProfileModule: Sendable {
    let file: String
    let profile: Profile
    let format: ProfileFormat
    let environments: [String]
    let compiler: ProfileCompiler
    let services: [Check]
    let models: [ModelCheck]
    /// The parts of the file that are not read, or work otherwise than they look.
    let warnings: [String]

    /// True if it has services or models; a platform's file has host rules alone.
    var hasOwnTargets: Bool { !services.isEmpty || !models.isEmpty }

    /// Returns the checks of a target: of the service with that label, of the services on it, else by the host rules; and
    /// the list of models of that name.
    ///
    /// - Parameter text: the target; nil is everything in the profile.
    func checks(of text: String?) throws(InputError) -> (services: [Check], models: [ModelCheck]) {
        guard let text else {
            guard hasOwnTargets else {
                throw InputError(
                    "\(file) lists nothing to check", remedy: "give it services or models, or name a target",
                    source: .file)
            }
            return (services, models)
        }
        let lists = models.filter { $0.subject == text.lowercased() }
        guard lists.isEmpty else { return ([], lists) }
        let labelled = services.filter { $0.service == text }
        guard labelled.isEmpty else { return (labelled, []) }
        let target = try Target(text)
        let own = services.services(on: target)
        guard own.isEmpty else { return (own, []) }
        guard let check = try compiler.check(of: target) else {
            throw InputError(
                "\(file) has no pins for \(target)", remedy: "add a service or a host rule to it", source: .file)
        }
        return ([check], [])
    }

    /// Returns the failures after changes of the servers' certificates, for the clients of these services.
    ///
    /// - Parameter chains: the chain of each service that proved one, by its label; the others are judged by a supposed one.
    func forecast(
        _ services: [Check], chains: [String: ConnectionEvidence], at instant: Date
    ) async -> [ForecastRow] {
        let named = services.compactMap { check in check.service.map { ($0, check) } }
        let compared = Dictionary(named.filter { !$0.1.certificates.isEmpty }) { first, _ in first }
            .mapValues { $0.certificates.flatMap(\.certificates).map { SuppliedChain.certificate($0) } }
        let labels = Set(named.map(\.0))
        let served = await ServedEvidence(chains)
        let forecast = ProfileForecast(
            profile, chains: served.chains, compared: compared, format: format, refusals: served.reasons)
        // A supposed chain is not served.
        return forecast.rows(at: instant).filter { row in
            labels.contains(row.service) && (row.event != .asServed || chains[row.service] != nil)
        }
    }

    var values: [(String, String)] {
        [("file", JSONText.line(file))]
            + (environments.isEmpty
                ? [] : [("environment", "[\(environments.map(JSONText.line).joined(separator: ", "))]")])
    }
}
