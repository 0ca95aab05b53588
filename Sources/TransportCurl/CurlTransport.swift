import ProbeCurl
public import ProbeKit
import ProbeNet
import ProbeOpenSSL
import ProbePins

/// libcurl as a transport, built with OpenSSL, as the clients that ship it use it.
///
/// Features without a libcurl option use its documented access to OpenSSL, `CURLOPT_SSL_CTX_FUNCTION`: the whole chain
/// where libcurl would have closed the connection, validity at the request's instant, any application protocol,
/// staples. It can't judge a chain without a connection; see ``evaluateTrust(_:)``. Revocation is not judged, as in
/// every client that does not set `CURLOPT_SSL_VERIFYSTATUS`.
public struct CurlTransport: KeyConfirming {
    /// The thread that the transfers share, started for the first of them: libcurl is not opened before.
    private let shared = Once<CurlMulti>()
    private let anchors: OpenSSLAnchors
    /// Makes the engines of the TLS with a proxy.
    private let makeEngine: EngineMaker

    /// Creates a transport; libcurl is opened for the first question, and has a thread that ends with the last copy. If it
    /// can't be set up, each handshake fails with the code `backend-error`.
    public init() {
        anchors = OpenSSLAnchors()
        makeEngine = OpenSSLEngine.maker(anchors)
    }

    /// `curl`, with the versions of the loaded library and of OpenSSL below it.
    public var identity: BackendIdentity { CurlLibrary.identity(name) }
    /// `curl`.
    public var name: String { "curl" }
    /// The absence of libcurl over OpenSSL, or of OpenSSL.
    public var absence: BackendAbsence? { CurlLibrary.absence ?? OpenSSLLibrary.absence }

    /// All facts of a report, most of them through the SSL context; HTTP if this libcurl supports HTTP/2.
    public var capabilities: Set<TransportCapability> {
        var capabilities: Set<TransportCapability> = [
            .presentedChain, .sni, .alpn, .versionRange, .group, .ocspStaple, .handshakeSCTs, .keyReading,
            .trustEvaluation, .verifiedPath, .clientCertificateRequest, .lateRefusal, .pinCheck, .revocationLists,
            .policyInputs, .startTLS, .clientIdentity, .offer, .proxy, .localSocket,
        ]
        if CurlLibrary.speaksHTTP2 { capabilities.insert(.httpHead) }
        return capabilities
    }

    /// Makes one full handshake over TCP, with libcurl's own decision on chain and name, and the HTTP exchange if there
    /// is one to make. libcurl makes the request itself, on the same connection, and only if it accepts the name,
    /// whatever else was approved.
    public func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        if let absence { return HandshakeReport(failure: absence.handshakeFailure) }
        guard let exchange = request.exchange else { return await run(request, confirming: nil).report }
        return await handshake(request, exchange)
    }

    /// Not inlined, like all that follows with this mark: its variables would be part of the memory of every waiting handshake.
    @inline(never) private func handshake(
        _ request: HandshakeRequest, _ exchange: HTTPExchange
    ) async -> HandshakeReport {
        let gate = CurlGate(until: request.deadline)
        async let transfer = handshake(request, exchange, gate)
        var isApproved = false
        for await question in gate.questions {
            isApproved = await exchange.isApproved(question)
            gate.answer(isApproved)
        }
        // Cancelled: nothing else would resume the thread.
        gate.answer(false)
        var report = await transfer
        // A client that was refused before the request has none.
        if isApproved, report.http == nil, report.failure?.isAfterHandshake != true {
            report.http = HTTPReport(.unavailable(reason: HTTPExchange.lateness))
        }
        return report
    }

    /// Runs on a thread of its own, which blocks until the request is approved.
    private func handshake(
        _ request: HandshakeRequest, _ exchange: HTTPExchange, _ gate: CurlGate
    ) async -> HandshakeReport {
        defer { gate.close() }
        let own: CurlMulti
        do throws(CurlError) {
            own = try CurlMulti()
        } catch {
            return HandshakeReport(failure: error.backendFailure)
        }
        let opening = await CurlOpening.of(request, makeEngine: makeEngine)
        if let report = opening?.report, report.failure != nil { return report }
        let patience = HandshakeLimits.refusalPatience
        var report = await own.run(by: request.deadline, overdue: { .overdue(request) }) {
            [anchors] () -> CurlStart<CurlHandshake> in
            do throws(HandshakeFailure) {
                let head = CurlHead(exchange, gate)
                return .begun(
                    try CurlHandshake(request, over: opening, head: head, anchors: anchors, patience: patience))
            } catch {
                return .over(.init(failure: error))
            }
        }.report
        if let failure = report.failure { report.failure = await Self.addingLookupReason(to: failure, for: request) }
        return report
    }

    /// Returns the result of libcurl's settings for a chain, without a connection.
    ///
    /// libcurl has no such call. OpenSSL verifies the chain, with the options libcurl sets; the name is compared by
    /// libcurl's rules, implemented in `CurlNameRule`. A test compares both with libcurl's results in real handshakes.
    @concurrent public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        if let absence { return .unanswered(absence.description) }
        return CurlTrust.evaluate(question, anchors: anchors)
    }

    /// SHA-256 of the same library.
    public var digester: (any Digester)? { OpenSSLDigester() }

    /// Returns the key as the OpenSSL below libcurl would encode it.
    public func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        if let absence { return .unanswered(absence.description) }
        return OpenSSLCertificates.readKey(of: certificate)
    }

    /// Returns the result of `CURLOPT_PINNEDPUBLICKEY` for the key that we read. libcurl needs the pin before it has
    /// seen the server, hence the connection, and would not check it if chain or name were rejected, hence no judgement
    /// of those.
    public func confirmKey(ofLeaf leaf: [UInt8], _ request: HandshakeRequest) async -> KeyConfirmation {
        if let absence { return .unanswered(absence.handshakeFailure) }
        let spki: PinDigest
        do throws(CertificateFormatError) {
            spki = try CertificateDigests(certificate: leaf.span, digester: SwiftCryptoDigester()).spki
        } catch {
            return .unanswered(HandshakeFailure(.backendError, "the leaf is not a certificate: \(error)"))
        }
        let outcome = await run(request, confirming: spki)
        guard outcome.report.failure == nil, outcome.report.chain.first == leaf else {
            return .unanswered(
                outcome.report.failure
                    ?? HandshakeFailure(.backendError, "the server presents another leaf by now"))
        }
        return outcome.matchesPin ? .confirmed : .denied
    }

    /// Makes one handshake on libcurl's thread.
    ///
    /// - Parameter pin: the pin for libcurl's pin check, instead of the name check; nil skips it.
    func run(_ request: HandshakeRequest, confirming pin: PinDigest?) async -> CurlHandshake.Outcome {
        let multi: CurlMulti
        do throws(CurlError) {
            multi = try shared.value { () throws(CurlError) in try CurlMulti() }
        } catch {
            return .init(failure: error.backendFailure)
        }
        let opening = await CurlOpening.of(request, makeEngine: makeEngine)
        if let opening, opening.report.failure != nil { return .init(report: opening.report) }
        let (before, allowed, patience) = (multi.lost, request.deadline.remaining, HandshakeLimits.refusalPatience)
        let outcome = await multi.run(by: request.deadline, overdue: { .overdue(request) }) {
            [anchors] () -> CurlStart<CurlHandshake> in
            do throws(HandshakeFailure) {
                return .begun(
                    try CurlHandshake(
                        request, over: opening, confirming: pin, anchors: anchors, patience: patience))
            } catch {
                return .over(.init(failure: error))
            }
        }
        return outcome.report.failure == nil
            ? outcome : await Self.explained(outcome, request, lost: multi.lost - before, of: allowed)
    }

    /// Returns a failed outcome with the reason for its failure: not the server's, if the thread had no time to hear it.
    @inline(never) private static func explained(
        _ outcome: CurlHandshake.Outcome, _ request: HandshakeRequest, lost: Duration, of allowed: Duration
    ) async -> CurlHandshake.Outcome {
        var report = outcome.report
        if let failure = report.failure {
            report.failure = await addingLookupReason(to: failure, for: request).attributed(lost: lost, of: allowed)
        }
        return .init(report: report, matchesPin: outcome.matchesPin)
    }

    /// Returns the failure with the reason why a name has no address, for which libcurl has one code whatever it was: the
    /// system's lookup, asked once more, reports whether the name has none or the lookup failed.
    private static func addingLookupReason(
        to failure: HandshakeFailure, for request: HandshakeRequest
    ) async -> HandshakeFailure {
        guard failure.code == .nameLookupFailed, case .dns(let name) = request.endpoint.host,
            case .failure(let reason) = await HostLookup.system.addresses(of: name, by: request.deadline)
        else { return failure }
        return reason.handshakeFailure(dialling: request.endpoint)
    }
}
