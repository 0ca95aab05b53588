import ProbeKit
import TransportOpenSSL

// Linked to check the dependencies of the OpenSSL backend: no GnuTLS.
print(OpenSSLDigester().identity)
