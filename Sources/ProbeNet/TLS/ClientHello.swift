package import ProbeKit

/// A ClientHello as it goes over the wire (RFC 8446 section 4.1.2), as far as an offer is concerned.
package struct ClientHello: Hashable, Sendable {
    /// The `legacy_version`: the newest version, where ``supportedVersions`` is nil.
    package var legacyVersion: UInt16
    /// The cipher suites, without GREASE and signalling values.
    package var cipherSuites: [UInt16]
    /// The versions of `supported_versions`, without GREASE; nil without the extension.
    package var supportedVersions: [UInt16]?
    /// The groups of `supported_groups`, without GREASE; nil without the extension.
    package var groups: [UInt16]?
    /// The schemes of `signature_algorithms`, without GREASE; nil without the extension.
    package var signatureSchemes: [UInt16]?
    /// The names of `application_layer_protocol_negotiation`; nil without the extension.
    package var alpn: [String]?

    /// TLS_EMPTY_RENEGOTIATION_INFO_SCSV and TLS_FALLBACK_SCSV.
    private static let signals: Set<UInt16> = [0x00ff, 0x5600]

    /// Reads the beginning of what a client sends; nil if it is not a whole ClientHello.
    ///
    /// - Parameter records: TLS records; what follows the message is ignored.
    package init?(records: [UInt8]) {
        var input = OctetReader(records[...])
        var fragments: ArraySlice<UInt8> = []
        while let type = input.number(1), type == 22, input.number(2) != nil, let fragment = input.vector(2) {
            fragments += fragment
        }
        var message = OctetReader(fragments)
        guard message.number(1) == 1, var body = message.vector(3).map({ OctetReader($0) }),
            let version = body.number(2), body.take(32) != nil, body.vector(1) != nil,
            let suites = body.vector(2), body.vector(1) != nil
        else { return nil }
        legacyVersion = UInt16(version)
        cipherSuites = Self.codePoints(suites).filter { !Self.signals.contains($0) }
        var extensions = OctetReader(body.vector(2) ?? [])
        while let type = extensions.number(2), var content = extensions.vector(2).map({ OctetReader($0) }) {
            switch type {
            case 10: groups = content.vector(2).map(Self.codePoints)
            case 13: signatureSchemes = content.vector(2).map(Self.codePoints)
            case 16: alpn = content.vector(2).map(Self.names)
            case 43: supportedVersions = content.vector(1).map(Self.codePoints)
            default: break
            }
        }
    }

    private static func codePoints(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        var rest = OctetReader(bytes)
        var points: [UInt16] = []
        while let point = rest.number(2) { points.append(UInt16(point)) }
        // GREASE is two equal bytes that end in a (RFC 8701 section 2).
        return points.filter { $0 & 0x0f0f != 0x0a0a || $0 >> 8 != $0 & 0xff }
    }

    private static func names(_ bytes: ArraySlice<UInt8>) -> [String] {
        var rest = OctetReader(bytes)
        var names: [String] = []
        while let name = rest.vector(1) { names.append(String(decoding: name, as: UTF8.self)) }
        return names
    }
}

extension ClientHello {
    /// Returns the first difference of the message from a request's offer, as a refusal to send it; nil if they are equal.
    package func contradiction(of request: HandshakeRequest) -> HandshakeFailure? {
        guard let offer = request.offer else { return nil }
        if offer.versions != nil, let failure = versionContradiction(of: request.versions) { return failure }
        return Self.compare(cipherSuites, offer.cipherSuites, .cipherSuites, "cipher suites")
            ?? Self.compare(groups ?? [], offer.groups, .groups, "groups")
            ?? Self.compare(
                signatureSchemes ?? [], offer.signatureAlgorithms, .signatureSchemes, "signature algorithms")
            ?? Self.compare(alpn ?? [], offer.alpn, "application protocols")
    }

    private func versionContradiction(of wanted: ClosedRange<TLSVersion>) -> HandshakeFailure? {
        let names = TLSVersion.allCases.filter(wanted.contains).map(\.rawValue)
        func name(_ value: UInt16) -> String {
            TLSVersion(wireValue: value)?.rawValue ?? "0x" + Hex.encode([UInt8(value >> 8), UInt8(value & 0xff)])
        }
        // Without the extension the message names only the newest.
        let sent = supportedVersions.map { $0.sorted().map(name) } ?? [name(legacyVersion)]
        return Self.compare(
            sent, supportedVersions == nil ? [wanted.upperBound.rawValue] : names, "protocol versions")
    }

    private static func compare(
        _ sent: [UInt16], _ wanted: [String]?, _ registry: ClientOffer.Registry, _ what: String
    ) -> HandshakeFailure? {
        // By number: names may be in any case.
        compare(
            sent.map(registry.name), wanted?.map { registry.number(of: $0).map(registry.name) ?? $0 }, what)
    }

    private static func compare(_ sent: [String], _ wanted: [String]?, _ what: String) -> HandshakeFailure? {
        guard let wanted, sent != wanted else { return nil }
        return .wouldOffer(sent, insteadOf: wanted, what)
    }
}

/// The check, before anything is sent, that a stack sends a request's offer as it is: the ClientHello that an engine would
/// send is compared with it.
package enum OfferCheck: Sendable {
    /// Returns the reason why the offer can't be sent; nil if it can, or the request has none.
    package static func refusal(
        _ request: HandshakeRequest, makeEngine: () throws(HandshakeFailure) -> any HandshakeEngine
    ) -> HandshakeFailure? {
        guard request.offer != nil else { return nil }
        do throws(HandshakeFailure) {
            try request.checkOffer()
            let engine = try makeEngine()
            if case .failed(let failure) = engine.advance() {
                // Before a peer has said anything, the library has refused its own settings.
                return .unsendableOffer(failure.message, nativeCode: failure.nativeCode)
            }
            guard let hello = ClientHello(records: engine.takeOutput()) else {
                return HandshakeFailure(.backendError, "the stack's ClientHello can't be read")
            }
            return hello.contradiction(of: request)
        } catch {
            return error
        }
    }
}
