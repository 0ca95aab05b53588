public import ProbeKit

/// What libcurl's own pin check says about a key that we read.
public enum CurlPinDecision: Hashable, Sendable {
    /// libcurl finds the same key in the leaf.
    case confirmed
    /// libcurl finds another key in the leaf: one of the two readings is wrong (gotcha G3).
    case denied
    /// libcurl never got to the pin.
    case unanswered(HandshakeFailure)
}
