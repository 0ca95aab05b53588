import ProbeCurl
public import ProbeKit
import ProbeNet
import ProbeOpenSSL
import ProbePlatform

/// Asks for TXT records over HTTPS (RFC 8484), with libcurl as HTTP client and this package's own codec.
///
/// HTTP/2 is offered, HTTP/1.1 is accepted. Each exchange has a connection of its own: nothing is reused, no redirect
/// is followed, no proxy is used. The server's certificate has to chain to the anchors given with the server, be for
/// the URL's host, and be valid at the query's instant. Its name, unless an address is given with it, is looked up as
/// the system does.
///
/// The packets are written and parsed by ``SwiftDNSCodec``, so the reading that a report calls native is not a second
/// one: libcurl does not parse TXT records.
public struct DoHResolver: Resolver {
    /// `doh`, with the versions of libcurl and of OpenSSL below it.
    public var identity: BackendIdentity { CurlLibrary.identity(name) }
    /// `doh`.
    public var name: String { "doh" }
    /// The absence of libcurl over OpenSSL, or of OpenSSL.
    public var absence: BackendAbsence? { CurlLibrary.absence ?? OpenSSLLibrary.absence }
    /// HTTPS alone, without DNSSEC validation, and without the certificates of the server.
    public let capabilities: Set<ResolverCapability> = [
        .rawReply, .httpsServers, .ednsSize, .bigEDNSSize, .withoutEDNS, .failureReasons,
    ]

    /// The thread that the transfers share, started for the first of them: libcurl is not opened before.
    private let shared = Once<CurlMulti>()
    private let anchors = OpenSSLAnchors()
    private let codec = SwiftDNSCodec()

    /// Creates a resolver; libcurl is opened for the first query, and has a thread that ends with the last copy. If it can't
    /// be set up, each query fails with the code `backend-error`.
    public init() {}

    /// Asks the query's HTTPS servers, and one that does not support EDNS once more without it.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        await DNSWalk.over(query.httpsServers, query) { await ask($0, query) }
    }

    /// Returns one try at one server; the last of its attempts counts.
    private func ask(_ server: DoHServer, _ query: DNSQuery) async -> [DNSAttempt] {
        let first = await attempt(server, query, ednsSize: query.ednsSize)
        let mayDropEDNS = query.ednsSize != nil && query.dnssec == .off
        guard mayDropEDNS, let reply = first.received, DNSConclusion.refusesEDNS(reply) else { return [first] }
        return [first, await attempt(server, query, ednsSize: nil)]
    }

    /// RFC 8484 section 4.1: the id is 0, so that equal queries are equal requests.
    private static let id: UInt16 = 0

    /// Returns the failure with the reason why the server's name has no address, for which libcurl has one code whatever it was.
    private static func addingLookupReason(
        to failure: DNSFailure, for server: DoHServer, by deadline: Deadline
    ) async -> DNSFailure {
        guard failure == .unresolved(server), case .dns(let name) = server.endpoint.host,
            case .failure(let reason) = await HostLookup.system.addresses(of: name, by: deadline)
        else { return failure }
        return reason == .outOfFiles
            ? DNSFailure(errorNumber: EMFILE) : DNSFailure(.unreachable, "\(failure.message): \(reason)")
    }

    private func attempt(_ server: DoHServer, _ query: DNSQuery, ednsSize: UInt16?) async -> DNSAttempt {
        let start = ContinuousClock.now
        var outcome: Result<[UInt8], DNSFailure>
        do throws(DNSFailure) {
            let message = try codec.query(
                name: query.name, id: Self.id, ednsSize: ednsSize, dnssecOK: query.dnssec != .off && ednsSize != nil)
            let order = DoHOrder(server: server, message: message, instant: query.instant, deadline: query.deadline)
            outcome = try await multi().run(by: query.deadline, overdue: { .failure(.overdue(server)) }) { [anchors] in
                DoHExchange.start(order, anchors: anchors)
            }
        } catch {
            outcome = .failure(error)
        }
        if case .failure(let failure) = outcome {
            outcome = .failure(await Self.addingLookupReason(to: failure, for: server, by: query.deadline))
        }
        let (reply, failure): (DNSReply?, DNSFailure?) =
            switch outcome {
            case .success(let bytes): (DNSReply(bytes), nil)
            case .failure(let failure): (nil, failure)
            }
        return DNSAttempt(
            server: server.description, channel: .https, ednsSize: ednsSize, id: Self.id, received: reply,
            native: reply.map(codec.read(sharing:)), failure: failure, duration: start.duration(to: .now))
    }

    private func multi() throws(DNSFailure) -> CurlMulti {
        if let absence { throw absence.dnsFailure }
        do throws(CurlError) {
            return try shared.value { () throws(CurlError) in try CurlMulti() }
        } catch {
            throw error.backendFailure
        }
    }
}
