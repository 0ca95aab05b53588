import ProbeDNS
public import ProbeKit
public import ProbeNet

/// Asks for TXT records with ldns as codec, over this package's own exchange.
public struct LDNSResolver: Resolver {
    /// `ldns`, with the loaded version of the library.
    public var identity: BackendIdentity { LDNSLibrary.identity }
    /// `ldns`.
    public var name: String { LDNSLibrary.name }
    /// The absence of libldns.
    public var absence: BackendAbsence? { LDNSLibrary.absence }
    /// Everything but DNSSEC validation and HTTPS; TLS where there is a stack for it.
    public let capabilities: Set<ResolverCapability>

    private let exchange: DNSExchange<LDNSCodec>

    /// Creates a resolver; it keeps no state between queries.
    ///
    /// - Parameters:
    ///   - network: the event loops of its exchanges.
    ///   - makeEngine: makes the TLS with servers that are asked over it, which ldns leaves to its caller; nil can't ask
    ///     them.
    public init(network: ProbeNetwork = .shared, tls makeEngine: EngineMaker? = nil) {
        exchange = DNSExchange(codec: LDNSCodec(), over: network, tls: makeEngine)
        capabilities = exchange.tlsCapabilities.union([
            .rawReply, .chosenServers, .zonedServers, .ednsSize, .bigEDNSSize, .withoutEDNS, .tcpOnTruncation,
            .failureReasons,
        ])
    }

    /// Asks over UDP, and over TCP if a reply is truncated; over TLS where servers are asked so.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        await exchange.resolve(query)
    }

    /// Asks many over few sockets.
    public func resolve(_ queries: [DNSQuery], atOnce: Int) async -> [DNSReport] {
        await exchange.resolve(queries, atOnce: atOnce)
    }
}

/// ldns without its sockets: its own resolver accepts replies with a wrong id, source or question.
package struct LDNSCodec: ReplySharingCodec {
    package init() {}

    package func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8] {
        if let absence = LDNSLibrary.absence { throw absence.dnsFailure }
        do throws(LDNSError) {
            let packet = try LDNSPacket(queryFor: name, id: id, ednsSize: ednsSize, dnssecOK: dnssecOK)
            return try packet.wireBytes()
        } catch {
            throw DNSFailure(.backendError, "ldns can't write the query: \(error)")
        }
    }

    package func read(_ reply: [UInt8]) -> NativeDNSReading { read(sharing: DNSReply(reply)) }

    package func read(sharing reply: DNSReply) -> NativeDNSReading {
        guard Self.isCheapToParse(reply) else {
            return .notAsked(
                "ldns was not given the reply: parsing a record of more than \(Self.maximumFields) fields takes it seconds"
            )
        }
        do throws(LDNSError) {
            let packet = try LDNSPacket(wire: reply.bytes)
            return .parsed(rcode: packet.responseCode, records: packet.textRecords)
        } catch {
            return .unreadable("\(error)")
        }
    }

    /// The maximum number of a record's fields. ldns allocates them one by one, so its time grows with their square:
    /// seconds for the 60 000 empty strings that fit into a message. The longest texts have 257.
    private static let maximumFields = 1024

    /// Returns true if no record has too many fields. A long reply that our own reader rejects is unusable, and not
    /// worth the time.
    private static func isCheapToParse(_ reply: DNSReply) -> Bool {
        guard reply.bytes.count > maximumFields else { return true }
        guard let message = try? reply.message.get() else { return false }
        return (message.answers + message.authorities + message.additional).allSatisfy { record in
            guard record.data.count > maximumFields, LDNSLibrary.isOpenEnded(record.type) else { return true }
            guard record.type == DNSType.txt, let strings = try? message.strings(of: record) else { return false }
            return strings.count <= maximumFields
        }
    }
}
