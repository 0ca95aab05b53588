import ProbeDNS
package import ProbeKit

/// Follows a target's records to the servers of its service, as `--follow` asks.
package struct Following: Sendable {
    /// The servers of a target, and the records that led to them.
    package struct Course: Sendable {
        package fileprivate(set) var steps: [FollowedRecords] = []
        /// The target, dialled at each address of each server, in the order in which a client tries them; or why there is
        /// none.
        package fileprivate(set) var targets: Result<[Target], HandshakeFailure>
        /// The mail hosts by the names that they prove; empty if DANE was not asked for.
        package fileprivate(set) var mailHosts: [ServerName: MailHost] = [:]
    }

    /// A server of the service.
    struct Place {
        let host: DNSName
        let port: UInt16
        var hints: [IPAddress] = []
        /// The name to prove; nil is the target's.
        var name: ServerName?
        var mailHost: MailHost?
    }

    /// The most servers, and the most addresses of each, that are dialled.
    static let (mostPlaces, mostAddresses) = (16, 8)

    let source: any RecordSource
    /// The application protocols that the client offers; empty offers none, and speaks every one over TLS.
    let alpn: [String]
    /// True if the TLSA records of mail hosts are asked for.
    let readsTLSA: Bool
    /// The only family of addresses that is dialled; nil dials both.
    let family: IPAddress.Family?

    package init(
        _ source: any RecordSource, alpn: [String] = [], readsTLSA: Bool = false, family: IPAddress.Family? = nil
    ) {
        self.source = source
        self.alpn = alpn
        self.readsTLSA = readsTLSA
        self.family = family
    }

    /// Follows a target's records; one that has none to look for is its own place, and so is one that states its address.
    package func follow(_ target: Target, by deadline: Deadline) async -> Course {
        guard target.connect == nil, let question = ServiceQuestion(about: target), let host = target.name.sni else {
            return Course(targets: .success([target]))
        }
        var course = Course(targets: .success([]))
        do throws(HandshakeFailure) {
            let own = Place(host: try Self.name(host), port: target.port)
            let name = try Self.name(question.name)
            let places =
                switch question {
                case .bindings: try await bindings(of: name, for: own, &course.steps, by: deadline)
                case .services: try await services(of: name, for: own, &course.steps, by: deadline)
                case .exchanges: try await exchanges(of: name, for: own, &course.steps, by: deadline)
                }
            for place in places {
                guard let host = place.mailHost else { continue }
                course.mailHosts[place.name ?? target.name] = host
            }
            course.targets = .success(try await dialled(Array(places.prefix(Self.mostPlaces)), target, by: deadline))
        } catch {
            course.targets = .failure(error)
        }
        return course
    }

    static func name(_ text: String) throws(HandshakeFailure) -> DNSName {
        do throws(InputError) {
            return try DNSName(text)
        } catch {
            throw HandshakeFailure(.recordsUnusable, error.message)
        }
    }

    /// Returns the servers that SRV records name. Records of one priority go by their weights, so that the same records
    /// always give the same order.
    private func services(
        of name: DNSName, for own: Place, _ steps: inout [FollowedRecords], by deadline: Deadline
    ) async throws(HandshakeFailure) -> [Place] {
        var (found, services) = try await records(DNSType.srv, of: name, as: DNSMessage.service, by: deadline)
        services.sort {
            ($0.priority, $1.weight, "\($0.target)", $0.port) < ($1.priority, $0.weight, "\($1.target)", $1.port)
        }
        var places: [Place] = []
        let records = services.map { service in
            var record = FollowedRecords.Record(priority: service.priority, target: service.target.description)
            (record.weight, record.port) = (service.weight, service.port)
            record.unused = service.target.isRoot ? "no service" : service.port == 0 ? "port 0" : nil
            if record.unused == nil { places.append(Place(host: service.target, port: service.port)) }
            return record
        }
        steps.append(Self.step(name, "SRV", found, records))
        return try Self.offered(places, records, name, otherwise: own)
    }

    /// Returns the places of records, or the target's own where there are no records.
    static func offered(
        _ places: [Place], _ records: [FollowedRecords.Record], _ name: DNSName, otherwise own: Place
    ) throws(HandshakeFailure) -> [Place] {
        guard !records.isEmpty else { return [own] }
        guard places.isEmpty else { return places }
        throw records.allSatisfy { $0.target == "." }
            ? HandshakeFailure(.serviceNotOffered, "\(name) offers no such service: its record leads to '.'")
            : HandshakeFailure(.recordsUnusable, "no record of \(name) leads to a server")
    }

    static func step(
        _ name: DNSName, _ type: String, _ found: FoundRecords, _ records: [FollowedRecords.Record]
    ) -> FollowedRecords {
        FollowedRecords(
            name: name.description, type: type, aliases: found.aliases.map(\.description), records: records)
    }

    /// Returns the records of a name, and the fields of each.
    func records<Fields>(
        _ type: UInt16, of name: DNSName, as fields: (DNSMessage) -> (DNSRecord) throws(ReplyFault) -> Fields,
        by deadline: Deadline
    ) async throws(HandshakeFailure) -> (found: FoundRecords, fields: [Fields]) {
        var walk = AliasWalk(from: name)
        let found = try await source.records(type, of: name, &walk, by: deadline)
        var read: [Fields] = []
        for record in found.records { read.append(try Self.read(record, found, fields)) }
        return (found, read)
    }

    static func read<Fields>(
        _ record: DNSRecord, _ found: FoundRecords,
        _ read: (DNSMessage) -> (DNSRecord) throws(ReplyFault) -> Fields
    ) throws(HandshakeFailure) -> Fields {
        do throws(ReplyFault) {
            return try read(found.message)(record)
        } catch {
            throw HandshakeFailure(.recordsUnusable, "a record of \(record.owner) can't be read: \(error.message)")
        }
    }

    /// Returns the target dialled at every address. A server without one is left out as long as another has one.
    private func dialled(
        _ places: [Place], _ target: Target, by deadline: Deadline
    ) async throws(HandshakeFailure) -> [Target] {
        var targets: [Target] = []
        var failure: HandshakeFailure?
        for (index, place) in places.enumerated() {
            // The handshakes after the lookups have an equal part of the time too.
            let part = deadline.share(among: places.count - index + 1)
            var addresses: [IPAddress] = []
            let hints = place.hints.filter { family?.includes($0) ?? true }
            do throws(HandshakeFailure) {
                addresses = try await source.serverAddresses(of: place.host, family, by: part)
                if addresses.isEmpty, hints.isEmpty { throw absence(of: place) }
            } catch {
                failure = failure ?? error
            }
            // The hints are for a client whose own lookup finds nothing (RFC 9460 section 7.3).
            for address in (addresses.isEmpty ? hints : addresses).prefix(Self.mostAddresses) {
                var dialled = Target(
                    name: place.name ?? target.name, port: target.port,
                    connect: Endpoint(host: .ip(address), port: place.port), startTLS: target.startTLS)
                dialled.isAtOwnAddress = true
                if !targets.contains(dialled) { targets.append(dialled) }
            }
        }
        guard let failure, targets.isEmpty else { return targets }
        throw failure
    }

    private func absence(of place: Place) -> HandshakeFailure {
        family.map { HandshakeFailure(.noAddressOfFamily, "\(place.host) has no \($0.rawValue) address") }
            ?? HandshakeFailure(.nameNotFound, "\(place.host) has no address", cause: .recordLookup)
    }
}
