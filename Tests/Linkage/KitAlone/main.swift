import ProbeKit
import ProbePins

// Linked to check the dependencies of the vocabulary alone: no TLS library.
print(SwiftCryptoDigester().sha256([UInt8]().span))
