package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strconv"
	"time"

	"probe/go-tls/internal/protocol"
)

// handshake is one connection and its facts.
type handshake struct {
	request protocol.HandshakeRequest
	anchors *anchorCache
	approve func(protocol.HandshakeReport) bool

	report protocol.HandshakeReport
	seen   sightings
}

func (h *handshake) run(ctx context.Context) protocol.HandshakeReport {
	host, isAddress, err := splitName(h.request.Name)
	if err == nil && h.request.Instant.IsZero() {
		err = errors.New("the request has no instant")
	}
	sni := host
	if isAddress {
		sni = ""
	}
	var configuration *tls.Config
	if err == nil {
		configuration, err = settings(h.request, sni, &h.seen)
	}
	if err != nil {
		h.report.Failure = failure("unsupported", err, "")
		return h.report
	}
	connection, err := h.connect(ctx)
	if err != nil {
		h.report.Failure = dialFailure(err)
		return h.report
	}
	defer connection.Close()
	client := tls.Client(connection, configuration)
	defer client.Close() // sends close_notify
	h.report.SNI = protocol.Text(sni)
	err = h.shake(ctx, client)
	h.report.Chain, h.report.Keys = h.seen.chain, readKeys(h.seen.chain)
	if err != nil {
		h.report.Failure = handshakeFailure(err)
		return h.report
	}
	h.describe(client.ConnectionState())
	refusal := h.lateRefusal(ctx, client)
	if h.request.HTTP == nil {
		client.Close() // before trust is decided, which may take a while
	}
	h.decide(ctx)
	if refusal != nil && h.report.Failure == nil {
		h.report.Failure = refusal
		return h.report
	}
	if h.request.HTTP != nil && h.approve(h.report) {
		h.report.HTTP = head(ctx, *h.request.HTTP, client, connection)
	}
	return h.report
}

func (h *handshake) connect(ctx context.Context) (*boundedConnection, error) {
	start := time.Now()
	var dialer net.Dialer
	endpoint := net.JoinHostPort(h.request.Host, strconv.Itoa(int(h.request.Port)))
	connection, err := dialer.DialContext(ctx, "tcp", endpoint)
	if err != nil {
		return nil, err
	}
	h.report.Timings.Connect = protocol.Seconds(start)
	h.report.Address = protocol.Text(connection.RemoteAddr().String())
	return &boundedConnection{Conn: connection}, nil
}

func (h *handshake) shake(ctx context.Context, client *tls.Conn) error {
	if deadline, set := ctx.Deadline(); set {
		if err := client.SetDeadline(deadline); err != nil {
			return err
		}
	}
	start := time.Now()
	err := client.Handshake()
	if h.seen.certificateRequested {
		h.report.ClientCertificateRequested = &h.seen.certificateRequested
	}
	if err == nil {
		h.report.Timings.Handshake = protocol.Seconds(start)
	}
	return err
}

// patience is how long a server may take to refuse a client without a certificate.
const patience = time.Second

// lateRefusal returns the server's refusal of a client without a certificate, which in TLS 1.3 comes after the handshake;
// nil if it accepts the client, or sends nothing for a moment. With a request to make, its answer shows it.
func (h *handshake) lateRefusal(ctx context.Context, client *tls.Conn) *protocol.Failure {
	if !h.seen.certificateRequested || h.request.HTTP != nil || client.ConnectionState().Version != tls.VersionTLS13 {
		return nil
	}
	until := time.Now().Add(patience)
	if deadline, set := ctx.Deadline(); set && deadline.Before(until) {
		until = deadline
	}
	if err := client.SetReadDeadline(until); err != nil {
		return nil
	}
	_, err := client.Read(make([]byte, 1))
	if err == nil || isTimeout(err) {
		return nil
	}
	found := handshakeFailure(err)
	found.AfterHandshake = true
	return found
}

// describe reads the facts that only a complete handshake has.
func (h *handshake) describe(state tls.ConnectionState) {
	h.report.Version = versionName(state.Version)
	h.report.CipherSuite = protocol.Text(tls.CipherSuiteName(state.CipherSuite))
	h.report.ALPN = protocol.Text(state.NegotiatedProtocol)
	if len(state.OCSPResponse) > 0 {
		h.report.OCSPStaple = state.OCSPResponse
	}
	h.report.HandshakeSCTs = state.SignedCertificateTimestamps
	h.report.ClientCertificateRequested = &h.seen.certificateRequested
}

func (h *handshake) decide(ctx context.Context) {
	start := time.Now()
	asked, err := newQuestion(protocol.TrustRequest{
		Chain: h.seen.chain, Anchors: h.request.Anchors, Name: &h.request.Name, Instant: h.request.Instant,
		Purpose: "server",
	}, h.anchors)
	if err != nil {
		h.report.Failure = failure("backend-error", err, "")
		return
	}
	trust := asked.decide(ctx)
	h.report.Trust = &trust
	h.report.Timings.Trust = protocol.Seconds(start)
}
