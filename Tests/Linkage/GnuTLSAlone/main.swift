import ProbeKit
import TransportGnuTLS

// Linked to check the dependencies of the GnuTLS backend: no libssl.
print(GnuTLSTransport().identity)
