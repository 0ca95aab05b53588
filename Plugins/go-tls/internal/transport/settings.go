package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"probe/go-tls/internal/protocol"
)

// The most of a chain that is taken.
const (
	maxCertificates = 100
	maxChainBytes   = 512 << 10
)

var errChainTooLong = errors.New("the server sent more certificates than are taken")

var versions = map[string]uint16{
	"1.0": tls.VersionTLS10, "1.1": tls.VersionTLS11, "1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13,
}

func versionName(version uint16) *string {
	for name, known := range versions {
		if known == version {
			return &name
		}
	}
	return nil
}

// sightings is what the callbacks of a handshake saw; they run before it completes or fails.
type sightings struct {
	chain                [][]byte
	certificateRequested bool
}

// settings are Go's defaults, with the versions asked for and no session to resume: there is no ClientSessionCache.
func settings(request protocol.HandshakeRequest, sni string, seen *sightings) (*tls.Config, error) {
	if len(request.Versions) != 2 {
		return nil, errors.New("the request has no range of two TLS versions")
	}
	oldest, newest := versions[request.Versions[0]], versions[request.Versions[1]]
	if oldest == 0 || newest == 0 || oldest > newest {
		return nil, fmt.Errorf("%.100q is not a range of TLS versions that crypto/tls knows", request.Versions)
	}
	for _, protocol := range request.ALPN {
		if len(protocol) == 0 || len(protocol) > 255 {
			return nil, fmt.Errorf("%.300q is not an application protocol", protocol)
		}
	}
	return &tls.Config{
		ServerName: sni,
		MinVersion: oldest,
		MaxVersion: newest,
		NextProtos: request.ALPN,
		// The handshake goes to its end whatever the certificates are; trust is decided after it.
		InsecureSkipVerify: true,
		VerifyPeerCertificate: func(chain [][]byte, _ [][]*x509.Certificate) error {
			if !seen.take(chain) {
				return errChainTooLong
			}
			return nil
		},
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			seen.certificateRequested = true
			return new(tls.Certificate), nil // an empty one stands for none
		},
		SessionTicketsDisabled: true,
	}, nil
}

func (s *sightings) take(chain [][]byte) bool {
	bytes := 0
	for _, certificate := range chain {
		bytes += len(certificate)
	}
	if len(chain) > maxCertificates || bytes > maxChainBytes {
		return false
	}
	s.chain = chain
	return true
}
