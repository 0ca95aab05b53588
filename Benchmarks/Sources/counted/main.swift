import Foundation
import ProbeAllocations
import ProbeBench
import ProbeKit
import ProbeLab
import ProbePins
import TransportGnuTLS
import TransportNIOSSL
import TransportOpenSSL

// `counted LIBRARY KEY COUNT`: checks COUNT times whether a certificate is pinned, in a function that a profiler can watch
// alone, and prints the number of heap allocations made. LIBRARY `control` makes one allocation each time, and `twice`
// does OpenSSL's work twice, which shows that both counters count.

/// The work to do; set once before it is done.
nonisolated(unsafe) var work: () -> Void = {}

@inline(never)
func countedWork(_ count: Int) {
    for _ in 0..<count { work() }
}

guard CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[3]), count > 0,
    let counter = AllocationCounter.ofThisProgram
else { fatalError("counted LIBRARY KEY COUNT") }

let keys: [String: LabIdentityName] = [
    "rsa-2048": .rsa2048, "rsa-4096": .rsa4096, "p256": .good, "ed25519": .ed25519,
]
guard let identity = keys[CommandLine.arguments[2]] else { fatalError("KEY is one of \(keys.keys.sorted())") }
let leaf = try LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000)).identity(identity).leaf
let digests = try CertificateDigests(certificate: leaf.span, digester: SwiftCryptoDigester())
let index = PinIndex([Pin(kind: .spki, digest: digests.spki), Pin(kind: .spki, digest: .sha256(of: [1]))])

func match(_ digester: some Digester) {
    let kind = try? index.match(certificate: leaf.span, digester: digester)
    precondition(kind == .spki, "the certificate is pinned")
}

let (openSSL, gnuTLS, boringSSL) = (OpenSSLDigester(), GnuTLSDigester(), BoringSSLDigester())
switch CommandLine.arguments[1] {
case "openssl": work = { match(openSSL) }
case "gnutls": work = { match(gnuTLS) }
case "boringssl": work = { match(boringSSL) }
case "twice":
    work = {
        match(openSSL)
        match(openSSL)
    }
case "control": work = { _ = counter.countKnown(1) }
default: fatalError("LIBRARY is openssl, gnutls, boringssl, twice or control")
}
// One-time work, like opening a library, is not the path's: it is done where nobody counts.
for _ in 0..<10 { work() }
print(counter.count { countedWork(count) })
