public import ProbeKit
import ProbePlatform

/// A TLS stack in a program of its own, over the program protocol.
///
/// A fault of the program is a failure with the code `backend-error` and the fault's name as native code; it costs one
/// probe.
public struct ExternalTransport: Transport, ProgramBackend {
    private let program: ExternalProgram

    /// The capabilities that the protocol has words for (PROTOCOL.md). A program is never asked for anything else,
    /// whatever it reports.
    static let spoken: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .offer, .group, .ocspStaple, .handshakeSCTs, .keyReading,
        .trustEvaluation, .revocationLists, .verifiedPath, .clientCertificateRequest, .lateRefusal, .httpHead,
    ]

    /// Starts a program and reads its identity.
    ///
    /// - Parameters:
    ///   - path: the program.
    ///   - name: the name it was found by, which it has to report as its own.
    /// - Throws: ``ProgramFault`` if it does not.
    public init(path: String, name: String) async throws(ProgramFault) {
        try await self.init(path: path, name: name, patience: ProgramLimits.hello)
    }

    /// - Parameter patience: the time limit for each hello.
    package init(path: String, name: String, patience: Duration) async throws(ProgramFault) {
        program = try await ExternalProgram(path: path, kind: .transport, name: name, patience: patience)
    }

    /// Creates a transport for a program that was found and can't be used: each probe through it fails with the fault,
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
            unusable: fault, path: path, kind: .transport, name: name, capabilities: Self.spoken.map(\.rawValue),
            patience: patience, pause: pause)
    }

    /// Creates a transport for a program that this machine can't start, which is left out like one whose library is missing.
    ///
    /// - Parameters:
    ///   - absence: the reason and the remedy.
    ///   - path: the program.
    ///   - name: the name it was found by.
    package init(absent absence: BackendAbsence, path: String, name: String) {
        program = ExternalProgram(absent: absence, path: path, kind: .transport, name: name)
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
    public var capabilities: Set<TransportCapability> {
        Set(program.hello.capabilities.map(TransportCapability.init)).intersection(Self.spoken)
    }

    /// Lets the program do a handshake, and approves its HTTP request if there is one to make.
    public func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        do throws(HandshakeFailure) {
            try request.checkOffer()
            try checkZone(of: request.endpoint)
        } catch {
            return HandshakeReport(failure: error)
        }
        let approve = request.exchange.map { exchange in
            { @Sendable (line: Data) async throws in
                let report = try ProgramJSON.decode(WireHandshakeReply.self, line).report.report(of: request)
                return await exchange.isApproved(report)
            }
        }
        let question = ProgramQuestion(
            "handshake", WireHandshakeQuestion(request), needs: Self.names(request.requiredCapabilities),
            deadline: request.deadline, approve: approve)
        do throws(ProgramFault) {
            return try await program.ask(question) {
                let report = try ProgramJSON.decode(WireHandshakeReply.self, $0.line).report.report(of: request)
                return try Self.exchanged(report, of: request, approval: $0.approval)
            }
        } catch {
            return HandshakeReport(failure: error.handshakeFailure)
        }
    }

    /// Refuses an address with a zone, for which the protocol has no word: without its interface a program would dial
    /// another place or none (RFC 4007 section 6), and a good server would seem to be away.
    private func checkZone(of endpoint: Endpoint) throws(HandshakeFailure) {
        guard endpoint.zone != nil else { return }
        throw HandshakeFailure(
            .unsupported, "\(name) can't dial \(endpoint): the interface of an address is not passed to programs")
    }

    /// Returns a report with the result of its HTTP request, where one was to be made: without it the server's time would be
    /// lost without a word.
    ///
    /// - Parameter approval: the answer that the program had to its question for one; nil if it had none.
    /// - Throws: ``WireError`` for a request that nobody approved, and for one that is missing.
    static func exchanged(
        _ report: HandshakeReport, of request: HandshakeRequest, approval: Bool?
    ) throws -> HandshakeReport {
        guard approval == true || report.http == nil else {
            throw WireError("it reports an HTTP exchange that nobody approved")
        }
        let isDue = request.exchange != nil && approval != false && report.failure == nil
        guard isDue, report.http == nil else { return report }
        guard request.deadline.remaining <= .zero else {
            throw WireError(
                approval == nil
                    ? "it completed the handshake and did not wait for the approval of its HTTP request"
                    : "it lacks 'report.http', and the HTTP request was approved")
        }
        var report = report
        report.http = HTTPReport(.unavailable(reason: HTTPExchange.lateness))
        return report
    }

    /// Lets the program decide on a chain.
    @concurrent public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        let asked = ProgramQuestion(
            "evaluate-trust", WireTrustQuestion(question),
            needs: Self.names(question.requiredCapabilities.union([.trustEvaluation])), deadline: Self.limit)
        do throws(ProgramFault) {
            return try await program.ask(asked) { try ProgramJSON.decode(WireTrustReply.self, $0.line).trust.reading() }
        } catch {
            return error.unansweredTrust
        }
    }

    /// Lets the program read a key.
    public func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        let asked = ProgramQuestion(
            "read-key", WireKeyQuestion(certificate: Data(certificate)), needs: Self.names([.keyReading]),
            deadline: Self.limit)
        do throws(ProgramFault) {
            return try await program.ask(asked) { try ProgramJSON.decode(WireKeyReply.self, $0.line).key.reading() }
        } catch {
            return .unanswered("\(error)")
        }
    }

    /// Lets the program exit; a question after that starts it again.
    public func stop() async { await program.stop() }

    /// The time limit of a question without a deadline of its own.
    private static let offline = Duration.seconds(10)

    /// The deadline of such a question: within a probe no later than the probe's.
    private static var limit: Deadline {
        let own = Deadline.after(offline)
        return Deadline.ofProbe.map { min($0, own) } ?? own
    }

    private static func names(_ capabilities: Set<TransportCapability>) -> Set<String> {
        Set(capabilities.map(\.rawValue))
    }
}
