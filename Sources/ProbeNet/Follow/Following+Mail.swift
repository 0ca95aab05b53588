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
    /// as far as DNSSEC proves these, else its own (RFC 7672 section 2.2.3).
    private func proving(
        _ place: Place, of domain: DNSName, _ exchanges: FoundRecords, by deadline: Deadline
    ) async -> Place {
        var place = place
        let (host, port) = (place.host, place.port)
        func take(_ base: DNSName, _ answer: MailHost.Answer) {
            var names: [ServerName] = []
            for name in [base, host, domain] + exchanges.aliases {
                if let name = try? ServerName(name.description), !names.contains(name) { names.append(name) }
            }
            place.mailHost = MailHost(owner: "_\(port)._tcp.\(base)", names: names, answer: answer)
            if case .records = answer { place.name = names.first ?? place.name }
        }
        guard exchanges.isSecure else {
            take(host, .insecure("the MX records of \(domain)"))
            return place
        }
        do throws(HandshakeFailure) {
            var walk = AliasWalk(from: host)
            let addresses = try await source.records(DNSType.a, of: host, &walk, by: deadline)
            for base in (addresses.isSecure ? addresses.aliases.suffix(1) : []) + [host] {
                let answer = try await tlsa(at: "_\(port)._tcp.\(base)", by: deadline)
                take(base, answer)
                if case .records = answer { break }
            }
        } catch {
            take(host, .failed(error.message))
        }
        return place
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
