import ProbeAllocations
import ProbeBench
import ProbeCommand
import ProbeKit
import ProbePins
import ResolverCAres
import ResolverDoH
import ResolverLDNS
import ResolverUnbound
import TransportCurl
import TransportGnuTLS
import TransportNIOSSL
import TransportOpenSSL

// `probe bench` in a program that counts its heap allocations, with the same arguments and figures and those of the counter.
await ProbeCommand.main(
    arguments: ["bench"] + CommandLine.arguments.dropFirst(),
    transports: [OpenSSLTransport(), GnuTLSTransport(), CurlTransport(), NIOSSLTransport()],
    resolvers: [LDNSResolver(), CAresResolver(), UnboundResolver(), DoHResolver()],
    digesters: [SwiftCryptoDigester(), OpenSSLDigester(), GnuTLSDigester(), BoringSSLDigester()],
    bench: BenchKit(
        floors: [OpenSSLDigestFloor(), GnuTLSDigestFloor(), BoringSSLDigestFloor()],
        handshakes: [OpenSSLHandshakeFloor.self, GnuTLSHandshakeFloor.self, BoringSSLHandshakeFloor.self],
        servers: ["serve"], allocations: .ofThisProgram))
