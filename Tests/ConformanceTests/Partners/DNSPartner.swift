import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A real name server with the zone `models.test`.
enum DNSPartner: String, CaseIterable {
    case nsd
    case knot
    /// Knot, with every reply over UDP truncated.
    case knotWithoutUDP
    case bind
    case powerdns
    /// A recursive server that has the zone from NSD.
    case unbound
    /// A load balancer before NSD, whose rules spoil the names of ``spoilt``.
    case dnsdist

    /// The program, and the Debian packages that contain it.
    private var software: (program: String, packages: String) {
        switch self {
        case .nsd: ("nsd", "nsd")
        case .knot, .knotWithoutUDP: ("knotd", "knot")
        case .bind: ("named", "bind9")
        case .powerdns: ("pdns_server", "pdns-server pdns-backend-bind")
        case .unbound: ("unbound", "unbound nsd")
        case .dnsdist: ("dnsdist", "dnsdist nsd")
        }
    }

    private var isBehindNSD: Bool { self == .unbound || self == .dnsdist }

    /// True if it can be run here.
    var isInstalled: Bool {
        PartnerProcess.isInstalled(software.program) && (!isBehindNSD || DNSPartner.nsd.isInstalled)
    }

    /// The advice if it is missing.
    var remedy: String { "\(software.program) is not installed: apt-get install \(software.packages)" }

    /// Runs the server with the zone and passes its endpoint on.
    ///
    /// - Parameter shell: a line for the shell to run before it becomes the server.
    func run<Result: Sendable>(
        after shell: String? = nil, _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        guard isBehindNSD else { return try await start(after: shell, nil, [], body) }
        return try await DNSPartner.nsd.run { try await run(after: shell, inFrontOf: $0, body) }
    }

    /// Runs Unbound or dnsdist with the zone from another server.
    ///
    /// - Parameter anchors: Unbound's trust anchors; without any it does not validate.
    func run<Result: Sendable>(
        after shell: String? = nil, inFrontOf upstream: Endpoint, anchors: [DNSAnchor] = [],
        _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        try await start(after: shell, upstream, anchors, body)
    }

    /// Runs BIND or dnsdist with the zone over HTTPS too, and passes that endpoint on.
    ///
    /// - Parameter identity: the identity it presents.
    func runOverHTTPS<Result: Sendable>(
        as identity: LabIdentity, _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        let port = try LoopbackPort.free()
        let endpoint = try Endpoint("127.0.0.1:\(port)")
        let https = Site.HTTPS(port: port, identity: identity)
        guard isBehindNSD else { return try await start(nil, https: https) { _ in try await body(endpoint) } }
        return try await DNSPartner.nsd.run { upstream in
            try await start(upstream, https: https) { _ in try await body(endpoint) }
        }
    }

    /// Runs NSD with the zone over TLS too (RFC 7858), and passes that endpoint on.
    ///
    /// - Parameter identity: the identity it presents.
    static func runNSDOverTLS<Result: Sendable>(
        as identity: LabIdentity, _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        let port = try LoopbackPort.free()
        let endpoint = try Endpoint("127.0.0.1:\(port)")
        return try await DNSPartner.nsd.start(nil, https: Site.HTTPS(port: port, identity: identity)) { _ in
            try await body(endpoint)
        }
    }

    /// Runs the server with another zone.
    ///
    /// - Parameter origin: the zone's name.
    func run<Result: Sendable>(
        zone: String, of origin: String, after shell: String? = nil,
        _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        try await start(after: shell, nil, zone: zone, of: origin, body)
    }

    /// Runs NSD on 127.0.0.1 and Knot on 127.0.0.2, on one port, each with a zone of its own.
    static func runTwo<Result: Sendable>(
        _ zones: (nsd: String, knot: String), _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        try await nsd.start(nil, zone: zones.nsd) { first in
            let second = try Endpoint("127.0.0.2:\(first.port)")
            return try await knot.start(nil, zone: zones.knot, beside: second) { _ in try await body(first) }
        }
    }

    /// - Parameter beside: a second place to answer at, for Knot.
    private func start<Result: Sendable>(
        after shell: String? = nil, _ upstream: Endpoint?, _ anchors: [DNSAnchor] = [], https: Site.HTTPS? = nil,
        zone: String = DNSPartner.zone, of origin: String = "models.test", beside: Endpoint? = nil,
        _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        try await ScratchFolder.with { folder in
            let site = Site(
                folder: folder, port: try LoopbackPort.free(), upstream: upstream, anchors: anchors, https: https,
                beside: beside, origin: origin)
            if let https {
                try ScratchFolder.write(https.identity.chainPEM, to: site.chainFile)
                try ScratchFolder.write(https.identity.keyPEM, to: site.keyFile)
            }
            try ScratchFolder.write(zone, to: "\(folder)/zone")
            try ScratchFolder.write(configuration(site), to: site.configurationFile)
            let command = [software.program] + arguments(site)
            let line = shell.map { ["sh", "-c", "\($0); exec \"$@\"", "sh"] + command } ?? command
            let partner = PartnerProcess(
                program: line[0], arguments: Array(line.dropFirst()), port: https?.port ?? site.port)
            let endpoint = try Endpoint("127.0.0.1:\(site.port)")
            return try await partner.run { try await body(endpoint) }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if the server can't be run, and says how to install it.
    static func needs(_ partner: DNSPartner) -> Self { .enabled(if: partner.isInstalled, "\(partner.remedy)") }
}
