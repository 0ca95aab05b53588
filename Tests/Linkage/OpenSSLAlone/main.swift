import ProbeKit
import TransportOpenSSL

// Linked to see what the OpenSSL backend brings along: no GnuTLS.
print(OpenSSLDigester().identity)
