public import ProbeKit

/// Finds out what a server offers, by ClientHellos of its own choice, through stacks that can make them.
public struct Surveyor: Sendable {
    private let transports: [any Transport]
    private let lateness: (any LatenessMeter)?

    /// Creates a surveyor.
    ///
    /// - Parameters:
    ///   - transports: the stacks to ask through, preferred first; those that can't ask are left out.
    ///   - lateness: measures how late this process is itself, so that no server is blamed for it.
    public init(transports: [any Transport], lateness: (any LatenessMeter)? = nil) {
        self.transports = transports
        self.lateness = lateness
    }

    /// Surveys a server.
    public func survey(_ request: SurveyRequest) async -> Survey {
        var survey = Survey(request)
        survey.notAsked = ["SSL 2.0", "SSL 3.0", "cipher suites without a certificate", "certificate compression"]
        if let absence = request.absence {
            survey.stops = [Survey.Stop(part: "connection", code: absence.code.rawValue, message: absence.message)]
            return survey
        }
        var interview = Interview(request, lateness: lateness)
        let able = transports.filter { Self.missing(for: request, from: $0).isEmpty }
        survey.transports = able.map(\.name)
        survey.leftOut = transports.compactMap { transport in
            let missing = Self.missing(for: request, from: transport).map(\.rawValue).sorted()
            return missing.isEmpty ? nil : "\(transport.name) can't do \(missing.joined(separator: ", "))"
        }
        var parts = TLSVersion.allCases.sorted(by: >).map(SurveyPart.init)
        // The versions that most servers have come first: the handshakes may be used up before the rest.
        for index in parts.indices where !interview.isOver {
            let asksALPN = !parts[..<index].contains { $0.result.isOffered == true }
            await parts[index].goThrough(&interview, through: able, asksALPN: asksALPN)
            // Middle boxes drop what offers an old version.
            if parts[index].isUnanswered, parts[..<index].contains(where: { $0.result.isOffered == true }) {
                interview.forgive()
            }
        }
        for index in parts.indices where !interview.isOver {
            await parts[index].compareOrders(&interview, through: able)
        }
        for index in parts.indices where !interview.isOver {
            await parts[index].goThroughRest(&interview, through: able)
        }
        if !interview.hasAccepted {
            for index in parts.indices { parts[index].doubtRefusal() }
        }
        survey.handshakes = interview.handshakes
        survey.isCutShort = interview.isCutShort
        survey.address = interview.address
        survey.refusal = interview.refusal
        survey.wantsClientCertificate = interview.wantsClientCertificate
        survey.versions = parts.map(\.result)
        let asked = parts.first { !$0.alpn.accepted.isEmpty } ?? parts.first { $0.result.isOffered == true }
        survey.alpn = asked?.alpn ?? Survey.List()
        survey.stops = parts.compactMap(\.stop)
        return survey
    }

    /// The capabilities that the survey of a server needs and a stack lacks.
    public static func missing(
        for request: SurveyRequest, from transport: any Transport
    ) -> Set<TransportCapability> {
        var needed: Set<TransportCapability> = [.offer]
        if request.target.startTLS != nil { needed.insert(.startTLS) }
        needed.formUnion(request.clientIdentity?.requiredCapabilities ?? [])
        return needed.subtracting(transport.capabilities)
    }
}
