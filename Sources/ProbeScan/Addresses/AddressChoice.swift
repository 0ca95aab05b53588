import ProbeKit
public import ProbeNet
public import ProbeRun

/// The division of a check by the addresses of its target: each by itself, or one family alone.
public struct AddressChoice: Sendable {
    /// True if each address has a verdict of its own.
    public var isEach: Bool
    /// The families to dial; nil leaves that to the transports.
    public var family: FamilyChoice?
    /// The source of the addresses of names.
    public var lookup: HostLookup
    /// The source of the records that are followed; nil follows none.
    package var records: (any RecordSource)?
    /// True if that source validates, and the TLSA records of mail hosts decide.
    package var isProving = false

    /// The number of addresses of one name that are probed at once.
    package static let atOnce = 8

    /// Creates a choice that follows no records; without arguments it leaves addresses to the transports.
    public init(isEach: Bool = false, family: FamilyChoice? = nil, lookup: HostLookup = .system) {
        self.isEach = isEach
        self.family = family
        self.lookup = lookup
    }

    /// True if the transports look names up by themselves.
    public var isLeftToTransports: Bool { !isEach && family == nil && records == nil }

    /// An address, and the target that has it.
    private struct Place {
        let target: Target
        let address: IPAddress

        /// The target, dialled at the address.
        var dialled: Target {
            if case .ip = target.endpoint.host { return target }
            return target.dialled(at: Endpoint(host: .ip(address), port: target.endpoint.port))
        }
    }

    /// Returns the checks of a target's parts, which share its time: the lookup is part of it, and each row of
    /// eight checks has an equal part of the rest.
    public func checks(of check: Check) async -> [Check] {
        let parts = await parts(of: check)
        let rows = (parts.count + Self.atOnce - 1) / Self.atOnce
        return parts.map { $0.within($0.timeout / rows) }
    }

    /// True if the servers of a part may be others at the next visit, so that it is found anew each time.
    public var isFoundAnew: Bool { !isLeftToTransports && !isEach }

    /// Returns the checks of a target's parts for visits to come, which have all of their time: this lookup is part of none.
    public func watched(of check: Check) async -> [Check] {
        let parts = await parts(of: check)
        let rows = (parts.count + Self.atOnce - 1) / Self.atOnce
        return parts.map { $0.within(check.timeout / rows) }
    }

    /// Returns a part of a target with the servers that it has now; of a target without an address the first that there is.
    public func part(_ part: Check, of check: Check) async -> Check {
        let parts = await parts(of: check)
        return parts.first { $0.subject == part.subject } ?? (part.isAbsent ? parts.first : nil) ?? part
    }

    /// Returns the checks of a target's parts, each with all of the time that the lookup leaves.
    public func parts(of check: Check) async -> [Check] {
        guard !isLeftToTransports else { return [check] }
        let deadline = Deadline.after(check.timeout)
        let check = await followed(check, by: deadline)
        if let failure = check.route.absence {
            let left = check.within(deadline.remaining)
            guard failure.code == .noAddressOfFamily, let family = family?.only else { return [left] }
            return [left.about(.family(family), failing: failure)]
        }
        guard isEach || family != nil else { return [check.within(deadline.remaining)] }
        var places: [Place] = []
        var failure: LookupFailure?
        for target in [check.target] + check.alternates {
            switch await addresses(of: target.endpoint.host, by: deadline) {
            case .success(let addresses): places += addresses.map { Place(target: target, address: $0) }
            case .failure(let error): failure = failure ?? error
            }
        }
        let left = check.within(deadline.remaining)
        guard let family else {
            // A proxy would look the name up by itself, and there would be one row for all of its addresses.
            if let failure, places.isEmpty, check.route.proxy != nil {
                return [left.taking(.absent(failure.handshakeFailure(dialling: check.target.endpoint)))]
            }
            // A name without addresses is the transports' to report.
            return places.isEmpty ? [left] : places.map { left.about(.address($0.address), dialling: [$0.dialled]) }
        }
        return family.families.flatMap { family in
            let own = places.filter { family.includes($0.address) }
            guard !own.isEmpty else {
                let failure = places.isEmpty ? failure : nil
                return [left.about(.family(family), failing: absence(of: family, in: check.target, failure, places))]
            }
            return isEach
                ? own.map { left.about(.address($0.address), dialling: [$0.dialled]) }
                : [left.about(.family(family), dialling: own.map(\.dialled))]
        }
    }

    /// Returns the check of the servers that the records of its targets lead to, if records are followed.
    private func followed(_ check: Check, by deadline: Deadline) async -> Check {
        guard let records else { return check }
        let following = Following(
            records, alpn: check.offer?.alpn ?? check.alpn, readsTLSA: isProving, family: family?.only)
        var (targets, steps): ([Target], [FollowedRecords]) = ([], [])
        var hosts: [ServerName: MailHost] = [:]
        var failure: HandshakeFailure?
        for target in [check.target] + check.alternates {
            let course = await following.follow(target, by: deadline)
            steps += course.steps
            hosts.merge(course.mailHosts) { first, _ in first }
            switch course.targets {
            case .success(let found): targets += found
            case .failure(let error): failure = failure ?? error
            }
        }
        guard let failure, targets.isEmpty else {
            return check.led(to: targets, by: steps, mailHosts: isProving ? hosts : nil)
        }
        return check.led(astray: failure, by: steps)
    }

    private func addresses(of host: ServerName, by deadline: Deadline) async -> Result<[IPAddress], LookupFailure> {
        switch host {
        case .ip(let address): .success([address])
        case .dns(let name): await lookup.addresses(of: name, by: deadline)
        }
    }

    private func absence(
        of family: IPAddress.Family, in target: Target, _ failure: LookupFailure?, _ places: [Place]
    ) -> HandshakeFailure {
        let host = target.endpoint.host
        if let failure { return failure.handshakeFailure(dialling: target.endpoint) }
        if case .ip = host {
            return HandshakeFailure(.noAddressOfFamily, "\(host) is not an \(family.rawValue) address")
        }
        let others = places.map { "\($0.address)" }.joined(separator: ", ")
        return HandshakeFailure(
            .noAddressOfFamily,
            "\(host) has no \(family.rawValue) address" + (others.isEmpty ? "" : ", only \(others)"))
    }
}

extension Check {
    /// True if its target has no address.
    package var isAbsent: Bool { route.absence != nil }
}
