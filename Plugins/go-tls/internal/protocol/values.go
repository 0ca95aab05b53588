package protocol

import "time"

// Bytes is base64 with padding on the wire; nil is null.
type Bytes = []byte

// Anchors is a set of trusted certificates in DER. Equal digests mean the same set.
type Anchors struct {
	SHA256       string  `json:"sha256"`
	Certificates []Bytes `json:"certificates"`
}

// Problem is one reason against a chain.
type Problem struct {
	Cause      string  `json:"cause"`
	Message    string  `json:"message"`
	NativeCode *string `json:"nativeCode"`
	Depth      *int    `json:"depth"`
}

// Trust is the library's decision on a chain. Path is the validated path, leaf first.
type Trust struct {
	Accepted bool      `json:"accepted"`
	Problems []Problem `json:"problems"`
	Path     []Bytes   `json:"path"`
}

// Key is the library's own encoding of a public key, or why it can't read it.
type Key struct {
	SPKI       Bytes  `json:"spki,omitempty"`
	Unreadable string `json:"unreadable,omitempty"`
}

// Failure is why a handshake did not complete.
type Failure struct {
	Code       string  `json:"code"`
	Message    string  `json:"message"`
	NativeCode *string `json:"nativeCode"`
	Alert      *int    `json:"alert"`
	// AfterHandshake is true if the client's side of the handshake was complete.
	AfterHandshake bool `json:"afterHandshake,omitempty"`
}

// Timings are in seconds; nil where a step was not reached.
type Timings struct {
	Connect   *float64 `json:"connect"`
	Handshake *float64 `json:"handshake"`
	Trust     *float64 `json:"trust"`
}

// Seconds is the time since start, as the protocol writes durations.
func Seconds(start time.Time) *float64 {
	seconds := time.Since(start).Seconds()
	return &seconds
}

// Text is a member that may be null: the empty string is.
func Text(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}
