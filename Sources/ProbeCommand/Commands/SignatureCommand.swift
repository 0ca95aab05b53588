import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeSignatures

/// `probe signature`: checks with each stack whether content was signed by a trusted signer.
struct SignatureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signature",
        abstract: "Validate a detached CMS signature over a file, with each stack.",
        discussion: """
            Exactly one signature is taken, over the file's very bytes, by a certificate in the message that leads to a \
            trusted signer's. Signers are a JSON list: [{"name","certificate","commonName","authorityKeyIdentifier",\
            "subjectKeyIdentifier","rootSerial"}], the certificate as PEM text or as a path that starts at the file's \
            folder, a common name that begins with a dot for all below a domain, identifiers in hexadecimal, the serial \
            number decimal; what is left out is not checked. Nothing else is trusted, not even the system's anchors.

            EXAMPLES
              openssl cms -sign -binary -md sha256 -in pins.json -signer me.pem -inkey me.key -outform DER -out pins.p7s
              probe signature --content pins.json --signature pins.p7s --signers signers.json
              probe signature --content pins.json --signature pins.p7s --signers signers.json --backend gnutls --format json
            """)

    /// The largest content that is read, in bytes.
    private static let maximumContent = 256 << 20
    private static let maximumSignature = 1 << 20

    private struct Line: Encodable {
        let schema = "probe-signature/1"
        let content: String
        let validator: String
        let outcome: Outcome
        @Always var signer: String?
        let findings: [Finding]

        init(_ content: String, _ validator: String, _ reading: SignatureReading) {
            self.content = content
            self.validator = validator
            outcome = reading.outcome
            _signer = Always(wrappedValue: reading.signer)
            findings = reading.findings
        }
    }

    @Option(help: ArgumentHelp("The file that was signed.", valueName: "file"), completion: .file())
    var content: String

    @Option(help: ArgumentHelp("The detached signature, DER or PEM.", valueName: "file"), completion: .file())
    var signature: String

    @Option(
        help: ArgumentHelp("Who may have signed: a JSON list, or a profile with signers.", valueName: "file"),
        completion: .file())
    var signers: String

    @OptionGroup var moment: InstantOption

    @Option(
        help: ArgumentHelp("Validator; repeat it, separate names by commas, or say all.", valueName: "name"),
        completion: .validators)
    var backend: [String] = ["all"]

    @OptionGroup var output: PlainOutputOptions

    mutating func run() async throws {
        let format = try output.chosen()
        let validators = try Backends.current.validators(named: BackendChoice(backend))
        let question = SignatureQuestion(
            signature: try InputFile.bytes(of: signature, limit: Self.maximumSignature, kind: "signature"),
            content: try InputFile.bytes(of: content, limit: Self.maximumContent, kind: "signed file"),
            signers: try TrustedSigners.read(signers), instant: moment.clock.now)
        var readings: [(name: String, reading: SignatureReading)] = []
        for validator in validators {
            let reading = await validator.validate(question)
            readings.append((validator.name, reading))
            if format == .json { Terminal.print(JSONText.line(Line(content, validator.name, reading))) }
        }
        if format == .text { printText(readings) }
        var outcomes = readings.map(\.reading.outcome)
        if Set(readings.map(\.reading.isValid)).count > 1 { outcomes.append(.stacksDisagree) }
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
    }

    private func printText(_ readings: [(name: String, reading: SignatureReading)]) {
        let rows = readings.flatMap { name, reading in
            reading.findings.enumerated().map { index, finding in
                [
                    index == 0 ? name : "", index == 0 ? reading.isValid ? "valid" : "refused" : "", finding.code,
                    finding.message,
                ]
            }
        }
        Terminal.print(TextTable(columns: ["VALIDATOR", "DECISION", "CODE", "WHAT IT SAID"], rows: rows).text)
        var fixes: [String] = []
        for fix in readings.flatMap(\.reading.findings).map(\.fix) where !fix.isEmpty && !fixes.contains(fix) {
            fixes.append(fix)
        }
        for fix in fixes { Terminal.print("fix: \(fix)") }
    }
}
