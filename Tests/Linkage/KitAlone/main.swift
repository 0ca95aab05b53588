import ProbeKit
import ProbePins

// Linked to see what the vocabulary alone brings along: no TLS library.
print(SwiftCryptoDigester().sha256([UInt8]().span))
