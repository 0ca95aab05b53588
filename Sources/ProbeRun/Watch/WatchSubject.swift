import ProbeKit

/// A subject with a status of its own in a watch.
public struct WatchSubject: Hashable, Sendable, CustomStringConvertible {
    /// The subject as displayed: `name:port`, or the DNS name of an allow-list.
    public let name: String
    /// The name a profile gives it; nil if it was named on the command line.
    public let service: String?
    /// The transport it is probed through; nil for an allow-list.
    public let transport: String?
    /// The resolver it is probed through; nil without a model to look for, and for findings about the connection alone.
    public let resolver: String?

    /// Creates a subject.
    public init(name: String, service: String? = nil, transport: String? = nil, resolver: String? = nil) {
        self.name = name
        self.service = service
        self.transport = transport
        self.resolver = resolver
    }

    /// The existing parts, on one line.
    public var description: String {
        let backends = [transport, resolver].compactMap(\.self).joined(separator: "+")
        return [service, name, backends].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The same without the resolver, for findings about the connection alone.
    var connection: WatchSubject { WatchSubject(name: name, service: service, transport: transport) }

    /// Returns the key of a connection's baseline. An alternate that stands in has its own.
    static func baselineKey(_ check: Check, _ transport: BackendIdentity, answering target: Target) -> String {
        WatchSubject(name: name(check, target), service: check.service, transport: transport.name).description
    }

    private static func name(_ check: Check, _ target: Target) -> String {
        guard let part = check.part else { return target.description }
        // The addresses of a family are in turn each other's alternates.
        return "\(target) \(part) \(target.endpoint)"
    }

    static func baselineKey(_ check: Check, _ connection: ConnectionEvidence) -> String {
        baselineKey(check, connection.transport, answering: connection.attempts.last?.target ?? check.target)
    }
}
