package transport

import (
	"context"
	"crypto/x509"
	"fmt"
	"strings"
	"time"

	"probe/go-tls/internal/protocol"
)

// question is what Go is asked to decide about a chain.
type question struct {
	chain    [][]byte
	anchors  *anchorSet
	host     string // as VerifyHostname wants it; empty asks about the chain alone
	instant  time.Time
	usage    x509.ExtKeyUsage
	maxDepth *int
}

func newQuestion(request protocol.TrustRequest, anchors *anchorCache) (*question, error) {
	usages := map[string]x509.ExtKeyUsage{
		"server": x509.ExtKeyUsageServerAuth, "client": x509.ExtKeyUsageClientAuth, "any": x509.ExtKeyUsageAny,
	}
	usage, known := usages[request.Purpose]
	if !known {
		return nil, fmt.Errorf("%.100q is not a purpose; it is server, client or any", request.Purpose)
	}
	// Go takes the zero time for the present.
	if request.Instant.IsZero() {
		return nil, fmt.Errorf("the request has no instant")
	}
	asked := &question{
		chain: request.Chain, anchors: anchors.set(request.Anchors), instant: request.Instant, usage: usage,
		maxDepth: request.MaxDepth,
	}
	if request.Name != nil {
		host, _, err := splitName(*request.Name)
		if err != nil {
			return nil, err
		}
		asked.host = host
	}
	return asked, nil
}

// splitName takes "dns:good.test" or "ip:::1" apart; an address comes in brackets, so that Go takes it for no name.
func splitName(name string) (host string, isAddress bool, err error) {
	if host, found := cutPrefix(name, "dns:"); found && host != "" {
		return strings.ToLower(host), false, nil
	}
	if address, found := cutPrefix(name, "ip:"); found && address != "" {
		return "[" + address + "]", true, nil
	}
	return "", false, fmt.Errorf("%.100q is not a name; it starts with dns: or ip:", name)
}

// cutPrefix is strings.CutPrefix, which came with Go 1.20.
func cutPrefix(text, prefix string) (string, bool) {
	return strings.TrimPrefix(text, prefix), strings.HasPrefix(text, prefix)
}

// decide refuses what Go could not decide in time: x509.Verify can't be interrupted.
func (q *question) decide(ctx context.Context) protocol.Trust {
	decided := make(chan protocol.Trust, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				decided <- refusal(protocol.Problem{Cause: "other", Message: fmt.Sprintf("crypto/x509 failed: %v", fault)})
			}
		}()
		decided <- q.verify()
	}()
	select {
	case trust := <-decided:
		return trust
	case <-ctx.Done():
		return refusal(protocol.Problem{Cause: "too-complex", Message: "crypto/x509 did not decide before the deadline"})
	}
}

func (q *question) verify() protocol.Trust {
	certificates, problems := q.parse()
	if len(problems) > 0 {
		return refusal(problems...)
	}
	leaf := certificates[0]
	intermediates := x509.NewCertPool()
	for _, certificate := range certificates[1:] {
		intermediates.AddCert(certificate)
	}
	paths, err := leaf.Verify(x509.VerifyOptions{
		Roots: q.anchors.pool, Intermediates: intermediates, CurrentTime: q.instant,
		KeyUsages: []x509.ExtKeyUsage{q.usage},
	})
	refused := reading{certificates: certificates, anchors: q.anchors.certificates, instant: q.instant}
	if err != nil {
		problems = append(problems, refused.problems(err)...)
	}
	// Verify stops at its first error: the name is verified separately, so that both are reported.
	if q.host != "" {
		if err := leaf.VerifyHostname(q.host); err != nil {
			problems = append(problems, refused.problems(err)...)
		}
	}
	if len(problems) > 0 {
		return refusal(problems...)
	}
	return q.shortEnough(paths)
}

// parse refuses a chain with a certificate that Go can't parse, wherever it is: so does crypto/tls.
func (q *question) parse() ([]*x509.Certificate, []protocol.Problem) {
	if len(q.chain) == 0 {
		return nil, []protocol.Problem{{Cause: "malformed", Message: "the chain has no certificate"}}
	}
	var certificates []*x509.Certificate
	var problems []protocol.Problem
	for i, der := range q.chain {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			depth := i
			problems = append(problems, protocol.Problem{Cause: "malformed", Message: err.Error(), Depth: &depth})
			continue
		}
		certificates = append(certificates, certificate)
	}
	return certificates, problems
}

// shortEnough chooses the first path within the depth. Go itself knows no such limit, but returns every path.
func (q *question) shortEnough(paths [][]*x509.Certificate) protocol.Trust {
	for _, path := range paths {
		if q.maxDepth == nil || len(path)-2 <= *q.maxDepth {
			return protocol.Trust{Accepted: true, Problems: []protocol.Problem{}, Path: encoded(path)}
		}
	}
	return refusal(protocol.Problem{
		Cause: "constraint-violated", Message: fmt.Sprintf("each path has more than %d intermediates", *q.maxDepth),
	})
}

func encoded(path []*x509.Certificate) [][]byte {
	var certificates [][]byte
	for _, certificate := range path {
		certificates = append(certificates, certificate.Raw)
	}
	return certificates
}

func refusal(problems ...protocol.Problem) protocol.Trust {
	return protocol.Trust{Problems: problems}
}
