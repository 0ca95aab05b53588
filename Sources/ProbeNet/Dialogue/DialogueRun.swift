import ProbeKit

/// The dialogues of one connection before TLS: a proxy's, then that of the protocol that starts it.
struct DialogueRun {
    private var input = DialogueInput()
    private var dialogues: [any Dialogue]
    private var received = 0
    /// True if the peer of the dialogue under way has sent something, and if it was sent something: a proxy is not the server
    /// behind it.
    private(set) var didReceive = false
    private var didSend = false

    /// The result of the peer's bytes.
    enum Progress {
        /// More bytes have to come; these are to be sent.
        case waits(sending: [UInt8])
        /// TLS may begin once these are sent.
        case ready(sending: [UInt8])
        case failed(HandshakeFailure)
    }

    /// Creates the dialogues of a request; nil if it has none.
    ///
    /// - Parameter target: the endpoint to ask a proxy for.
    init?(_ request: HandshakeRequest, to target: Endpoint) {
        dialogues = []
        if let proxy = request.route.proxy { dialogues.append(ProxyDialogues.of(proxy, to: target)) }
        if let known = request.startTLS { dialogues.append(StartTLSDialogue.of(known, for: request.nameBeforeTLS)) }
        guard !dialogues.isEmpty else { return nil }
    }

    /// Takes the peer's bytes; called first with none, once the connection is there.
    mutating func receive(_ bytes: some Collection<UInt8>) -> Progress {
        guard var current = dialogues.first else { return .ready(sending: []) }
        received += bytes.count
        guard received <= DialogueLimits.dialogue else {
            return .failed(current.violation("it sent more than \(DialogueLimits.dialogue) bytes before TLS"))
        }
        input.append(bytes)
        didReceive = didReceive || !bytes.isEmpty
        var output: [UInt8] = []
        do throws(HandshakeFailure) {
            while true {
                switch try current.advance(&input) {
                case .waits:
                    dialogues[0] = current
                    return .waits(sending: output)
                case .says(let bytes):
                    output += bytes
                    didSend = didSend || !bytes.isEmpty
                    guard bytes.isEmpty || input.isEmpty || current.mayPrecede(input.rest) else {
                        return .failed(current.violation("it went on before it was asked"))
                    }
                case .ready(let bytes):
                    output += bytes
                    dialogues.removeFirst()
                    guard let next = dialogues.first else {
                        guard input.isEmpty else { return .failed(Self.excess(input.rest, after: current)) }
                        return .ready(sending: output)
                    }
                    current = next
                    (didReceive, didSend) = (!input.isEmpty, false)
                }
            }
        } catch {
            return .failed(error)
        }
    }

    /// The proxy's dialogue, if it is under way.
    private var proxy: (any ProxyDialogue)? { dialogues.first as? any ProxyDialogue }

    /// Returns the failure of a connection that ended now.
    func closed(_ reason: String) -> HandshakeFailure? { proxy?.vain(reason) }

    /// Returns the failure of dialogues that were not over by the deadline.
    func timeout(_ request: HandshakeRequest) -> HandshakeFailure {
        if let proxy {
            return proxy.vain(
                didReceive
                    ? "its answer was not complete before the deadline" : "it did not answer before the deadline")
        }
        guard !didReceive else {
            let subject = request.startTLS?.rawValue ?? "before TLS"
            return HandshakeFailure(
                .handshakeTimeout, "the dialogue of \(subject) was not over before the deadline")
        }
        let silent = HandshakeFailure.silent(didReceive: false)
        guard !didSend else { return silent }
        return HandshakeFailure(
            silent.code, "\(silent.message); a port that speaks TLS from its first byte waits for the client",
            cause: .noGreeting)
    }

    /// Returns the failure of a connection on which bytes follow the last answer, where only TLS may.
    private static func excess(_ bytes: ArraySlice<UInt8>, after last: any Dialogue) -> HandshakeFailure {
        guard let proxy = last as? any ProxyDialogue else { return injection(bytes) }
        // A server behind the proxy may have spoken first.
        if HandshakeFailure.ClearText(greeting: bytes) != nil { return .notTLS(bytes) }
        return proxy.violation("bytes follow its answer: \"\(MasterFileText.escape(Array(bytes.prefix(40))))\"")
    }

    /// Returns the failure of a connection on which bytes in clear text came when only TLS may.
    static func injection(_ bytes: some Collection<UInt8>) -> HandshakeFailure {
        HandshakeFailure(
            .startTLSInjection,
            "clear text follows the go-ahead for TLS: \"\(MasterFileText.escape(Array(bytes.prefix(40))))\"")
    }
}
