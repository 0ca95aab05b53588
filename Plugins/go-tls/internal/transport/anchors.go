package transport

import (
	"crypto/x509"
	"sync"

	"probe/go-tls/internal/protocol"
)

// anchorSet is a parsed set of trusted certificates. Those that Go can't parse can't be trusted by it either.
type anchorSet struct {
	certificates []*x509.Certificate
	pool         *x509.CertPool
}

func newAnchorSet(certificates [][]byte) *anchorSet {
	set := &anchorSet{pool: x509.NewCertPool()}
	for _, der := range certificates {
		if certificate, err := x509.ParseCertificate(der); err == nil {
			set.certificates = append(set.certificates, certificate)
			set.pool.AddCert(certificate)
		}
	}
	return set
}

// maxAnchorSets bounds the memory that the cache takes; a run of probe has few sets.
const maxAnchorSets = 32

// anchorCache spares parsing hundreds of authorities for each handshake.
type anchorCache struct {
	mutex sync.Mutex
	sets  map[string]*anchorSet
}

func (c *anchorCache) set(anchors protocol.Anchors) *anchorSet {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if set, known := c.sets[anchors.SHA256]; known {
		return set
	}
	set := newAnchorSet(anchors.Certificates)
	if anchors.SHA256 == "" {
		return set
	}
	if c.sets == nil || len(c.sets) >= maxAnchorSets {
		c.sets = make(map[string]*anchorSet)
	}
	c.sets[anchors.SHA256] = set
	return set
}
