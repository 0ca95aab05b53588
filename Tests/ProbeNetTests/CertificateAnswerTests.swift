import ProbeNet
import Testing

/// A client's Certificate message counts as sent with the end of its flight.
@Suite struct CertificateAnswerTests {
    private static let certificate: [UInt8] = [11, 0, 0, 7, 0, 0, 4, 0, 0, 1, 7]
    private static let empty: [UInt8] = [11, 0, 0, 3, 0, 0, 0]
    private static let keyExchange: [UInt8] = [16, 0, 0, 1, 7]
    private static let finished: [UInt8] = [20, 0, 0, 1, 7]

    private static func results(_ messages: [[UInt8]]) -> [Bool?] {
        var answer = CertificateAnswer()
        return messages.map { message in
            unsafe message.withUnsafeBytes { unsafe answer.take($0, isLate: false) }
        }
    }

    @Test func itIsSentWithFinished() {
        #expect(Self.results([Self.certificate, Self.keyExchange, Self.finished]) == [nil, nil, true])
        #expect(Self.results([Self.empty, Self.keyExchange, Self.finished]) == [nil, nil, false])
    }

    @Test func aFlightWithoutOneAnswersNothing() {
        #expect(Self.results([Self.keyExchange, Self.finished, []]) == [nil, nil, nil])
        #expect(Self.results([Self.certificate, Self.finished, Self.finished]) == [nil, true, nil])
    }

    /// GnuTLS drops the flight where it can't sign CertificateVerify.
    @Test func aFlightWithoutAnEndIsNotSent() {
        #expect(Self.results([Self.certificate, Self.keyExchange]) == [nil, nil])
    }
}
