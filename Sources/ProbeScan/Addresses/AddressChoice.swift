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
    var isLeftToTransports: Bool { !isEach && family == nil && records == nil }

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
        guard let records else { return await divided(check, by: deadline) }
        return await divided(following(records, check), of: check, by: deadline)
    }

    // Not inlined, like all that follows with this mark: what comes before and after a wait is in functions of its own, so that a
    // waiting lookup, of which a scan has thousands, has the variables of the wait alone.

    @inline(never) private func following(_ records: any RecordSource, _ check: Check) -> Following {
        Following(records, alpn: check.offer?.alpn ?? check.alpn, readsTLSA: isProving, family: family?.only)
    }

    /// Follows the records of a check's targets, and returns the parts of the servers that they lead to.
    @inline(never) private func divided(
        _ following: Following, of check: Check, by deadline: Deadline
    ) async -> [Check] {
        var courses: [Following.Course] = []
        for target in check.targets { courses.append(await following.follow(target, by: deadline)) }
        return await divided(led(check, by: courses), by: deadline)
    }

    /// Returns the check of the servers that the records of its targets lead to.
    @inline(never) private func led(_ check: Check, by courses: [Following.Course]) -> Check {
        var targets: [Target] = []
        var hosts: [ServerName: MailHost] = [:]
        var failure: HandshakeFailure?
        for course in courses {
            hosts.merge(course.mailHosts) { first, _ in first }
            switch course.targets {
            case .success(let found): targets += found
            case .failure(let error): failure = failure ?? error
            }
        }
        let steps = courses.flatMap(\.steps)
        guard let failure, targets.isEmpty else {
            return check.led(to: targets, by: steps, mailHosts: isProving ? hosts : nil)
        }
        return check.led(astray: failure, by: steps)
    }

    /// Looks up the addresses of a check's targets, and returns the parts.
    @inline(never) private func divided(_ check: Check, by deadline: Deadline) async -> [Check] {
        let found = FoundAddresses()
        if check.route.absence == nil, isEach || family != nil {
            for target in check.targets {
                found.add(await addresses(of: target.endpoint.host, by: deadline), of: target)
            }
        }
        return parts(of: check, at: found, within: deadline.remaining)
    }

    @inline(never) private func parts(of check: Check, at found: FoundAddresses, within left: Duration) -> [Check] {
        let check = check.within(left)
        if let failure = check.route.absence {
            guard failure.code == .noAddressOfFamily, let family = family?.only else { return [check] }
            return [check.about(.family(family), failing: failure)]
        }
        guard let family else {
            // A proxy would look the name up by itself, and there would be one row for all of its addresses.
            if let failure = found.failure, found.places.isEmpty, check.route.proxy != nil {
                return [check.taking(.absent(failure.handshakeFailure(dialling: check.target.endpoint)))]
            }
            // A name without addresses is the transports' to report.
            return found.places.isEmpty ? [check] : found.places.map { $0.part(of: check) }
        }
        return family.families.flatMap { family in
            let own = found.places.filter { family.includes($0.address) }
            guard !own.isEmpty else {
                return [check.about(.family(family), failing: found.absence(of: family, in: check.target))]
            }
            return isEach
                ? own.map { $0.part(of: check) } : [check.about(.family(family), dialling: own.map(\.dialled))]
        }
    }

    private func addresses(of host: ServerName, by deadline: Deadline) async -> Result<[IPAddress], LookupFailure> {
        switch host {
        case .ip(let address): .success([address])
        case .dns(let name): await lookup.addresses(of: name, by: deadline)
        }
    }
}

extension Check {
    /// True if its target has no address.
    package var isAbsent: Bool { route.absence != nil }

    /// The target and its alternates, in turn.
    var targets: [Target] { [target] + alternates }
}
