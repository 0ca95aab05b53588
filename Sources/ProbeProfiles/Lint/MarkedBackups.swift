package import ProbeKit
package import ProbeRun

extension Profile {
    /// Returns the pins that are marked as backups, for each group of a check that was compiled from the profile. To a
    /// verdict a backup is one more pin (requirement 104), so groups have no marks.
    package func backups(of check: Check) -> [Set<Pin>] {
        // An environment without pinning has sets, and checks none.
        guard !check.pins.isEmpty else { return [] }
        let sets =
            environments.lazy.compactMap { environment -> [PinSet]? in
                guard let service = environment.services.first(where: { environment.label(of: $0) == check.service })
                else { return nil }
                return ServicePins.sets(of: service, in: environment, of: self) ?? []
            }.first
            ?? ServicePins.sets(
                of: Service(name: check.target.description, target: check.target), in: ProfileEnvironment(), of: self)
        return (sets ?? []).map { set in Set(set.members.filter(\.isBackup).map(\.pin)) }
    }
}
