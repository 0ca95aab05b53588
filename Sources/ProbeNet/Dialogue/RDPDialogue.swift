import ProbeKit

/// The negotiation of RDP's security (MS-RDPBCGR section 2.2.1.1).
struct RDPDialogue: StartingTLS {
    let known = StartTLS.rdp
    private var hasAsked = false

    /// A connection request that offers TLS, alone and below CredSSP.
    private static let request: [UInt8] = [
        3, 0, 0, 19, 14, 0xe0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 3, 0, 0, 0,
    ]

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        guard hasAsked else {
            hasAsked = true
            return .says(Self.request)
        }
        try refuseTLS(input)
        guard let first = input.rest.first else { return .waits }
        guard first == 3 else { throw otherProtocol(String(decoding: input.rest, as: UTF8.self)) }
        let header = Array(input.rest.prefix(4))
        guard header.count == 4 else { return .waits }
        let size = Int(header[2]) << 8 | Int(header[3])
        guard (11...DialogueLimits.message).contains(size) else { throw violation("its message has \(size) bytes") }
        guard let message = input.take(size) else { return .waits }
        guard message[5] == 0xd0 else { throw violation("its message does not confirm the connection") }
        // Without a negotiation it is the older security, which is not TLS.
        guard size >= 19 else { throw notOffered }
        switch message[11] {
        case 2 where message[15] & 0x0b != 0: return .ready()
        case 2: throw notOffered
        case 3: throw refusal("failure code \(message[15])")
        default: throw violation("it negotiates with a message of type \(message[11])")
        }
    }
}
