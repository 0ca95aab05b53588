package transport

import (
	"crypto/tls"
	"net"
	"testing"
	"time"
)

// A peer's bytes in place of a ServerHello, and the failure. The test would fail with a Go that hides its alerts again.
func TestFailuresOfAHandshake(t *testing.T) {
	for said, wanted := range map[string]string{
		"\x15\x03\x03\x00\x02\x02\x28":         "alert-received",
		"220 mail.test ESMTP\r\n":              "not-tls",
		"\x16\x03":                             "connection-closed",
		"":                                     "connection-closed",
		"\x16\x03\x03\x00\x04\x00\xff\xff\xff": "protocol-error",
	} {
		client, server := net.Pipe()
		go func() {
			server.SetDeadline(time.Now().Add(5 * time.Second))
			server.Read(make([]byte, 4096))
			server.Write([]byte(said))
			server.Close()
		}()
		client.SetDeadline(time.Now().Add(5 * time.Second))
		err := tls.Client(client, &tls.Config{InsecureSkipVerify: true}).Handshake()
		if err == nil {
			t.Fatalf("%q is a handshake", said)
		}
		found := handshakeFailure(err)
		if found.Code != wanted {
			t.Errorf("%q is %s (%v), and not %s", said, found.Code, err, wanted)
		}
		if wanted == "alert-received" && (found.Alert == nil || *found.Alert != 40) {
			t.Errorf("the alert is %v", found.Alert)
		}
		client.Close()
	}
}
