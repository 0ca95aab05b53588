import NIOCore
import NIOPosix
import ProbeKit

/// A ``HostLookup`` for NIO's happy eyeballs, one for each connection. NIO's own resolver does the lookups of one event
/// loop sequentially.
///
/// `@unchecked Sendable`: its one variable is used on `loop` alone, where NIO calls a resolver.
final class HostResolver: NIOPosix.Resolver, @unchecked Sendable {
    private let lookup: HostLookup
    private let loop: any EventLoop
    private let deadline: Deadline
    private var found: EventLoopFuture<[IPAddress]>?

    init(_ lookup: HostLookup, on loop: any EventLoop, by deadline: Deadline) {
        self.lookup = lookup
        self.loop = loop
        self.deadline = deadline
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port: port) { !$0.isIPv6 }
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port: port) { $0.isIPv6 }
    }

    /// A lookup in progress can't be stopped; the connection attempt has a deadline.
    func cancelQueries() {}

    private func addresses(
        of host: String, port: Int, where isWanted: @escaping @Sendable (IPAddress) -> Bool
    ) -> EventLoopFuture<[SocketAddress]> {
        loop.preconditionInEventLoop()
        return (found ?? find(host)).flatMapThrowing { addresses in
            try addresses.filter(isWanted).map { try SocketAddress($0, port: port) }
        }
    }

    private func find(_ host: String) -> EventLoopFuture<[IPAddress]> {
        let addresses = lookup.addresses(of: host, by: deadline, on: loop)
        found = addresses
        return addresses
    }
}

extension HostLookup {
    /// Returns a future of the addresses of a name, the best first, which fails with the ``LookupFailure`` by the deadline.
    func addresses(
        of name: String, by deadline: Deadline, on loop: any EventLoop
    ) -> EventLoopFuture<[IPAddress]> {
        let promise = loop.makePromise(of: [IPAddress].self)
        // The lookup is skipped if it is late; the timer completes its promise.
        let timer = loop.scheduleTask(in: TimeAmount(deadline.remaining)) { promise.fail(LookupFailure.late) }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        find(name, by: deadline) { promise.completeWith($0.mapError { $0 }) }
        return promise.futureResult
    }
}

extension SocketAddress {
    /// Creates a socket address from an address and a port, and the zone of a link-local address.
    init(_ address: IPAddress, port: Int, zone: String? = nil) throws {
        try self.init(packedIPAddress: ByteBuffer(bytes: address.bytes), port: port)
        guard let zone else { return }
        guard let scope = Endpoint.interfaceNumber(of: zone) else { throw UnknownInterface(name: zone) }
        // Numbers alone, so that nothing is looked up.
        self = try .makeAddressResolvingHost("\(address)%\(scope)", port: port)
    }
}

/// The zone of an address names an interface that this machine does not have.
struct UnknownInterface: Error, CustomStringConvertible {
    let name: String
    var description: String { "this machine has no interface '\(name)'" }
}
