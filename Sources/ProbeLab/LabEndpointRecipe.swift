import ProbeKit

/// An endpoint of the lab as data, before it has an address.
struct LabEndpointRecipe {
    let id: String
    let sentence: String
    let peer: LabPeer
    var name = "good.test"
    /// The key to pin instead of the leaf's.
    var pinned: LabKeyID?
    /// The security model to look for in DNS.
    var model: String?
    let expected: Outcome
    var reason: String?
    /// The outcome through transports that are known to differ, by their name.
    var deviations: [String: Outcome] = [:]

    /// The endpoints of `probe lab`.
    static let demonstration: [LabEndpointRecipe] = [
        accepted("good", "nothing is wrong with it", LabTLSRecipe(.good)),
        accepted("tls12-only", "speaks TLS 1.2 and nothing newer", LabTLSRecipe(.rsa2048, versions: .tls12 ... .tls12)),
        accepted("same-key", "the good certificate renewed with the same key", LabTLSRecipe(.renewedSameKey)),
        LabEndpointRecipe(
            id: "wrong-pin", sentence: "like good, probed with the pin of another key",
            peer: .tls(LabTLSRecipe(.good)), pinned: .backup, expected: .pinMismatch),
        LabEndpointRecipe(
            id: "new-key", sentence: "the good certificate renewed with a new key, probed with the old pin",
            peer: .tls(LabTLSRecipe(.renewedNewKey)), pinned: LabIdentityName.good.recipe.leaf.key,
            expected: .pinMismatch),
        distrusted("expired", "the leaf expired a day ago", .expired, .expired),
        distrusted("not-yet-valid", "the leaf is valid from tomorrow", .notYetValid, .notYetValid),
        distrusted("wrong-name", "the leaf is for wrong.test", .wrongName, .hostnameMismatch),
        distrusted("unknown-issuer", "issued below a root nobody trusts", .unknownIssuer, .unknownIssuer),
        distrusted("missing-intermediate", "the leaf comes alone", .missingIntermediate, .unknownIssuer),
        distrusted("self-signed", "the leaf is its own issuer", .selfSigned, .selfSigned),
        distrusted(
            "weak-key", "the leaf's key is RSA-1024, which BoringSSL accepts", .rsa1024, .weakKey,
            deviations: ["nio": .stacksDisagree]),
        LabEndpointRecipe(
            id: "model-listed", sentence: "like good, probed for a model that is on the list",
            peer: .tls(LabTLSRecipe(.good)), model: "tampa", expected: .pass),
        LabEndpointRecipe(
            id: "model-not-listed", sentence: "like good, probed for a model that was taken off the list",
            peer: .tls(LabTLSRecipe(.good)), model: "visby", expected: .modelNotListed),
        refused("silent", "accepts and never speaks", .silent, .handshakeTimeout),
        refused("reset", "resets the connection after the ClientHello", .resetsAfterHello, .connectionReset),
        refused("closing", "closes in the middle of its ServerHello", .closesMidHandshake, .connectionClosed),
        refused("plaintext", "answers as a web server without TLS does", .plainHTTP, .notTLS),
        refused("alert", "refuses with the alert handshake_failure", .alert(.handshakeFailure), .alertReceived),
        LabEndpointRecipe(
            id: "dead-port", sentence: "nobody listens", peer: .dead, expected: .unreachable,
            reason: HandshakeFailure.Code.connectionRefused.rawValue),
    ]

    private static func accepted(_ id: String, _ sentence: String, _ recipe: LabTLSRecipe) -> LabEndpointRecipe {
        LabEndpointRecipe(id: id, sentence: sentence, peer: .tls(recipe), expected: .pass)
    }

    private static func distrusted(
        _ id: String, _ sentence: String, _ identity: LabIdentityName, _ cause: TrustCause,
        deviations: [String: Outcome] = [:]
    ) -> LabEndpointRecipe {
        LabEndpointRecipe(
            id: id, sentence: sentence, peer: .tls(LabTLSRecipe(identity)), expected: .trustFailed,
            reason: cause.rawValue, deviations: deviations)
    }

    private static func refused(
        _ id: String, _ sentence: String, _ peer: LabPeer, _ code: HandshakeFailure.Code
    ) -> LabEndpointRecipe {
        LabEndpointRecipe(
            id: id, sentence: sentence, peer: peer, expected: .handshakeFailed, reason: code.rawValue)
    }
}
