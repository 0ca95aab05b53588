package transport

import (
	"crypto/x509"

	"probe/go-tls/internal/protocol"
)

// readKey has Go parse the certificate's key and encode the result again; nothing is copied out of the certificate.
func readKey(der []byte) protocol.Key {
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return protocol.Key{Unreadable: err.Error()}
	}
	spki, err := x509.MarshalPKIXPublicKey(certificate.PublicKey)
	if err != nil {
		return protocol.Key{Unreadable: err.Error()}
	}
	return protocol.Key{SPKI: spki}
}

func readKeys(chain [][]byte) []protocol.Key {
	keys := make([]protocol.Key, len(chain))
	for i, der := range chain {
		keys[i] = readKey(der)
	}
	return keys
}
