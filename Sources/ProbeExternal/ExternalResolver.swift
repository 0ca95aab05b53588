public import ProbeKit

/// A DNS stack in a program of its own, over the program protocol.
///
/// A fault of the program is a failure with the code `backend-error`; it costs one query.
public struct ExternalResolver: Resolver, ProgramBackend {
    private let program: ExternalProgram

    /// The capabilities that the protocol has words for (PROTOCOL.md). A program is never asked for anything else,
    /// whatever it reports.
    static let spoken: Set<ResolverCapability> = [
        .rawReply, .chosenServers, .zonedServers, .httpsServers, .ednsSize, .bigEDNSSize, .withoutEDNS,
        .tcpOnTruncation, .failureReasons, .dnssecValidation,
    ]

    /// Starts a program and reads its identity.
    ///
    /// - Parameters:
    ///   - path: the program.
    ///   - name: the name it was found by, which it has to report as its own.
    /// - Throws: ``ProgramFault`` if it does not.
    public init(path: String, name: String) async throws(ProgramFault) {
        program = try await ExternalProgram(path: path, kind: .resolver, name: name)
    }

    /// Creates a resolver for a program that was found and can't be used: each query through it fails with the fault,
    /// and others continue.
    ///
    /// - Parameters:
    ///   - fault: the failure of its start.
    ///   - path: the program.
    ///   - name: the name it was found by.
    public init(unusable fault: ProgramFault, path: String, name: String) {
        self.init(unusable: fault, path: path, name: name, pause: ProgramLimits.pause)
    }

    /// - Parameters:
    ///   - patience: the time limit for each hello.
    ///   - pause: the time between two starts of the program until it can be used.
    package init(
        unusable fault: ProgramFault, path: String, name: String, patience: Duration = ProgramLimits.hello,
        pause: Duration
    ) {
        // All capabilities: otherwise it would be refused for a missing one, and not for its fault.
        program = ExternalProgram(
            unusable: fault, path: path, kind: .resolver, name: name, capabilities: Self.spoken.map(\.rawValue),
            patience: patience, pause: pause)
    }

    /// Creates a resolver for a program that this machine can't start, which is left out like one whose library is missing.
    ///
    /// - Parameters:
    ///   - absence: the reason and the remedy.
    ///   - path: the program.
    ///   - name: the name it was found by.
    package init(absent absence: BackendAbsence, path: String, name: String) {
        program = ExternalProgram(absent: absence, path: path, kind: .resolver, name: name)
    }

    /// The reason why this machine can't start the program; nil if it can be tried.
    public var absence: BackendAbsence? { program.absence }

    /// The reason why it never reported what it is; nil if it did.
    package var fault: ProgramFault? { program.fault }

    /// The faults that it was started anew after, in one sentence; nil if there were none.
    package var losses: String? { program.losses.sentence }

    /// The identity that the program reported.
    public var identity: BackendIdentity { program.hello.identity }

    /// The capabilities that the program reported, as far as the protocol has words for them.
    public var capabilities: Set<ResolverCapability> {
        Set(program.hello.capabilities.map(ResolverCapability.init)).intersection(Self.spoken)
    }

    /// Lets the program ask.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        let started = ContinuousClock.now
        do throws(ProgramFault) {
            return try await program.ask(
                ProgramQuestion(
                    "dns-query", WireDNSQuery(query), needs: Set(query.requiredCapabilities.map(\.rawValue)),
                    deadline: query.deadline)
            ) { try ProgramJSON.decode(WireDNSReply.self, $0.line).report(of: query) }
        } catch {
            let server = query.servers.first?.description ?? query.httpsServers.first?.description ?? "no server"
            return DNSReport(attempts: [
                DNSAttempt(
                    server: server, channel: .unknown, ednsSize: query.ednsSize, id: 0, reply: nil, native: nil,
                    failure: error.dnsFailure, duration: started.duration(to: .now))
            ])
        }
    }

    /// Lets the program exit; a question after that starts it again.
    public func stop() async { await program.stop() }
}
