package transport

import (
	"bytes"
	"crypto/x509"
	"errors"
	"time"

	"probe/go-tls/internal/protocol"
)

// reading puts Go's errors about a chain into the protocol's words.
type reading struct {
	certificates []*x509.Certificate
	anchors      []*x509.Certificate
	instant      time.Time
}

// invalidReasons are the causes of x509.CertificateInvalidError, but for Expired, which has two.
var invalidReasons = map[x509.InvalidReason]struct{ cause, code string }{
	x509.NotAuthorizedToSign:           {"constraint-violated", "x509.NotAuthorizedToSign"},
	x509.CANotAuthorizedForThisName:    {"constraint-violated", "x509.CANotAuthorizedForThisName"},
	x509.TooManyIntermediates:          {"constraint-violated", "x509.TooManyIntermediates"},
	x509.IncompatibleUsage:             {"wrong-purpose", "x509.IncompatibleUsage"},
	x509.NameMismatch:                  {"unknown-issuer", "x509.NameMismatch"},
	x509.NameConstraintsWithoutSANs:    {"constraint-violated", "x509.NameConstraintsWithoutSANs"},
	x509.UnconstrainedName:             {"constraint-violated", "x509.UnconstrainedName"},
	x509.TooManyConstraints:            {"too-complex", "x509.TooManyConstraints"},
	x509.CANotAuthorizedForExtKeyUsage: {"wrong-purpose", "x509.CANotAuthorizedForExtKeyUsage"},
}

func (r reading) problems(err error) []protocol.Problem {
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var critical x509.UnhandledCriticalExtension
	switch {
	case errors.As(err, &invalid):
		cause, code := r.invalid(invalid)
		return []protocol.Problem{problem(cause, code, err, r.depth(invalid.Cert))}
	case errors.As(err, &unknown):
		return r.unknownAuthority(unknown)
	case errors.As(err, &hostname):
		leaf := 0
		return []protocol.Problem{problem("hostname-mismatch", "x509.HostnameError", err, &leaf)}
	case errors.As(err, &critical):
		return []protocol.Problem{problem("constraint-violated", "x509.UnhandledCriticalExtension", err, nil)}
	}
	cause, code := signatureCause(err)
	return []protocol.Problem{problem(cause, code, err, nil)}
}

func (r reading) invalid(invalid x509.CertificateInvalidError) (cause, code string) {
	if invalid.Reason == x509.Expired {
		if r.instant.Before(invalid.Cert.NotBefore) {
			return "not-yet-valid", "x509.Expired"
		}
		return "expired", "x509.Expired"
	}
	if known, found := invalidReasons[invalid.Reason]; found {
		return known.cause, known.code
	}
	return "other", "x509.CertificateInvalidError"
}

// unknownAuthority reports why no issuer was found. Go hides the reason inside the error's text, so the candidates for
// issuer, which it went through by their names, are asked again one by one.
func (r reading) unknownAuthority(unknown x509.UnknownAuthorityError) []protocol.Problem {
	child, depth := unknown.Cert, r.depth(unknown.Cert)
	if child == nil {
		return []protocol.Problem{problem("unknown-issuer", "x509.UnknownAuthorityError", unknown, nil)}
	}
	var problems []protocol.Problem
	for _, candidate := range append(append([]*x509.Certificate{}, r.certificates...), r.anchors...) {
		if !bytes.Equal(candidate.RawSubject, child.RawIssuer) || candidate.Equal(child) {
			continue
		}
		if err := child.CheckSignatureFrom(candidate); err != nil {
			cause, code := signatureCause(err)
			problems = append(problems, problem(cause, code, err, depth))
		}
	}
	if len(problems) > 0 {
		return problems
	}
	cause := "unknown-issuer"
	if len(r.certificates) > 0 && child.Equal(r.certificates[0]) && bytes.Equal(child.RawSubject, child.RawIssuer) {
		cause = "self-signed"
	}
	return []protocol.Problem{problem(cause, "x509.UnknownAuthorityError", unknown, depth)}
}

// signatureCause is why one certificate did not sign another. Go has no type for a signature that does not verify.
func signatureCause(err error) (cause, code string) {
	var weak x509.InsecureAlgorithmError
	var constraint x509.ConstraintViolationError
	switch {
	case errors.As(err, &weak):
		return "weak-signature", "x509.InsecureAlgorithmError"
	case errors.As(err, &constraint):
		return "constraint-violated", "x509.ConstraintViolationError"
	case errors.Is(err, x509.ErrUnsupportedAlgorithm):
		return "other", "x509.ErrUnsupportedAlgorithm"
	case isBadSignature(err):
		return "bad-signature", ""
	case isTooComplex(err):
		return "too-complex", ""
	}
	return "other", ""
}

func problem(cause, code string, err error, depth *int) protocol.Problem {
	return protocol.Problem{Cause: cause, Message: err.Error(), NativeCode: protocol.Text(code), Depth: depth}
}

// depth counts from the leaf; an anchor that was not sent has none.
func (r reading) depth(certificate *x509.Certificate) *int {
	for i, sent := range r.certificates {
		if certificate != nil && sent.Equal(certificate) {
			return &i
		}
	}
	return nil
}
