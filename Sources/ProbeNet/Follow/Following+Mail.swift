import ProbeDNS
import ProbeKit

extension Following {
    /// Returns the hosts that take a domain's mail; without records it is the domain's own (RFC 5321 section 5.1). The name
    /// to prove is the host's: that of the domain is in few certificates of mail hosts.
    func exchanges(
        of name: DNSName, for own: Place, _ steps: inout [FollowedRecords], by deadline: Deadline
    ) async throws(HandshakeFailure) -> [Place] {
        var (found, exchanges) = try await records(DNSType.mx, of: name, as: DNSMessage.exchange, by: deadline)
        exchanges.sort { ($0.preference, "\($0.host)") < ($1.preference, "\($1.host)") }
        var places: [Place] = []
        let records = exchanges.map { exchange in
            var record = FollowedRecords.Record(priority: exchange.preference, target: exchange.host.description)
            if exchange.host.isRoot {
                record.unused = "no mail"
            } else if let name = try? ServerName(exchange.host.description) {
                places.append(Place(host: exchange.host, port: own.port, name: name))
            } else {
                record.unused = "not a host name"
            }
            return record
        }
        steps.append(Self.step(name, "MX", found, records))
        places = try Self.offered(places, records, name, otherwise: own)
        guard readsTLSA else { return places }
        places = Array(places.prefix(Self.mostPlaces))
        for index in places.indices {
            // The addresses, which are asked for afterwards, have an equal part of the time too.
            let part = deadline.share(among: 2 * places.count - index)
            places[index] = await proving(places[index], of: name, found, by: part)
        }
        return places
    }

    /// Returns a mail host with its TLSA records. It proves the name that has them: the one that its own aliases lead to,
    /// where DNSSEC proves these, else its own (RFC 7672 section 2.2.3).
    private func proving(
        _ place: Place, of domain: DNSName, _ exchanges: FoundRecords, by deadline: Deadline
    ) async -> Place {
        var place = place
        let (host, port) = (place.host, place.port)
        func take(_ base: DNSName, _ answer: MailHost.Answer) {
            let names = Self.names(vouchedFor: base, of: domain, exchanges)
            place.mailHost = MailHost(owner: "_\(port)._tcp.\(base)", names: names, answer: answer)
            if case .records = answer { place.name = names.first ?? place.name }
        }
        guard exchanges.isSecure else {
            take(host, .insecure("the MX records of \(domain)"))
            return place
        }
        do throws(HandshakeFailure) {
            let bases = try await bases(of: host, by: deadline)
            if bases.isEmpty { take(host, .insecure("the addresses of \(host)")) }
            for base in bases {
                let answer = try await tlsa(at: "_\(port)._tcp.\(base)", by: deadline)
                take(base, answer)
                if case .records = answer { break }
            }
        } catch {
            take(host, .failed(error.message))
        }
        return place
    }

    /// Returns the names of which a certificate has to have one where an authority is published: the one that has the TLSA
    /// records, the domain's, and with MX records the one that the domain's aliases end at (RFC 7672 section 3.2.2). An alias
    /// that an MX record names is not among them, and neither is one on the way.
    private static func names(vouchedFor base: DNSName, of domain: DNSName, _ exchanges: FoundRecords) -> [ServerName] {
        let resolved = exchanges.records.isEmpty ? nil : exchanges.aliases.last
        var names: [ServerName] = []
        for case let name? in [base, domain, resolved] {
            if let name = try? ServerName(name.description), !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns the names that may have a host's TLSA records, the preferred one first; an empty list where DNSSEC proves
    /// neither the addresses nor that the host is an alias. Servers of unsigned zones may fail on questions about TLSA, so that
    /// they are not asked (RFC 7672 section 2.2.2).
    private func bases(of host: DNSName, by deadline: Deadline) async throws(HandshakeFailure) -> [DNSName] {
        let addresses = try await addresses(of: host, by: deadline)
        if addresses.isSecure { return [addresses.aliases.last, host].compactMap(\.self) }
        guard !addresses.aliases.isEmpty else { return [] }
        return try await source.answer(about: DNSType.cname, of: host, by: deadline).isSecure ? [host] : []
    }

    /// Returns a host's addresses in a family that is dialled. Its aliases are the same in both, so that the second one is
    /// asked for only where the first one fails.
    private func addresses(of host: DNSName, by deadline: Deadline) async throws(HandshakeFailure) -> FoundRecords {
        func ask(_ type: UInt16, by deadline: Deadline) async throws(HandshakeFailure) -> FoundRecords {
            var walk = AliasWalk(from: host)
            return try await source.records(type, of: host, &walk, by: deadline)
        }
        if let family { return try await ask(family == .ipv4 ? DNSType.a : DNSType.aaaa, by: deadline) }
        do throws(HandshakeFailure) {
            return try await ask(DNSType.a, by: deadline.share(among: 2))
        } catch {
            return try await ask(DNSType.aaaa, by: deadline)
        }
    }

    private func tlsa(at owner: String, by deadline: Deadline) async throws(HandshakeFailure) -> MailHost.Answer {
        let name = try Self.name(owner)
        var walk = AliasWalk(from: name)
        let found = try await source.records(DNSType.tlsa, of: name, &walk, by: deadline)
        // Records that are not proved are not read either.
        guard found.isSecure else { return .insecure("the TLSA records of \(owner)") }
        var records: [MailHost.Record] = []
        for record in found.records { records.append(try Self.read(record, found, DNSMessage.association)) }
        return records.isEmpty ? .absent : .records(records)
    }
}
