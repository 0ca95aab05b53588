import Crypto
import ProbeKit

/// One connection of a TLS 1.2 server whose first flight is ours to choose. It has one kind of suite, ECDHE over P-256 with
/// AES-128-GCM and SHA-256, and only what complete handshakes need.
final class TLS12Server {
    private enum Stage { case hello, keyExchange, cipherChange, finished, open }

    /// The most bytes of a record's body, an encrypted one's (RFC 5246 section 6.2.3).
    private static let longestRecord = 0x4000 + 2048
    /// The most bytes of a client's handshake message, which may claim 16 MiB.
    private static let longestMessage = 0x10000

    private let identity: LabIdentity
    private let flight: LabFlight
    private let key = P256.KeyAgreement.PrivateKey()
    private var stage = Stage.hello
    /// The beginning of a record.
    private var rest: ArraySlice<UInt8> = []
    /// The beginning of a handshake message.
    private var fragments: [UInt8] = []
    /// The handshake messages so far.
    private var transcript: [UInt8] = []
    private var clientRandom: [UInt8] = []
    private var serverRandom: [UInt8] = []
    private var secrets: TLS12Secrets?

    init(_ identity: LabIdentity, _ flight: LabFlight) {
        self.identity = identity
        self.flight = flight
    }

    /// Takes bytes of the client, and continues.
    func take(_ bytes: [UInt8]) -> LabMemoryServer.Answer {
        rest += bytes
        var answer = LabMemoryServer.Answer()
        do {
            while !answer.isOver, let record = try nextRecord() { try play(record.type, record.body, &answer) }
        } catch {
            answer.isOver = true
        }
        return answer
    }

    private func nextRecord() throws -> (type: UInt8, body: [UInt8])? {
        var input = OctetReader(rest)
        guard let type = input.number(1), input.number(2) != nil, let length = input.number(2) else { return nil }
        guard length <= Self.longestRecord, type != 22 || length > 0 else {
            throw LabError.unreadable("a record of type \(type) has \(length) bytes")
        }
        guard let body = input.take(Int(length)) else { return nil }
        rest = rest[input.position...]
        return (type: UInt8(type), body: Array(body))
    }

    private func play(_ type: UInt8, _ body: [UInt8], _ answer: inout LabMemoryServer.Answer) throws {
        switch (stage, type) {
        case (.hello, 22):
            guard let message = try wholeMessage(endingIn: body) else { return }
            answer.sent += try reply(to: message)
            stage = .keyExchange
        case (.keyExchange, 22):
            guard let message = try wholeMessage(endingIn: body) else { return }
            try agree(message)
            stage = .cipherChange
        case (.cipherChange, 20):
            stage = .finished
        case (.finished, 22):
            answer.sent += try finish(body)
            stage = .open
        case (.open, 23):
            answer.received += try open(type, body)
        case (.open, 21):
            // close_notify, which answers the client's.
            answer.sent += try sealed(type, [1, 0])
            answer.isOver = true
        default:
            throw LabError.unreadable("a record of type \(type) comes out of order")
        }
    }

    /// Returns the client's message once it is whole, and adds it to the transcript.
    private func wholeMessage(endingIn fragment: [UInt8]) throws -> [UInt8]? {
        fragments += fragment
        guard fragments.count <= Self.longestMessage else {
            throw LabError.unreadable("a handshake message has more than \(Self.longestMessage) bytes")
        }
        var input = OctetReader(fragments[...])
        guard input.number(1) != nil, input.vector(3) != nil else { return nil }
        let message = Array(fragments.prefix(input.position))
        fragments = []
        transcript += message
        return message
    }

    private func reply(to hello: [UInt8]) throws -> [UInt8] {
        var input = OctetReader(hello[...])
        guard input.number(1) == 1, input.take(5) != nil, let random = input.take(32) else {
            throw LabError.unreadable("the first message is not a ClientHello")
        }
        clientRandom = Array(random)
        let own = try TLS12Flight(
            flight, of: identity, share: Array(key.publicKey.x963Representation), to: clientRandom)
        serverRandom = own.random
        transcript += own.messages.flatMap(\.self)
        return own.messages.flatMap { TLS12Format.record(22, $0) }
    }

    private func agree(_ message: [UInt8]) throws {
        var input = OctetReader(message[...])
        guard input.number(1) == 16, input.take(3) != nil, let point = input.vector(1) else {
            throw LabError.unreadable("the second message is not a ClientKeyExchange")
        }
        let share = try P256.KeyAgreement.PublicKey(x963Representation: Array(point))
        let premaster = SymmetricKey(data: try key.sharedSecretFromKeyAgreement(with: share))
        secrets = TLS12Secrets(premaster: premaster, clientRandom: clientRandom, serverRandom: serverRandom)
    }

    /// Returns ChangeCipherSpec and Finished, which answer the client's.
    private func finish(_ body: [UInt8]) throws -> [UInt8] {
        let message = try open(22, body)
        guard let secrets, message == secrets.finished("client finished", over: transcript) else {
            throw LabError.unreadable("the client's Finished has another value")
        }
        transcript += message
        return try TLS12Format.record(20, [1]) + sealed(22, secrets.finished("server finished", over: transcript))
    }

    private func open(_ type: UInt8, _ body: [UInt8]) throws -> [UInt8] {
        guard let content = try secrets?.client.open(type, body) else {
            throw LabError.unreadable("a record was encrypted without keys")
        }
        return content
    }

    private func sealed(_ type: UInt8, _ content: [UInt8]) throws -> [UInt8] {
        guard let body = try secrets?.server.seal(type, content) else {
            throw LabError.unreadable("a record is to be encrypted without keys")
        }
        return TLS12Format.record(type, body)
    }
}
