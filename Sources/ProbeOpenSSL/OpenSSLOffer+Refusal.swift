package import ProbeKit
import ProbeNet

extension OpenSSLOffer {
    /// Returns the reason why this OpenSSL can't send a request's offer, for a library that is built on it.
    package static func refusal(_ request: HandshakeRequest) -> HandshakeFailure? {
        OfferCheck.refusal(request) { () throws(HandshakeFailure) in
            let context: OpenSSLContext
            do throws(OpenSSLError) {
                context = try OpenSSLContext()
            } catch {
                throw error.backendFailure
            }
            return try OpenSSLEngine(request, context: context, anchors: OpenSSLAnchors())
        }
    }
}
