import ArgumentParser
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeTrust

/// The requirements that an app has of its servers, whichever stack connects.
struct DemandOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A pin that has to match; repeat it for alternatives.",
            discussion: """
                KIND[@POSITION]:sha256:HEX-OR-BASE64 with KIND cert, spki or rawkey and POSITION leaf, ca, any or first-N; \
                sha256/BASE64 (OkHttp), sha256//BASE64 (curl), pin-sha256="BASE64" (HPKP), AA:BB:… (openssl -fingerprint), \
                '3 1 1 HEX' (the fields of a TLSA record). \
                Pins of one kind and position are alternatives; different kinds must all match, but for TLSA records, of which any \
                suffices.
                """, valueName: "pin"))
    var pin: [Given<PinArgument>] = []

    @Option(
        help: ArgumentHelp(
            "Which chain pins and certificates are looked for in: validated, or presented as the server sent it; validated when not given.",
            discussion: """
                validated is the path that the stack itself verified, and the reference verifier's beside it: a pin has to \
                hold on both. presented also finds what the server only sends along, which is a warning.
                """, valueName: "chain"))
    var pinChain: Given<PinChain>?

    // Standard input at a position begins with a hyphen: -@leaf.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A certificate the chain has to have; repeat it, and each must be there.",
            discussion: """
                FILE[@POSITION], PEM or DER; a file of several holds alternatives. Hash, serial number, subject key identifier \
                and public key all have to be equal, and the report says which are. POSITION is leaf, ca, any or first-N; any \
                when not given.
                """, valueName: "file[@position]"), completion: .file())
    var expectCertificate: [String] = []

    @Option(
        help: ArgumentHelp(
            "A named policy to hold the target to; repeat it: \(Backends.current.policies.keys.sorted().joined(separator: ", ")).",
            valueName: "name"), completion: .list(Backends.current.policies.keys.sorted()))
    var policy: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Fail where a certificate of the validated path ends within this time, like 21d, 12h, 30m or 90s. Before that, and \
            without it, there is a warning within 14 days, or within the last third of a life shorter than 42 days.
            """, valueName: "duration"))
    var expiresWithin: Given<Duration>?
}

/// The client that connects: its verifier, its offer and its clock.
///
/// A client that is emulated has these facts of its own.
struct StackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Judge the name as a shipped client does, beside our reading: minvws.", valueName: "client"))
    var emulate: Given<Emulation>?

    @Option(
        help: ArgumentHelp(
            "Whose trust decision counts: both, native or reference; both when not given.", valueName: "mode"))
    var trust: Given<TrustMode>?

    @Option(
        name: .customLong("min-tls"),
        help: ArgumentHelp(
            "The oldest TLS version to accept: 1.0 to 1.3; \(TLSVersion.tls12.number) when not given.",
            valueName: "version"))
    var minTLS: Given<TLSVersion>?

    @Option(help: ArgumentHelp("Offer this application protocol, like h2; repeat it.", valueName: "protocol"))
    var alpn: [Given<ProtocolName>] = []

    @Option(
        help: ArgumentHelp(
            "When to ask the server for its time, by an HTTP HEAD after everything else: when-it-decides, always, never; when-it-decides when not given.",
            valueName: "mode"))
    var serverDate: Given<ServerDateMode>?
}
