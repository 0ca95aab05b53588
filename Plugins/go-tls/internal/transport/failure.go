package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"syscall"

	"probe/go-tls/internal/protocol"
)

func failure(code string, err error, native string) *protocol.Failure {
	return &protocol.Failure{Code: code, Message: err.Error(), NativeCode: protocol.Text(native)}
}

// dialFailure returns the reason why there is no TCP connection.
func dialFailure(err error) *protocol.Failure {
	var lookup *net.DNSError
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return failure("name-not-found", err, "net.DNSError")
	case errors.As(err, &lookup):
		return failure("name-lookup-failed", err, "net.DNSError")
	case isTimeout(err), errors.Is(err, syscall.ETIMEDOUT):
		return failure("connect-timeout", err, "")
	case errors.Is(err, syscall.ECONNREFUSED):
		return failure("connection-refused", err, "ECONNREFUSED")
	case errors.Is(err, syscall.ECONNRESET):
		return failure("connection-reset", err, "ECONNRESET")
	}
	for _, unreachable := range unreachables {
		if errors.Is(err, unreachable) {
			return failure("network-unreachable", err, "")
		}
	}
	return failure("backend-error", err, "")
}

// unreachables are the errors of the network, or of a firewall's rule, for a dial.
var unreachables = []error{
	syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.EHOSTDOWN, syscall.EADDRNOTAVAIL,
	syscall.EACCES, syscall.EPERM, syscall.EAFNOSUPPORT,
}

// handshakeFailure is why a handshake did not complete.
func handshakeFailure(err error) *protocol.Failure {
	var record tls.RecordHeaderError
	var operation *net.OpError
	switch {
	case errors.As(err, &operation) && operation.Op == "remote error":
		found := failure("alert-received", err, "")
		found.Alert = alertNumber(operation.Err)
		return found
	case errors.As(err, &record) && record.Conn != nil: // Go hands out the connection only where nothing was TLS
		return failure("not-tls", err, "tls.RecordHeaderError")
	case errors.As(err, &record):
		return failure("protocol-error", err, "tls.RecordHeaderError")
	case errors.Is(err, errChainTooLong):
		return failure("chain-too-long", err, "")
	case isTimeout(err):
		return failure("handshake-timeout", err, "")
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return failure("connection-reset", err, "ECONNRESET")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return failure("connection-closed", err, "")
	}
	return failure("protocol-error", err, "")
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &network) && network.Timeout()
}

// alertNumber looks into crypto/tls's own type of alert, a uint8 that it exports only since Go 1.21.
func alertNumber(alert error) *int {
	value := reflect.ValueOf(alert)
	if value.Kind() != reflect.Uint8 {
		return nil
	}
	number := int(value.Uint())
	return &number
}
