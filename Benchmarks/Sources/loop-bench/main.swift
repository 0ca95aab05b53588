import ProbeBench
import ProbeCommand
import ProbeKit
import TransportOpenSSL

// `probe bench handshake` against a bare client that has its socket from SwiftNIO, too.
await ProbeCommand.main(
    arguments: ["bench"] + CommandLine.arguments.dropFirst(), transports: [OpenSSLTransport()], resolvers: [],
    digesters: [], bench: BenchKit(floors: [], handshakes: [LoopFloor.self], servers: ["serve"]))
