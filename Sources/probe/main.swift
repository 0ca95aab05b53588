import Foundation
import ProbeAllocations
import ProbeBench
import ProbeCommand
import ProbeKit
import ResolverCAres
import ResolverDoH
import ResolverLDNS
import ResolverUnbound
import TransportCurl
import TransportGnuTLS
import TransportNIOSSL
import TransportOpenSSL

// The list of backends in this build. A build of your own has a main.swift of its own, with yours in it.
do {
    await ProbeCommand.main(
        transports: [try OpenSSLTransport(), GnuTLSTransport(), try CurlTransport(), try NIOSSLTransport()],
        resolvers: [LDNSResolver(), CAresResolver(), UnboundResolver(), try DoHResolver()],
        digesters: [SwiftCryptoDigester(), OpenSSLDigester(), GnuTLSDigester(), BoringSSLDigester()],
        validators: [OpenSSLSignatures(), GnuTLSSignatures()],
        bench: BenchKit(
            floors: [OpenSSLDigestFloor(), GnuTLSDigestFloor(), BoringSSLDigestFloor()],
            handshakes: [OpenSSLHandshakeFloor.self, GnuTLSHandshakeFloor.self, BoringSSLHandshakeFloor.self],
            allocations: .ofThisProgram))
} catch {
    FileHandle.standardError.write(Data("probe: a library can't be set up: \(error)\n".utf8))
    exit(Outcome.internalError.exitCode)
}
