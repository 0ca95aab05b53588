package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"probe/go-tls/internal/protocol"
)

const maxHeadBytes = 128 << 10

// head makes the one HTTP request over the connection that was judged, and never over another.
func head(
	ctx context.Context, asked protocol.HTTPRequest, client *tls.Conn, connection *boundedConnection,
) *protocol.HTTPReply {
	target, err := headTarget(asked, client.ConnectionState().NegotiatedProtocol)
	if err != nil {
		return &protocol.HTTPReply{Failure: err.Error()}
	}
	connection.bound(maxHeadBytes)
	judged := make(chan net.Conn, 1)
	judged <- client
	transport := &http.Transport{
		DialTLSContext: func(context.Context, string, string) (net.Conn, error) {
			select {
			case connection := <-judged:
				return connection, nil
			default: // net/http wants to try again on a new connection
				return nil, errors.New("the connection ended before the answer was complete")
			}
		},
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // else it adds Accept-Encoding
		MaxResponseHeaderBytes: maxHeadBytes,
	}
	defer transport.CloseIdleConnections()
	request := (&http.Request{
		Method: http.MethodHead, URL: target, Host: asked.Authority, Header: http.Header{"User-Agent": {"probe"}},
	}).WithContext(ctx)
	start := time.Now()
	response, err := transport.RoundTrip(request) // follows no redirect
	if err != nil {
		return &protocol.HTTPReply{Failure: headFailure(ctx, err), Duration: protocol.Seconds(start)}
	}
	defer response.Body.Close()
	version := "http/1.1"
	if response.ProtoMajor == 2 {
		version = "h2"
	}
	return &protocol.HTTPReply{Duration: protocol.Seconds(start), Response: &protocol.HTTPResponse{
		Version: version, Status: response.StatusCode, Date: response.Header.Values("Date"),
		Age: response.Header.Values("Age"), RetryAfter: response.Header.Values("Retry-After"),
	}}
}

// headFailure distinguishes the deadline from other ends; net/http may wrap the error of a read so that it is no timeout any more.
func headFailure(ctx context.Context, err error) string {
	deadline, bounded := ctx.Deadline()
	if isTimeout(err) || bounded && !time.Now().Before(deadline) {
		return "no response before the deadline: " + err.Error()
	}
	return err.Error()
}

// headTarget rejects a malformed HTTP request before a byte is sent.
func headTarget(asked protocol.HTTPRequest, chosen string) (*url.URL, error) {
	if chosen != "" && chosen != "h2" && chosen != "http/1.1" {
		return nil, fmt.Errorf("the server chose the protocol '%s', which is neither h2 nor http/1.1", chosen)
	}
	path, err := url.ParseRequestURI(asked.Path)
	if err != nil || !strings.HasPrefix(asked.Path, "/") {
		return nil, fmt.Errorf("%.100q is not a path", asked.Path)
	}
	path.Scheme, path.Host = "https", asked.Authority
	return path, nil
}
