package transport

import (
	"crypto/rsa"
	"errors"
	"strings"
)

// isBadSignature reads the words of crypto/x509 where it has neither a type nor a value for a signature that is wrong.
func isBadSignature(err error) bool {
	return errors.Is(err, rsa.ErrVerification) ||
		err.Error() == "x509: ECDSA verification failure" || err.Error() == "x509: Ed25519 verification failure"
}

// isTooComplex reads the words with which the search for a path gives up.
func isTooComplex(err error) bool {
	return strings.HasPrefix(err.Error(), "x509: signature check attempts limit reached")
}
