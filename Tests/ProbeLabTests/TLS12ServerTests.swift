import Foundation
import ProbeTestSupport
import Testing

@testable import ProbeLab

/// The server of TLS 1.2 whose first flight is ours to choose, without a socket.
@Suite(.bounded)
struct TLS12ServerTests {
    let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test(
        arguments: [
            ([22, 3, 3, 0, 0], true), ([22, 3, 3, 0x48, 1], true), ([23, 3, 3, 0xff, 0xff], true),
            ([22, 3, 3, 0x48, 0], false), ([22, 3, 3, 0, 1, 1], false),
        ] as [([UInt8], Bool)])
    func aRecordOfTheWrongLengthEndsTheConnection(bytes: [UInt8], isOver: Bool) throws {
        let server = TLS12Server(try pki.identity(.good), .regular)
        #expect(server.take(bytes).isOver == isOver)
    }

    @Test(arguments: [(4, false), (5, true)])
    func aMessageHasALimit(records: Int, isOver: Bool) throws {
        let server = TLS12Server(try pki.identity(.good), .regular)
        // A ClientHello of 16 MiB, of which each record has as much as a record may have.
        let beginning = TLS12Format.record(22, [1, 0xff, 0xff, 0xff] + [UInt8](repeating: 0, count: 0x4000 - 4))
        let more = TLS12Format.record(22, [UInt8](repeating: 0, count: 0x4000))
        let rest = [[UInt8]](repeating: more, count: records - 1).flatMap(\.self)
        #expect(!server.take(beginning).isOver)
        #expect(server.take(rest).isOver == isOver)
    }

    @Test(arguments: [1, 7, 1000]) func aHelloMayComeInAnyPieces(size: Int) throws {
        let server = TLS12Server(try pki.identity(.good), .regular)
        let hello = TLS12Format.message(1, [3, 3] + [UInt8](repeating: 7, count: 32))
        var rest = hello.flatMap { TLS12Format.record(22, [$0]) }[...]
        var sent: [UInt8] = []
        while !rest.isEmpty {
            let answer = server.take(Array(rest.prefix(size)))
            #expect(!answer.isOver)
            sent += answer.sent
            rest = rest.dropFirst(size)
        }
        // A handshake record, and the ServerHello in it.
        #expect(sent.first == 22 && sent.dropFirst(5).first == 2)
    }
}
