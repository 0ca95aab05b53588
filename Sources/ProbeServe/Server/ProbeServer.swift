import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
public import ProbeKit
import ProbePlatform
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The exporter: answers what Prometheus' blackbox exporter answers.
public struct ProbeServer: Sendable {
    private let settings: ServeSettings
    private let routes: ServeRoutes
    private let current: CurrentConfiguration
    private let rounds: WatchRounds
    private let logger: Logger

    /// Creates a server, whose configuration is read.
    ///
    /// - Parameters:
    ///   - configuration: the file with the modules.
    ///   - policies: the policies that profiles can name.
    /// - Throws: ``InputError`` about the configuration.
    ///
    /// - Parameter isChecked: true if nobody is to be served, and the configuration alone is to be checked.
    public init(
        configuration: String, policies: [String: any Policy], settings: ServeSettings, backends: ServeBackends,
        isChecked: Bool = false
    ) throws(InputError) {
        let (clock, logger) = (ProbeClock.system, Logger(label: "serve"))
        self.settings = settings
        self.logger = logger
        current = try CurrentConfiguration(
            configuration, policies: policies, rules: settings.rules, readIdentity: backends.readIdentity, clock: clock,
            fail: { logger.error("\($0)") }, warn: { logger.warning("\($0)") })
        // A later configuration may have one: a start with the store at hand is in order.
        if settings.memory != nil, current.state.configuration.watch.items.isEmpty {
            logger.log(
                level: isChecked ? .warning : .info,
                "the store of verdicts is not used: the configuration watches nothing")
        }
        let board = WatchBoard(settings.memory, setup: settings.setup(with: backends.stacks))
        let slots = ProbeSlots(settings.concurrency)
        let late = LateTargets { logger.warning("\($0)") }
        let own = OwnMetrics(version: settings.version, started: clock.now)
        let prober = ModuleProbe(backends: backends, rules: settings.rules, clock: clock)
        routes = ServeRoutes(
            settings: settings, current: current, prober: prober, board: board, late: late, clock: clock,
            history: ProbeHistory(limit: settings.history), own: own, slots: slots)
        rounds = WatchRounds(
            current: current, board: board, prober: prober, slots: slots, own: own, clock: clock,
            refused: RefusedTargets { logger.warning("\($0)") }, late: late,
            concurrency: max(1, settings.concurrency / 2))
    }

    /// Serves until it is asked to end, and then ends what was begun. SIGHUP reads the configuration anew.
    ///
    /// - Parameters:
    ///   - end: returns when the server is to end.
    ///   - onListening: called with each URL that is listened on.
    public func run(
        until end: @escaping @Sendable () async -> Void, onListening: @escaping @Sendable (String) -> Void
    ) async throws {
        try await run(signals: true, onListening: onListening, until: end)
    }

    /// Serves, and handles SIGHUP only where the process is the server's own.
    func run(
        signals: Bool, onListening: @escaping @Sendable (String) -> Void,
        until end: (@Sendable () async -> Void)? = nil
    ) async throws {
        let channel = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ClientPresence(), ConnectionLimits(settings.patience), ConnectionPersistence(),
            ], idleTimeout: TimeAmount(settings.patience.idle),
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))
        let clear = HTTPServerBuilder.http1(configuration: channel)
        let builder = try settings.web.tls.map { try HTTPServerBuilder.tls(clear, tlsConfiguration: $0) } ?? clear
        let scheme = settings.web.tls == nil ? "http" : "https"
        let pending = Mutex(settings.addresses.count)
        let servers = settings.addresses.map { address in
            Application(
                router: routes.router(), server: builder,
                configuration: ApplicationConfiguration(
                    address: .hostname(address.host, port: address.port), serverName: "probe",
                    availableConnectionsDelegate: MaximumAvailableConnections(settings.connections)),
                onServerRunning: { channel in
                    onListening("\(scheme)://\(channel.localAddress.map(Self.text) ?? "\(address)")")
                    let isLast = pending.withLock { pending in
                        pending -= 1
                        return pending == 0
                    }
                    if isLast { await ServiceManager.notify("READY=1") }
                }, logger: logger)
        }
        var services: [any Service] = servers
        services.append(rounds)
        services.append(AnnouncedEnd())
        // Taken before anybody knows that the server listens.
        if signals {
            services.append(ReloadOnHangUp(current: current, signals: await UnixSignalsSequence(trapping: .sighup)))
        }
        var configuration = ServiceGroupConfiguration(
            services: [SimultaneousServices(services: services)], logger: logger)
        configuration.maximumGracefulShutdownDuration = settings.patience.probes
        let group = ServiceGroup(configuration: configuration)
        let running = Task { try await group.run() }
        let ending = Task {
            guard let end else { return }
            await end()
            await group.triggerGracefulShutdown()
            // A client that does not read its answers is not waited for any longer.
            try await probesEnd()
            running.cancel()
        }
        defer { ending.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await running.value
            } onCancel: {
                running.cancel()
            }
        } catch let error as IOError {
            let addresses = settings.addresses.map(\.description).joined(separator: ", ")
            throw InputError(
                "can't listen on \(addresses): \(unsafe String(cString: strerror(error.errnoCode)))",
                remedy: "choose an address of this machine, and a port that is free")
        }
    }

    /// Waits until no probe runs and the last answer could be read.
    private func probesEnd() async throws {
        repeat {
            while routes.slots.load != (0, 0) { try await Task.sleep(for: .milliseconds(50)) }
            try await Task.sleep(for: settings.patience.farewell)
        } while routes.slots.load != (0, 0)
    }

    private static func text(_ address: SocketAddress) -> String {
        let host = address.ipAddress ?? ""
        return "\(host.contains(":") ? "[\(host)]" : host):\(address.port ?? 0)"
    }
}

/// Reads the configuration anew at SIGHUP.
private struct ReloadOnHangUp: Service {
    let current: CurrentConfiguration
    let signals: UnixSignalsSequence

    func run() async throws {
        await withDiscardingTaskGroup { group in
            for await _ in signals.cancelOnGracefulShutdown() {
                // A failure is in the log already. One that hangs keeps no later signal waiting.
                group.addTask { try? await current.reload() }
            }
        }
    }
}

/// Tells the service manager when the server begins to end.
private struct AnnouncedEnd: Service {
    func run() async throws {
        try? await gracefulShutdown()
        await ServiceManager.notify("STOPPING=1")
    }
}
