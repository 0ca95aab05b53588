import ProbeDNS
package import ProbeKit
package import ProbePlatform

/// Answers questions about records.
package protocol RecordSource: Sendable {
    /// Returns the reply to a question, of response code NOERROR or NXDOMAIN; never a referral, which would read as the
    /// absence of records. An empty reply of a server that may not serve the name is one only if no other server answers.
    func reply(_ type: UInt16, of name: DNSName, by deadline: Deadline) async throws(DNSFailure) -> DNSMessage
    /// Returns the same, and true if DNSSEC proves the reply with all of its aliases. One that is bogus is a failure.
    func proved(
        _ type: UInt16, of name: DNSName, by deadline: Deadline
    ) async throws(DNSFailure) -> (message: DNSMessage, isSecure: Bool)
}

/// A resolver that answers questions about any records, and proves the answers by DNSSEC.
package protocol RecordValidating: Resolver {
    /// Returns the source of records at servers.
    ///
    /// - Parameter instant: the time at which signatures are judged; nil is now.
    func records(at servers: [Endpoint], anchors: [DNSAnchor], instant: Date?) -> any RecordSource
}

extension RecordSource {
    /// The answer of a source that does not validate.
    package func proved(
        _ type: UInt16, of name: DNSName, by deadline: Deadline
    ) async throws(DNSFailure) -> (message: DNSMessage, isSecure: Bool) {
        (try await reply(type, of: name, by: deadline), false)
    }
}

extension RecordLookup: RecordSource {}

/// The aliases from one name to another: a bounded number, none of them twice.
struct AliasWalk {
    /// The most aliases on the way to a record.
    static let limit = 8
    private(set) var names: [DNSName]

    init(from name: DNSName) { names = [name] }

    mutating func step(to name: DNSName) throws(HandshakeFailure) {
        guard !names.contains(name) else {
            throw HandshakeFailure(.recordsUnusable, "the aliases of \(names[0]) lead back to \(name)")
        }
        guard names.count <= Self.limit else {
            throw HandshakeFailure(.recordsUnusable, "\(names[0]) leads over more than \(Self.limit) aliases")
        }
        names.append(name)
    }
}

/// The records of one type that a name has, with those of the name that its aliases lead to.
struct FoundRecords {
    let message: DNSMessage
    let records: [DNSRecord]
    /// The names that the aliases lead over, the records' owner last.
    let aliases: [DNSName]
    /// True if DNSSEC proves all of them, or that there are none.
    let isSecure: Bool
}

extension RecordSource {
    /// Returns the answer to one question with the decision on it. A failure names the question.
    func answer(
        about type: UInt16, of name: DNSName, by deadline: Deadline
    ) async throws(HandshakeFailure) -> (message: DNSMessage, isSecure: Bool) {
        do throws(DNSFailure) {
            return try await proved(type, of: name, by: deadline)
        } catch {
            throw HandshakeFailure(
                .nameLookupFailed,
                "no answer about the \(DNSType.name(type)) records of \(name): \(error.message)",
                nativeCode: error.code.rawValue, cause: .recordLookup)
        }
    }

    /// Returns the records of a type. Aliases that the server does not follow itself are asked for.
    func records(
        _ type: UInt16, of name: DNSName, _ walk: inout AliasWalk, by deadline: Deadline
    ) async throws(HandshakeFailure) -> FoundRecords {
        var aliases: [DNSName] = []
        var areSecure = true
        while true {
            var owner = aliases.last ?? name
            let asked = owner
            let (message, isSecure) = try await answer(about: type, of: asked, by: deadline)
            areSecure = areSecure && isSecure
            func own(_ wanted: UInt16) -> [DNSRecord] {
                message.answers.filter {
                    $0.type == wanted && $0.owner == owner && $0.recordClass == DNSClass.internet
                }
            }
            while let alias = own(DNSType.cname).first {
                do throws(ReplyFault) {
                    owner = try message.target(of: alias)
                } catch {
                    throw HandshakeFailure(.recordsUnusable, "an alias of \(asked) can't be read: \(error.message)")
                }
                try walk.step(to: owner)
                aliases.append(owner)
            }
            let records = own(type)
            guard records.isEmpty, owner != asked, message.responseCode == .noError else {
                return FoundRecords(message: message, records: records, aliases: aliases, isSecure: areSecure)
            }
        }
    }

    /// Returns the addresses of a server, those of IPv4 first, or those of one family alone; none if it has none.
    func serverAddresses(
        of name: DNSName, _ family: IPAddress.Family?, by deadline: Deadline
    ) async throws(HandshakeFailure) -> [IPAddress] {
        try await AddressLookup.addresses(of: family, by: deadline) {
            (type: UInt16, deadline: Deadline) async throws(HandshakeFailure) -> (DNSMessage, [DNSRecord]) in
            var walk = AliasWalk(from: name)
            let answer = try await records(type, of: name, &walk, by: deadline)
            // Another family would not help a name that does not exist.
            if family != nil, answer.message.responseCode == .nameError {
                throw HandshakeFailure(.nameNotFound, "\(name) has no address", cause: .recordLookup)
            }
            return (answer.message, answer.records)
        }
    }
}
