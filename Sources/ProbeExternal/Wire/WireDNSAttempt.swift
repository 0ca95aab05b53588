import ProbeKit
import ProbePlatform

/// One exchange with a DNS server.
struct WireDNSAttempt: Decodable {
    struct Native: Decodable {
        let rcode: UInt16?
        let records: [[Data]]?
        let unreadable: String?
        let notAsked: String?
    }

    struct Validation: Decodable {
        let state: String
        let reason: String?
    }

    struct Failure: Decodable {
        let code: DNSFailure.Code
        let message: String
    }

    let server: String
    let channel: DNSAttempt.Channel
    let ednsSize: UInt16?
    let queryID: UInt16
    let reply: Data?
    let dropped: [String]?
    let native: Native?
    let dnssec: Validation?
    let failure: Failure?
    let duration: Double

    /// - Throws: ``WireError`` if a member does not make sense.
    func attempt() throws -> DNSAttempt {
        guard (reply == nil) != (failure == nil) else {
            throw WireError("an attempt has neither or both of reply and failure")
        }
        guard (reply == nil) == (native == nil) else { throw WireError("a reply comes with its native reading") }
        guard reply.map({ $0.count <= 65_535 }) ?? true else { throw WireError("a reply is larger than DNS has") }
        return DNSAttempt(
            server: PrintableText.escape(server), channel: channel, ednsSize: ednsSize, id: queryID,
            reply: reply.map { Array($0) }, dropped: (dropped ?? []).prefix(100).map(PrintableText.escape),
            native: try native.map(Self.reading), dnssec: try dnssec.map(Self.state),
            failure: failure.map { DNSFailure($0.code, PrintableText.escape($0.message)) },
            duration: try .wire(duration, "duration"))
    }

    private static func reading(_ native: Native) throws -> NativeDNSReading {
        switch (native.rcode, native.records, native.unreadable, native.notAsked) {
        case (let rcode?, let records?, nil, nil): .parsed(rcode: rcode, records: records.map { $0.map { Array($0) } })
        case (nil, nil, let reason?, nil): .unreadable(PrintableText.escape(reason))
        case (nil, nil, nil, let reason?): .notAsked(PrintableText.escape(reason))
        default: throw WireError("native is not one of a reading, unreadable and notAsked")
        }
    }

    private static func state(_ validation: Validation) throws -> DNSSECState {
        switch validation.state {
        case "secure": .secure
        case "insecure": .insecure
        case "bogus": .bogus(PrintableText.escape(validation.reason ?? "it does not say why"))
        default: throw WireError("'\(validation.state)' is not a state of validation")
        }
    }
}
