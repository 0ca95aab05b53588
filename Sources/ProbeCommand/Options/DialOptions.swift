import ArgumentParser
import ProbeKit

/// The endpoint to dial and the time limit.
struct DialOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Dial here, an address and port or unix:PATH; name and SNI stay the target's.", valueName: "addr:port"))
    var connect: Given<DialAddress>?

    @Option(
        help: ArgumentHelp(
            "The most one target may take in all; fractions allowed; 10 when not given, and 120 for survey.",
            valueName: "seconds"))
    var timeout: Given<TimeLimit>?

    /// The endpoint to dial instead of the target's; nil if none was given.
    var dial: Endpoint? { if case .endpoint(let endpoint) = connect?.value { endpoint } else { nil } }

    /// The path of the socket to dial instead; nil if none was given.
    var socket: String? { if case .socket(let path) = connect?.value { path } else { nil } }
}
