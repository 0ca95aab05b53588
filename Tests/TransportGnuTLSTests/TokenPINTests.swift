import CProbeGnuTLS
import ProbeKit
import Testing

@testable import TransportGnuTLS

/// The answers to a token's question for its PIN.
@Suite struct TokenPINTests {
    private static func secret(_ text: String) -> Secret { Secret(copying: Array(text.utf8).span) }

    /// Asks as GnuTLS does; returns nil without an answer.
    private static func ask(
        _ pin: GnuTLSPIN, token: String, attempt: CInt = 0, flags: gnutls_pin_flag_t = GNUTLS_PIN_USER, room: Int = 256
    ) -> String? {
        var answer = [CChar](repeating: 1, count: room)
        let data = unsafe Unmanaged.passUnretained(pin).toOpaque()
        let result = withExtendedLifetime(pin) {
            unsafe GnuTLSPIN.callback(data, attempt, token, "label", flags.rawValue, &answer, room)
        }
        guard result == 0 else { return nil }
        return String(decoding: answer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    @Test func theEndOfTheLineIsNotPartOfIt() {
        #expect(Self.ask(GnuTLSPIN(Self.secret("1234\r\n")), token: "pkcs11:a") == "1234")
        #expect(Self.ask(GnuTLSPIN(nil), token: "pkcs11:a") == nil)
    }

    @Test func anAnswerHasRoomOrIsNotGiven() {
        #expect(Self.ask(GnuTLSPIN(Self.secret("1234")), token: "pkcs11:b", room: 5) == "1234")
        #expect(Self.ask(GnuTLSPIN(Self.secret("1234")), token: "pkcs11:b", room: 4) == nil)
        #expect(Self.ask(GnuTLSPIN(Self.secret("12\u{0}34")), token: "pkcs11:b") == nil)
    }

    /// A module may refuse a PIN without a second question, for its length.
    @Test func oneThatFailedIsRefused() {
        let pin = GnuTLSPIN(Self.secret("1234"))
        #expect(Self.ask(pin, token: "pkcs11:e") == "1234")
        #expect(pin.refusal() == .wrongPassphrase)
        #expect(Self.ask(GnuTLSPIN(Self.secret("1234")), token: "pkcs11:e") == nil)
        #expect(GnuTLSPIN(nil).refusal() == .needsPassphrase)
    }

    @Test(
        "a refused PIN is not given to the same token again, in this attempt or a later one",
        arguments: [(CInt(1), GNUTLS_PIN_USER, "c"), (0, GNUTLS_PIN_WRONG, "d")])
    func refusedOnce(attempt: CInt, flags: gnutls_pin_flag_t, token: String) {
        let pin = GnuTLSPIN(Self.secret("1234\n"))
        #expect(Self.ask(pin, token: token) == "1234")
        #expect(Self.ask(pin, token: token, attempt: attempt, flags: flags) == nil)
        #expect(Self.ask(GnuTLSPIN(Self.secret("1234")), token: token) == nil)
        #expect(Self.ask(GnuTLSPIN(Self.secret("1235")), token: token) == "1235")
        #expect(Self.ask(GnuTLSPIN(Self.secret("1234")), token: "another \(token)") == "1234")
    }
}
