import NIOCore
import ProbeKit
import ProbePlatform
import Testing

@testable import ProbeNet

@Suite struct ConnectFailureTests {
    private func code(_ error: any Error) throws -> HandshakeFailure.Code {
        try failure(error).code
    }

    private func failure(_ error: any Error, dialled place: String = "it") throws -> HandshakeFailure {
        ConnectFailure.of(error, endpoint: try Endpoint("127.0.0.1:1", defaultPort: 443), dialled: place)
    }

    @Test(
        "a failure names what was dialled, and nothing else", arguments: [ENOENT, ECONNREFUSED, ETIMEDOUT, ECONNRESET])
    func places(number: CInt) throws {
        let message = try failure(IOError(errnoCode: number, reason: "connect"), dialled: "the socket /x").message
        #expect(message.contains("the socket /x") && !message.contains("127.0.0.1"))
    }

    @Test(
        "what this machine lacks says nothing about the server",
        arguments: [
            (EMFILE, .localOverload), (ENFILE, .localOverload), (ENOBUFS, .localOverload), (ENOMEM, .localOverload),
            (ECONNREFUSED, .connectionRefused), (ECONNRESET, .connectionReset), (ETIMEDOUT, .connectTimeout),
            (ENETUNREACH, .networkUnreachable), (EHOSTUNREACH, .networkUnreachable),
        ] as [(CInt, HandshakeFailure.Code)])
    func systemErrors(_ number: CInt, _ expected: HandshakeFailure.Code) throws {
        #expect(try code(IOError(errnoCode: number, reason: "connect")) == expected)
    }

    @Test(
        "nor about a DNS server",
        arguments: [
            (EMFILE, .localOverload), (ENFILE, .localOverload), (ENOBUFS, .localOverload), (ENOMEM, .localOverload),
            (ECONNREFUSED, .refused), (ECONNRESET, .closed), (ENETUNREACH, .unreachable), (EINVAL, .backendError),
            (ETIMEDOUT, .timeout), (EHOSTDOWN, .unreachable), (ENOPROTOOPT, .unreachable), (EMSGSIZE, .unreachable),
        ] as [(CInt, DNSFailure.Code)])
    func systemErrors(_ number: CInt, _ expected: DNSFailure.Code) {
        #expect(DNSFailure(errorNumber: number).code == expected)
        #expect(DNSFailure(socketError: IOError(errnoCode: number, reason: "connect")).code == expected)
    }

    @Test func lookups() throws {
        #expect(try code(LookupFailure.outOfFiles) == .localOverload)
        #expect(try code(LookupFailure.late) == .connectTimeout)
        #expect(try code(LookupFailure(code: EAI_NONAME)) == .nameNotFound)
        #expect(try code(LookupFailure(code: EAI_AGAIN)) == .nameLookupFailed)
    }
}
