import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

/// The usual forms of PEM, compared with the results of OpenSSL and GnuTLS.
@Suite struct PEMFormsTests {
    /// One way to write a certificate, as text.
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let write: @Sendable (_ base64: String) -> String
        /// No library reads it, or it is ambiguous.
        var isRefused = false

        init(_ name: String, isRefused: Bool = false, _ write: @escaping @Sendable (_ base64: String) -> String) {
            testDescription = name
            self.isRefused = isRefused
            self.write = write
        }
    }

    static let openssl = Program("openssl")
    static let certtool = Program("certtool")
    static let der: [UInt8] = {
        let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))
        return (try? pki.certificate(of: .root)) ?? []
    }()

    static func wrapped(_ text: String, at columns: Int, _ end: String = "\n") -> String {
        stride(from: 0, to: text.count, by: columns).map { start in
            String(text.dropFirst(start).prefix(columns))
        }.joined(separator: end)
    }

    static func block(_ body: String, _ end: String = "\n", label: String = "CERTIFICATE") -> String {
        "-----BEGIN \(label)-----\(end)\(body)\(end)-----END \(label)-----\(end)"
    }

    static let columns: [Form] = [1, 3, 60, 63, 64, 65, 76, 300, 100_000].map { columns in
        Form("\(columns) columns") { block(wrapped($0, at: columns)) }
    }

    static let forms: [Form] =
        columns + [
            Form("CRLF") { block(wrapped($0, at: 64, "\r\n"), "\r\n") },
            Form("CR alone") { block(wrapped($0, at: 64, "\r"), "\r") },
            Form("lines of any length") {
                block("\($0.prefix(10))\n\($0.dropFirst(10).prefix(200))\n\($0.dropFirst(210))")
            },
            Form("empty lines before") { "\n  \n\n" + block(wrapped($0, at: 64)) },
            Form("empty lines within") { block(wrapped($0, at: 64, "\n\n")) },
            Form("blanks before lines") { block("  " + wrapped($0, at: 64, "\n  ")) },
            Form("blanks behind lines") { block(wrapped($0, at: 64, " \t\n")) },
            Form("blanks behind the markers") {
                block(wrapped($0, at: 64)).replacing("E-----\n", with: "E-----  \n")
            },
            Form("all of it indented") { "    " + block(wrapped($0, at: 64, "\n    "), "\n    ") },
            Form("no line end") { String(block(wrapped($0, at: 64)).dropLast()) },
            Form("one line with its markers") { block($0, "") },
            Form("a byte order mark") { "\u{feff}" + block(wrapped($0, at: 64)) },
            Form("text around it") { "subject: x\nissuer=x\n\n" + block(wrapped($0, at: 64)) + "and more\n" },
            Form("a key before it") {
                block("Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA", label: "RSA PRIVATE KEY")
                    + block(wrapped($0, at: 64))
            },
            Form("X509 CERTIFICATE") { block(wrapped($0, at: 64), label: "X509 CERTIFICATE") },
            Form("TRUSTED CERTIFICATE") { block(wrapped($0, at: 64), label: "TRUSTED CERTIFICATE") },
        ]

    static let refused: [Form] = [
        Form("other characters", isRefused: true) {
            block(wrapped($0, at: 64).replacing("M", with: "*", maxReplacements: 1))
        },
        Form("a comment within", isRefused: true) { block("# my CA\n" + wrapped($0, at: 64)) },
        Form("one digit less", isRefused: true) {
            let digits = $0.filter { $0 != "=" }
            return block(wrapped(String(digits.dropLast((digits.count + 3) % 4)), at: 64))
        },
        Form("no END", isRefused: true) { String(block(wrapped($0, at: 64)).dropLast(26)) },
        Form("an END of four dashes", isRefused: true) {
            block(wrapped($0, at: 64)).replacing("END CERTIFICATE-----", with: "END CERTIFICATE----")
        },
        Form("another END", isRefused: true) {
            block(wrapped($0, at: 64)).replacing("END CERT", with: "END X509 CERT")
        },
        Form("a BEGIN within", isRefused: true) { block("-----BEGIN CERTIFICATE-----\n" + $0) },
        Form("nothing", isRefused: true) { _ in block("") },
    ]

    /// Each form gives the same certificate as DER does, and at least one of the two libraries reads it too.
    @Test(.enabled(if: openssl != nil && certtool != nil, "openssl or certtool is not installed"), arguments: forms)
    func everyFormIsReadAsOthersReadIt(form: Form) async throws {
        let text = form.write(Data(Self.der).base64EncodedString())
        #expect(try CertificateFile.certificates(in: Array(text.utf8), from: "it") == [Self.der])
        let others = try await Self.others(text)
        #expect(!others.isEmpty)
        #expect(others.allSatisfy { $0 == Self.der }, "\(others.count)")
    }

    /// OpenSSL rejects the rejected forms too, and the error names them without quoting them.
    @Test(.enabled(if: openssl != nil, "openssl is not installed"), arguments: refused)
    func whatIsBrokenIsNamedAndNotQuoted(form: Form) async throws {
        let base64 = Data(Self.der).base64EncodedString()
        let text = form.write(base64)
        let error = #expect(throws: InputError.self) {
            try CertificateFile.certificates(in: Array(text.utf8), from: "ca.pem")
        }
        let message = error?.description ?? ""
        #expect(message.hasPrefix("ca.pem ") && message.contains("line "), "\(message)")
        for start in stride(from: 0, to: base64.count - 8, by: 4) {
            #expect(!message.contains(base64.dropFirst(start).prefix(8)))
        }
        #expect(try await Self.openSSL(text) == nil)
    }

    /// The line that is shown is the one that is wrong.
    @Test func errorsNameTheLine() throws {
        let text = "a bundle\n" + Self.block("AAAA\nAA*A\nAAAA")
        let error = #expect(throws: InputError.self) {
            try CertificateFile.certificates(in: Array(text.utf8), from: "ca.pem")
        }
        #expect(error?.message == "ca.pem is broken PEM: line 4 is not base64")
    }

    /// A bundle of forms gives all of its certificates: nothing that begins like a block is left out silently.
    @Test func aBundleOfAllFormsIsReadWhole() throws {
        let base64 = Data(Self.der).base64EncodedString()
        let bundle = Self.forms.map { $0.write(base64) }.joined(separator: "\n")
        #expect(try CertificateFile.certificates(in: Array(bundle.utf8), from: "it").count == Self.forms.count)
        let broken = "-----BEGIN CERTIFICATE----\n\(base64)\n-----END CERTIFICATE-----\n" + Self.block(base64)
        #expect(throws: InputError.self) { try CertificateFile.certificates(in: Array(broken.utf8), from: "it") }
    }

    /// OpenSSL's trust settings behind a certificate are not certificates, and one that they reject is not an anchor.
    @Test(
        .enabled(if: openssl != nil, "openssl is not installed"),
        arguments: [
            (["-addtrust", "serverAuth"], true), (["-addtrust", "emailProtection"], false),
            (["-addreject", "serverAuth"], false), (["-addreject", "emailProtection"], true),
            (["-setalias", "x"], true),
        ])
    func trustSettingsAreReadOff(options: [String], isTaken: Bool) async throws {
        let openssl = try #require(Self.openssl)
        let pem = CertificateFile.pem(Self.der)
        let (status, text) = try await openssl.run(["x509", "-trustout"] + options, input: pem)
        #expect(status == 0 && text.contains("TRUSTED CERTIFICATE"))
        if isTaken {
            #expect(try CertificateFile.certificates(in: Array(text.utf8), from: "it") == [Self.der])
        } else {
            let error = #expect(throws: InputError.self) {
                try CertificateFile.certificates(in: Array(text.utf8), from: "it")
            }
            #expect(error?.message.contains("not trusted for TLS servers") == true)
        }
    }

    /// Public keys are read by the same reader.
    @Test(arguments: columns) func publicKeysToo(form: Form) throws {
        let spki = try LabPKI(epoch: .now).key(.backup).spki
        let text = form.write(Data(spki).base64EncodedString()).replacing("CERTIFICATE", with: "PUBLIC KEY")
        #expect(try PublicKeyFile.keys(in: Array(text.utf8), from: "it") == [spki])
    }

    /// Returns the DER that each library makes of a text.
    private static func others(_ text: String) async throws -> [[UInt8]] {
        let certtool = try #require(certtool)
        let gnuTLS = try await certtool.run(["--certificate-info"], input: text)
        let read = gnuTLS.status == 0 ? Self.certificate(in: gnuTLS.output) : nil
        return [try await openSSL(text), read].compactMap(\.self)
    }

    private static func openSSL(_ text: String) async throws -> [UInt8]? {
        let openssl = try #require(openssl)
        let (status, output) = try await openssl.run(["x509", "-inform", "PEM"], input: text)
        return status == 0 ? Self.certificate(in: output) : nil
    }

    /// Returns the certificate of a standard block, taken apart without our reader.
    private static func certificate(in output: String) -> [UInt8]? {
        guard let begin = output.range(of: "-----BEGIN CERTIFICATE-----\n"),
            let end = output.range(of: "-----END", range: begin.upperBound..<output.endIndex)
        else { return nil }
        let digits = output[begin.upperBound..<end.lowerBound].filter { $0 != "\n" }
        return Data(base64Encoded: String(digits)).map { Array($0) }
    }
}
