import Foundation
import ProbeKit
import ProbeLab
import ProbeSignatures
import Testing

@Suite struct SignerRecordTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    private func record(_ json: String) throws -> SignerRecord {
        try JSONDecoder().decode(SignerRecord.self, from: Data(json.utf8))
    }

    @Test("[R93, R94] a signer as the seed writes it")
    func theSeedsSignerIsRead() throws {
        var record = try record(
            #"""
            {"name": "Staat der Nederlanden Root CA - G3", "certificate": "", "commonName": ".rdobeheer.nl",
             "subjectKeyIdentifier": "04 14 54:AD:FA:C7:92:57:AE:CA:35:9C:2E:12:FB:E4:BA:5D:20:DC:94:57",
             "rootSerial": 10003001}
            """#)
        record.certificate = try Self.pki.rootPEM()
        let signer = try record.signer(in: "")
        #expect(signer.commonName == .below(".rdobeheer.nl"))
        #expect(signer.subjectKeyIdentifier?.description == "54adfac79257aeca359c2e12fbe4ba5d20dc9457")
        #expect(
            signer.subjectKeyIdentifier
                == (try TrustedSigner.KeyIdentifier(hex: "54ADFAC79257AECA359C2E12FBE4BA5D20DC9457")))
        // The number that the certificate has in hexadecimal.
        #expect(signer.rootSerial?.bytes == [0x98, 0xa2, 0x39])
        #expect(signer.authorityKeyIdentifier == nil)
        #expect(signer.anchors.certificates == [try Self.pki.certificate(of: .root)])
    }

    @Test func textAndNumbersAreTheSameSerial() throws {
        #expect(try record(#"{"name":"a","certificate":"b","rootSerial":"10003001"}"#).rootSerial == "10003001")
        let long = "1208925819614629174706175"
        #expect(try record(#"{"name":"a","certificate":"b","rootSerial":"\#(long)"}"#).rootSerial == long)
        #expect(throws: DecodingError.self) { try record(#"{"name":"a","certificate":"b","rootSerial":1.5}"#) }
        #expect(throws: DecodingError.self) { try record(#"{"name":"a","certificate":"b","rootSerial":-1}"#) }
    }

    @Test func unknownKeysAreRefused() throws {
        let error = #expect(throws: DecodingError.self) {
            try record(#"{"name":"a","certificate":"b","comonName":"c"}"#)
        }
        #expect("\(try #require(error))".contains("of a signer; did you mean 'commonName'?"))
    }

    @Test(arguments: ["0", "255", "256", "10003001", "340282366920938463463374607431768211456"])
    func serialsAreDecimal(_ text: String) throws {
        #expect(try TrustedSigner.SerialNumber(decimal: text).description == text)
        #expect(try TrustedSigner.SerialNumber(decimal: "000" + text) == TrustedSigner.SerialNumber(decimal: text))
    }

    @Test(arguments: ["", "-1", "0x98", "1 2", "９", String(repeating: "9", count: 101)])
    func otherSerialsAreRefused(_ text: String) {
        #expect(throws: InputError.self) { try TrustedSigner.SerialNumber(decimal: text) }
    }

    /// Twenty bytes that begin like a header, and headers of other lengths, are identifiers unchanged.
    @Test func onlyTheHeaderIsTakenOff() {
        let twenty = [0x04, 0x14] + [UInt8](repeating: 7, count: 18)
        #expect(TrustedSigner.KeyIdentifier(twenty).bytes == twenty)
        #expect(TrustedSigner.KeyIdentifier([0x04, 0x14] + twenty).bytes == twenty)
        let other = [0x04, 0x08] + [UInt8](repeating: 7, count: 8)
        #expect(TrustedSigner.KeyIdentifier(other).bytes == other)
        for text in ["", "0", "zz", "04:1"] {
            #expect(throws: InputError.self) { try TrustedSigner.KeyIdentifier(hex: text) }
        }
    }

    @Test(
        "[R93] below a domain, label by label",
        arguments: [
            (".rdobeheer.nl", "a.rdobeheer.nl", true), (".rdobeheer.nl", "a.b.RDObeheer.nl", true),
            (".rdobeheer.nl", "rdobeheer.nl", false), (".rdobeheer.nl", "evilrdobeheer.nl", false),
            (".rdobeheer.nl", ".rdobeheer.nl", false), (".rdobeheer.nl", "a b.rdobeheer.nl", false),
            (".rdobeheer.nl", "a.rdobeheer.nl.", false), (".rdobeheer.nl", "a.rdobeheer.nl\u{0}", false),
            // The Kelvin sign is a k in lowercase.
            (".k.nl", "a.\u{212a}.nl", false), (".rdobeheer.nl", "*.rdobeheer.nl", true),
            (".rdobeheer.nl", "a.*.rdobeheer.nl", false), (".rdobeheer.nl", "", false),
            ("rdobeheer.nl", "a.rdobeheer.nl", false), ("Jane Doe", "Jane Doe", true), ("Jane Doe", "jane doe", false),
            // The same letter, composed and not.
            ("\u{e9}", "e\u{301}", false),
        ])
    func commonNames(_ rule: String, _ name: String, _ isMet: Bool) throws {
        #expect(try TrustedSigner.CommonNameRule(rule).isMet(by: name) == isMet)
    }

    @Test(arguments: ["", ".", "..nl", ".a b", ".*.nl", ".nl."])
    func otherRulesAreRefused(_ text: String) {
        #expect(throws: InputError.self) { try TrustedSigner.CommonNameRule(text) }
    }
}
