import ProbeKit

extension SurveyPart {
    /// Finds out whose order of cipher suites decides, by offering the server's choices in reverse, and whether it gives
    /// session tickets. Versions that are only kept for old clients are not worth the handshake.
    mutating func compareOrders(_ interview: inout Interview, through transports: [any Transport]) async {
        guard stop == nil, result.isOffered == true, version >= .tls12,
            let transport = transports.first(where: { $0.name == first })
        else { return }
        let names = result.cipherSuites.names
        let offer = ClientOffer(
            version, [.cipherSuites: names.reversed()],
            sessionTicket: transport.capabilities.contains(.sessionTicket))
        switch await interview.ask(offer, through: transport, about: version.rawValue) {
        case .accepted(let report):
            // A server that refuses this client gives it no ticket, whatever others get.
            if report.failure == nil { result.sessionTickets = report.sessionTicket }
            guard names.count > 1 else { return }
            result.order =
                switch report.cipherSuite {
                case names.first: .server
                case names.last: .client
                default: .mixed
                }
        case .stopped(let reason): stop = reason
        case .refused, .notAskable: break
        }
    }
}
