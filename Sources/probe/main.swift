import ProbeBench
import ProbeCommand
import ProbeKit
import ProbePins
import ResolverLDNS
import ResolverUnbound
import TransportGnuTLS
import TransportNIOSSL
import TransportOpenSSL

// The list of backends in this build. A build of your own has a main.swift of its own, with yours in it.
let tls = OpenSSLTransport.engineMaker()
await ProbeCommand.main(
    transports: [OpenSSLTransport(), GnuTLSTransport()] + LinuxBackends.curl() + [NIOSSLTransport()],
    resolvers: [LDNSResolver(tls: tls)] + LinuxBackends.cares(tls: tls) + [UnboundResolver()]
        + LinuxBackends.doh(),
    digesters: [SwiftCryptoDigester(), OpenSSLDigester(), GnuTLSDigester(), BoringSSLDigester()],
    validators: [OpenSSLSignatures(), GnuTLSSignatures()], identities: OpenSSLIdentities(),
    tokens: GnuTLSTokens(),
    bench: BenchKit(
        floors: [OpenSSLDigestFloor(), GnuTLSDigestFloor(), BoringSSLDigestFloor()],
        handshakes: [OpenSSLHandshakeFloor.self, GnuTLSHandshakeFloor.self, BoringSSLHandshakeFloor.self]))
