import ProbeKit
import TransportNIOSSL

// Linked to see what the BoringSSL backend brings along: no library that the system has.
print(try NIOSSLTransport().identity)
