import ProbeKit
import TransportGnuTLS

// Linked to see what the GnuTLS backend brings along: no libssl.
print(GnuTLSTransport().identity)
