public import ProbeKit
import ProbePlatform

extension LookupFailure {
    /// Returns the failure of a connection for which it was looked up.
    public func handshakeFailure(dialling endpoint: Endpoint) -> HandshakeFailure {
        if isAboutName {
            return HandshakeFailure(.nameNotFound, "no address for \(endpoint.host)", nativeCode: description)
        }
        if self == .late { return ConnectFailure.timeout("\(endpoint)") }
        if self == .outOfFiles { return ConnectFailure.of(errno: EMFILE, dialled: "\(endpoint)") }
        return HandshakeFailure(
            .nameLookupFailed, "the address of \(endpoint.host) could not be looked up", nativeCode: description)
    }
}
