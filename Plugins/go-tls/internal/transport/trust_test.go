package transport

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"testing"
	"time"

	"probe/go-tls/internal/protocol"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// issuer is an authority, or one that claims its name.
type issuer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func issue(t *testing.T, by *issuer, template x509.Certificate) issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(1)
	template.NotBefore, template.NotAfter = noon.Add(-time.Hour), noon.Add(time.Hour)
	if by == nil {
		by = &issuer{&template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, by.certificate, &key.PublicKey, by.key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return issuer{certificate, key}
}

func TestCauses(t *testing.T) {
	authority := x509.Certificate{Subject: pkix.Name{CommonName: "CA"}, IsCA: true, BasicConstraintsValid: true}
	root, forger := issue(t, nil, authority), issue(t, nil, authority)
	server := x509.Certificate{Subject: pkix.Name{CommonName: "S"}, DNSNames: []string{"good.test"}}
	mail := server
	mail.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageEmailProtection}
	leaf, selfSigned := issue(t, &root, server), issue(t, nil, server)
	good := [][]byte{leaf.certificate.Raw}
	for _, test := range []struct {
		name   string
		change func(*protocol.TrustRequest)
		causes []string
	}{
		{"good", func(*protocol.TrustRequest) {}, nil},
		{"early", func(r *protocol.TrustRequest) { r.Instant = noon.Add(-2 * time.Hour) }, []string{"not-yet-valid"}},
		{"late", func(r *protocol.TrustRequest) { r.Instant = noon.Add(2 * time.Hour) }, []string{"expired"}},
		{"empty", func(r *protocol.TrustRequest) { r.Chain = nil }, []string{"malformed"}},
		{"garbage", func(r *protocol.TrustRequest) { r.Chain = append(good, []byte{1}) }, []string{"malformed"}},
		{"no anchor", func(r *protocol.TrustRequest) { r.Anchors = protocol.Anchors{} }, []string{"unknown-issuer"}},
		{"forged", func(r *protocol.TrustRequest) {
			r.Anchors = protocol.Anchors{Certificates: [][]byte{forger.certificate.Raw}}
		}, []string{"bad-signature"}},
		{"self-signed, other name", func(r *protocol.TrustRequest) {
			r.Chain, r.Name = [][]byte{selfSigned.certificate.Raw}, protocol.Text("dns:other.test")
		}, []string{"self-signed", "hostname-mismatch"}},
		{"purpose", func(r *protocol.TrustRequest) {
			r.Chain = [][]byte{issue(t, &root, mail).certificate.Raw}
		}, []string{"wrong-purpose"}},
	} {
		request := protocol.TrustRequest{
			Chain: good, Anchors: protocol.Anchors{SHA256: "root", Certificates: [][]byte{root.certificate.Raw}},
			Name: protocol.Text("dns:GOOD.test"), Instant: noon, Purpose: "server",
		}
		test.change(&request)
		asked, err := newQuestion(request, new(anchorCache))
		if err != nil {
			t.Fatal(err)
		}
		trust := asked.decide(context.Background())
		var causes []string
		for _, problem := range trust.Problems {
			causes = append(causes, problem.Cause)
		}
		if !equal(causes, test.causes) || trust.Accepted != (len(test.causes) == 0) {
			t.Errorf("%s: %v, wanted are %v", test.name, trust.Problems, test.causes)
		}
	}
}

func equal(some, others []string) bool {
	if len(some) != len(others) {
		return false
	}
	for i := range some {
		if some[i] != others[i] {
			return false
		}
	}
	return true
}
