import ProbeKit

/// A step of one handshake, and its failure where the connection ends in it.
enum HandshakeStep {
    /// The dialogues before TLS.
    case dialogue(DialogueRun)
    /// The handshake itself.
    case tls(didReceive: Bool)
    /// The wait for a refusal, after a complete handshake.
    case refusal

    /// The failure if the peer closes the connection.
    var closed: HandshakeFailure {
        switch self {
        case .refusal: return .closedRightAfter
        case .tls(let didReceive): return .closed(didReceive: didReceive)
        case .dialogue(let run):
            if let failure = run.closed("it closed the connection") { return failure }
            let when = run.didReceive ? "during \(name)" : "before TLS"
            return HandshakeFailure(.connectionClosed, "the peer closed the connection \(when)")
        }
    }

    /// Returns the failure if the connection breaks.
    func broken(by error: any Error) -> HandshakeFailure {
        let broken = BrokenConnection(error)
        guard broken.isReset else {
            return HandshakeFailure(
                .connectionClosed, "the connection broke during \(name): \(broken.reason)",
                nativeCode: broken.nativeCode)
        }
        switch self {
        case .refusal: return .resetRightAfter(nativeCode: broken.nativeCode)
        case .tls: return .reset(nativeCode: broken.nativeCode)
        case .dialogue(let run):
            return run.closed("it reset the connection")
                ?? HandshakeFailure(
                    .connectionReset, "the peer reset the connection during \(name)", nativeCode: broken.nativeCode)
        }
    }

    /// Returns the failure if the deadline passes; nil if the handshake is complete, and was not refused.
    func timedOut(_ request: HandshakeRequest) -> HandshakeFailure? {
        switch self {
        case .refusal: nil
        case .tls(let didReceive): .silent(didReceive: didReceive)
        case .dialogue(let run): run.timeout(request)
        }
    }

    /// The step in words.
    private var name: String {
        switch self {
        case .dialogue: "the dialogue before TLS"
        case .tls, .refusal: "the handshake"
        }
    }
}
