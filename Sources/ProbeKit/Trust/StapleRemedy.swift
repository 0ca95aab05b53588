/// The changes of a server whose stapled OCSP response is missing or can't be used, in the same words for each verifier.
package enum StapleRemedy {
    /// None came, and a certificate demands one (RFC 7633).
    package static let missing =
        "turn on OCSP stapling on the server, or have the certificate reissued without the TLS feature"
    /// One came that can't be used.
    package static let unusable = "renew the stapled response on the server"
    /// The responder does not know the certificate.
    package static let unknown =
        "ask the CA why its responder does not know the certificate, or have it reissued without the TLS feature"

    /// Returns true for a change that leaves the chain as it is.
    package static func isOne(_ fix: String?) -> Bool { [missing, unusable, unknown].contains(fix) }
}
