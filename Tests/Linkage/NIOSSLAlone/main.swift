import ProbeKit
import TransportNIOSSL

// Linked to check the dependencies of the BoringSSL backend: no system library.
print(NIOSSLTransport().identity)
