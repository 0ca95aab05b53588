import ArgumentParser
import ProbeKit
import ProbePacking
import ProbePlatform
import ProbeRoots
import ProbeTrust

/// `probe verify`: a chain from files, offline, through each stack's verifier and the reference.
struct VerifyCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Judge certificate chains from files, without a connection.",
        discussion: """
            A batch has one JSON object a line: {"id","leaf","intermediates":[…],"anchors":[…],"name":"dns:…"|"ip:…",\
            "at":RFC 3339,"purpose":"server"|"client"|"any","maxDepth":n|null,"crls":[…],"policies":["2.23.140.1.2.1",…]|null,\
            "requireExplicitPolicy":bool,"inhibitAnyPolicy":bool,"inhibitPolicyMapping":bool}, certificates and revocation lists \
            as PEM or base64 DER. It gives one \
            line for each question and backend, in order; a line that can't be read is answered in its place.

            EXAMPLES
              probe verify chain.pem --name example.com
              probe verify chain.pem --ca ca.pem --name api.example.com --at 2027-01-01T00:00:00Z
              probe verify chain.pem --ca ca.pem --crl intermediate.crl
              probe verify --batch questions.jsonl --backend openssl,gnutls > answers.jsonl
            """)

    @Argument(
        help: ArgumentHelp(
            "PEM or DER files: the leaf first, then the intermediates, in any order.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Answer the questions of this file, one JSON object a line, packed by gzip or zstd or not; - is standard input.",
            valueName: "file"), completion: .file())
    var batch: String?

    @Option(help: ArgumentHelp("The name or address the leaf has to prove.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "What the leaf is for: server, client or any; server when not given.", valueName: "purpose"))
    var purpose: Given<TrustQuestion.Purpose>?

    @Option(
        help: ArgumentHelp("The most intermediates between leaf and anchor.", valueName: "count"),
        transform: OptionNumber.whole(0...1000, ""))
    var maxDepth: Int?

    @Option(
        help: ArgumentHelp("TLS backend; repeat it, separate names by commas, or say all.", valueName: "name"),
        completion: .transports)
    var backend: [String] = ["all"]

    @OptionGroup var store: SingleStoreOptions
    @OptionGroup var revocation: RevocationOptions
    @OptionGroup var moment: InstantOption
    @OptionGroup var plugins: PluginOptions
    @OptionGroup var output: PlainOutputOptions

    private var anchor: AnchorOptions { store.anchors }

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: BackendChoice(backend), resolvers: .empty)
    }

    mutating func run() async throws {
        guard anchor.roots?.value.isAll != true else {
            throw InputError(
                "--roots all is not for verify, which prints one decision of the reference verifier",
                remedy: "write probe check --chain FILE --roots all NAME, or name one store")
        }
        let format = try output.chosen()
        let transports = try Backends.current.transports(named: BackendChoice(backend))
        let verifier = VerifyBatch(transports: transports, clock: moment.clock)
        if let batch {
            guard files.isEmpty else {
                throw InputError("--batch and files were given", remedy: "put the files' certificates into the batch")
            }
            guard format == .json || output.format == nil else {
                throw InputError("--format text is not for a batch, whose answers are JSON", remedy: "leave it out")
            }
            let idle = [
                ("--name", name != nil), ("--ca", anchor.ca != nil), ("--roots", anchor.roots != nil),
                ("--purpose", purpose != nil),
                ("--max-depth", maxDepth != nil), ("--crl", !revocation.crl.isEmpty),
            ].filter(\.1).map(\.0)
            guard idle.isEmpty else {
                throw InputError(
                    "\(idle.joined(separator: ", ")) is not for a batch", remedy: "put it into the batch's lines")
            }
            try SharedFile.refuse([batch], writingTo: nil)
            let lines = try LineReader(batch, maximumLine: VerifyRequest.maximumLine, unpacks: true)
            let (outcomes, malformed) = try await verifier.run(lines)
            try Self.end(outcomes, malformed: malformed)
            return
        }
        guard let first = files.first else {
            throw InputError("no file was given", remedy: "write probe verify FILE, or see probe verify --help")
        }
        let question = try question(anchors: try anchor.anchors(revocation), instant: verifier.clock.now)
        let reference = await verifier.reference.evaluate(question)
        var outcomes: Set<Outcome> = []
        var rows: [[String]] = []
        for transport in transports {
            let (line, native) = await verifier.answer(question, id: first, transport, reference: reference)
            if let outcome = line.outcome { outcomes.insert(outcome) }
            switch format {
            case .json: Terminal.print(JSONText.line(line))
            default:
                let name = transport.name
                rows +=
                    native.map { Self.rows(name, $0) } ?? [
                        [name, line.outcome == .unsupported ? "not asked" : "no answer", "", "", line.error ?? ""]
                    ]
            }
        }
        if format == .text {
            let table = TextTable(
                columns: ["VERIFIER", "DECISION", "CAUSE", "CODE", "WHAT IT SAID"],
                rows: rows + Self.rows("reference", reference))
            Terminal.print(table.text)
            if name == nil { Terminal.print("no name was asked for: --name NAME also judges whom the leaf is for") }
        }
        try Self.end(outcomes, malformed: 0)
    }

    private func question(anchors: TrustAnchors, instant: Date) throws(InputError) -> TrustQuestion {
        var chain: [[UInt8]] = []
        for file in files { chain += try CertificateFile.read(file) }
        let serverName = try name.map { text throws(InputError) in try ServerName.read(wireText: text) }
        return TrustQuestion(
            chain: chain, anchors: anchors, name: serverName, instant: instant,
            purpose: purpose?.value ?? .server, maxDepth: maxDepth)
    }

    private static func rows(_ verifier: String, _ reading: TrustReading) -> [[String]] {
        guard !reading.isAccepted else {
            return [[verifier, "accepted", "", "", ""]]
                + reading.remarks.map { ["", $0.severity.rawValue, "", $0.code, $0.message] }
        }
        return reading.problems.enumerated().map { index, problem in
            [
                index == 0 ? verifier : "", index == 0 ? "refused" : "", problem.cause.rawValue,
                problem.nativeCode ?? "", problem.message,
            ]
        }
    }

    /// - Throws: the exit code of the most severe outcome; where every question passed, of the lines that could not be read.
    private static func end(_ outcomes: Set<Outcome>, malformed: Int) throws {
        if outcomes.isEmpty, malformed == 0 {
            throw InputError("there was no question", remedy: "give one JSON object a line", source: .file)
        }
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
        if malformed > 0 { throw ExitCode(InputError.Source.file.exitCode) }
    }
}
