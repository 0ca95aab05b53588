// Package transport answers for Go's crypto/tls and crypto/x509.
package transport

import (
	"context"

	"probe/go-tls/internal/protocol"
)

// Capabilities are those of crypto/tls. It does not report the key exchange group (Go 1.19), so "group" is missing.
var Capabilities = []string{
	"presented-chain", "version-range", "key-reading", "trust-evaluation", "verified-path", "sni", "alpn", "ocsp-staple",
	"handshake-scts", "client-certificate-request", "late-refusal", "http-head",
}

// Handlers are the requests a transport answers.
func Handlers() map[string]protocol.Handler {
	anchors := new(anchorCache)
	return map[string]protocol.Handler{
		"handshake": func(ctx context.Context, request protocol.Request) (map[string]any, error) {
			var members protocol.HandshakeRequest
			if err := request.Read(&members); err != nil {
				return nil, err
			}
			shake := handshake{request: members, anchors: anchors}
			shake.approve = func(report protocol.HandshakeReport) bool { return request.Approve(ctx, report) }
			return map[string]any{"report": shake.run(ctx)}, nil
		},
		"evaluate-trust": func(ctx context.Context, request protocol.Request) (map[string]any, error) {
			var members protocol.TrustRequest
			if err := request.Read(&members); err != nil {
				return nil, err
			}
			question, err := newQuestion(members, anchors)
			if err != nil {
				return nil, err
			}
			return map[string]any{"trust": question.decide(ctx)}, nil
		},
		"read-key": func(_ context.Context, request protocol.Request) (map[string]any, error) {
			var members protocol.KeyRequest
			if err := request.Read(&members); err != nil {
				return nil, err
			}
			return map[string]any{"key": readKey(members.Certificate)}, nil
		},
	}
}
