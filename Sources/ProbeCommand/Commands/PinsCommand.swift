import ArgumentParser
import ProbeKit
import ProbePins
import ProbePlatform
import ProbeReport
import ProbeRun
import ProbeScan
import ProbeTrust

/// `probe pins`: the three hashes of every certificate of a server or a file.
struct PinsCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Show the pins of a server's certificates or of a certificate file, all kinds side by side.",
        discussion: """
            The SPKI line is what the usual openssl pipeline prints (x509 -pubkey, pkey -outform der, dgst -sha256, base64); \
            the certificate line is what openssl x509 -fingerprint -sha256 prints; the raw key line is what Apple's \
            frameworks export.

            EXAMPLES
              probe pins example.com:8443
              probe pins leaf.pem
              probe pins --format json --connect 127.0.0.1:8443 --ca ca.pem example.com
            """)

    private struct Line: Encodable {
        let input: String
        /// The endpoint that was dialled, where each address or family is shown by itself.
        let dialled: String?
        /// False for a certificate that was only sent along; nil where the valid paths are not known.
        let onValidPath: Bool?
        let certificate: CertificateRecord

        private enum CodingKeys: CodingKey { case input, dialled, onValidPath }

        func encode(to encoder: any Encoder) throws {
            try certificate.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(input, forKey: .input)
            try container.encode(dialled, forKey: .dialled)
            try container.encode(onValidPath, forKey: .onValidPath)
        }
    }

    @Argument(
        help: ArgumentHelp("A target as for check, or the path of a PEM or DER file.", valueName: "target-or-file"),
        completion: .file())
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp("TLS backend; the first of the build when not given.", valueName: "name"),
        completion: .transport)
    var backend: String?

    @OptionGroup var place: DialOptions
    @OptionGroup var store: SingleStoreOptions
    @OptionGroup var moment: InstantOption
    @OptionGroup(visibility: .hidden) var revocation: RevocationOptions
    @OptionGroup var reach: ReachOptions
    @OptionGroup var plugins: PluginOptions
    @OptionGroup var output: PlainOutputOptions

    private var connection: ConnectionOptions { ConnectionOptions(place, store.anchors, moment) }

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: backend.map { BackendChoice([$0]) } ?? .empty, resolvers: .empty)
    }

    mutating func run() async throws {
        guard !inputs.isEmpty else {
            throw InputError("nothing was given to show", remedy: "write probe pins HOST[:PORT] or probe pins FILE")
        }
        try revocation.refuse()
        let format = try output.chosen()
        let transport = try Backends.current.transport(named: backend)
        if inputs.allSatisfy(Self.isFile), let option = (connection.given + reach.given).first {
            throw InputError("\(option) is of no use for a file", remedy: "leave it out, or name a target")
        }
        for input in inputs where !Self.isFile(input) { _ = try reach.target(input, connection) }
        var outcomes: [Outcome] = []
        var fault: Int32?
        for input in inputs {
            do {
                outcomes.append(try await show(input, transport: transport, format: format))
            } catch let error as InputError where inputs.count > 1 && Self.isFile(input) {
                // The others are shown all the same.
                fault = Terminal.report(error)
            }
        }
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
        if let fault { throw ExitCode(fault) }
    }

    /// Returns true if an input is a file name: because the file exists, or because no host has such a name.
    private static func isFile(_ input: String) -> Bool {
        if input == "-" || FileManager.default.fileExists(atPath: input) { return true }
        let isPath = input.contains("/") && !input.contains("://")
        return isPath || [".pem", ".der", ".crt", ".cer"].contains { input.lowercased().hasSuffix($0) }
    }

    private func show(_ input: String, transport: any Transport, format: OutputFormat) async throws -> Outcome {
        if Self.isFile(input) {
            return try await showFile(input, transport: transport, format: format)
        }
        let target = try reach.target(input, connection)
        let check = try reach.proxy.routes(connection).applied(
            to: Check(
                target: target, anchors: try anchorsForPath(), pins: [Self.everywhere], timeout: connection.limit,
                clientIdentity: try reach.identity()))
        let addresses = try reach.addresses.choice(connection)
        var outcomes: [Outcome] = []
        for part in await addresses.checks(of: check) {
            FollowedText.complain(part)
            outcomes.append(await show(part, transport: transport, format: format))
        }
        return Outcome.deciding(among: outcomes)
    }

    /// Shows the certificates that a server presents at one part of its addresses.
    private func show(_ check: Check, transport: any Transport, format: OutputFormat) async -> Outcome {
        let prober = Prober(clock: connection.clock, lateness: OwnLateness.meter)
        let seen = await prober.observe(check, through: transport, deadline: .after(check.timeout))
        let evidence = Evidence(connection: seen, model: nil)
        let instant = seen.instant
        // Trust and pins fail nothing here: only that there is nothing to show, and that the decoded keys differ.
        let verdict = Verdict(
            AllOf {
                HandshakeCompletes()
                KeyEncodingsAgree()
            }.judge(evidence, at: instant) + untrusted(seen))
        let dialled = (check.part != nil || check.course != nil ? seen.attempts.last?.target ?? check.target : nil)?
            .endpoint
        print(
            seen.certificates, of: format == .json ? check.named.description : check.subject, dialled: dialled,
            idle: idle(seen), format: format)
        complain(verdict, about: check.subject)
        return verdict.outcome
    }

    /// Pins that are looked for on every path, so that all valid ones are known.
    private static let everywhere = PinGroup([], position: .any)

    /// Returns a warning if the chain is not trusted, so that nobody pins a stranger's certificate unaware.
    private func untrusted(_ seen: ConnectionEvidence) -> [Finding] {
        guard !seen.anchors.certificates.isEmpty, let problem = seen.referenceTrust?.problems.first else { return [] }
        return [
            .warning(
                "chain-not-trusted", stage: .trust, "the chain is not trusted: \(problem.message)",
                fix: TrustedChain.fix(of: problem, in: seen))
        ]
    }

    /// Returns the certificates that were only sent along; nil if the valid paths are not known.
    private func idle(_ seen: ConnectionEvidence) -> Set<Int>? {
        guard !seen.anchors.certificates.isEmpty, seen.further.isComplete, seen.referenceTrust?.isAccepted == true
        else { return nil }
        return Set(seen.presented).subtracting(seen.onValidPaths)
    }

    private func showFile(_ path: String, transport: any Transport, format: OutputFormat) async throws -> Outcome {
        var certificates: [CertificateEvidence] = []
        for der in try CertificateFile.read(path) {
            certificates.append(
                CertificateEvidence(
                    der: der, source: .presented, stackKey: await transport.readKey(ofCertificate: der),
                    digester: transport.digester ?? SwiftCryptoDigester()))
        }
        print(certificates, of: path, format: format)
        if let error = certificates.lazy.compactMap({ certificate in
            if case .failure(let error) = certificate.digests { error } else { nil }
        }).first {
            throw InputError(
                "\(path) holds something that is not a certificate: \(error)",
                remedy: "give certificates as PEM or DER",
                source: .file)
        }
        let verdict = Verdict(
            certificates.enumerated().flatMap { index, certificate in
                KeyEncodingsAgree().judge(certificate, at: index, transport: transport.name, counts: true)
            })
        complain(verdict, about: path)
        return verdict.outcome
    }

    private func print(
        _ certificates: [CertificateEvidence], of input: String, dialled: Endpoint? = nil, idle: Set<Int>? = nil,
        format: OutputFormat
    ) {
        switch format {
        case .json:
            for (index, certificate) in certificates.enumerated() {
                let isIdle = idle?.contains(index)
                if isIdle == true {
                    Terminal.printError(
                        "\(PrintableText.escape(input)): certificate \(index), \(certificate.name), is on no valid path"
                    )
                }
                let record = CertificateRecord(certificate, index: index)
                Terminal.print(
                    JSONText.line(
                        Line(
                            input: input, dialled: dialled?.description, onValidPath: isIdle.map { !$0 },
                            certificate: record)))
            }
        default:
            Terminal.print(PinsText.text(certificates, of: input, idle: idle ?? []))
        }
    }

    /// Prints on standard error why pins can't be shown or trusted.
    private func complain(_ verdict: Verdict, about input: String) {
        for finding in verdict.findings where finding.severity != .note {
            Terminal.printError("probe: \(PrintableText.escape(input)): \(finding.message); \(finding.fix)")
        }
    }

    /// Anchors only serve to show the root's pins too; a system without a bundle has none to show.
    private func anchorsForPath() throws(InputError) -> TrustAnchors {
        if connection.anchorOption != nil { return try connection.anchors() }
        return (try? TrustAnchors.system()) ?? .none
    }
}
