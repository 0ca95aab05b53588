package protocol

import "time"

// Hello is the answer to the first request.
type Hello struct {
	ID           int64    `json:"id"`
	Type         string   `json:"type"`
	Protocol     int      `json:"protocol"`
	Kind         string   `json:"kind"`
	Name         string   `json:"name"`
	Library      string   `json:"library"`
	Version      string   `json:"version"`
	Capabilities []string `json:"capabilities"`
}

// HandshakeRequest asks for one full handshake.
type HandshakeRequest struct {
	Host     string       `json:"host"`
	Port     uint16       `json:"port"`
	Name     string       `json:"name"`
	Versions []string     `json:"versions"`
	ALPN     []string     `json:"alpn"`
	Anchors  Anchors      `json:"anchors"`
	Instant  time.Time    `json:"instant"`
	HTTP     *HTTPRequest `json:"http"`
}

// HTTPRequest is what to ask once the handshake is approved.
type HTTPRequest struct {
	Authority string `json:"authority"`
	Path      string `json:"path"`
}

// HandshakeReport is all that was seen of a server, also before a failure.
type HandshakeReport struct {
	Address                    *string    `json:"address"`
	SNI                        *string    `json:"sni"`
	Chain                      []Bytes    `json:"chain"`
	Keys                       []Key      `json:"keys"`
	Version                    *string    `json:"version"`
	CipherSuite                *string    `json:"cipherSuite"`
	Group                      *string    `json:"group"`
	ALPN                       *string    `json:"alpn"`
	OCSPStaple                 Bytes      `json:"ocspStaple"`
	HandshakeSCTs              []Bytes    `json:"handshakeSCTs"`
	ClientCertificateRequested *bool      `json:"clientCertificateRequested"`
	Trust                      *Trust     `json:"trust"`
	HTTP                       *HTTPReply `json:"http"`
	Timings                    Timings    `json:"timings"`
	Failure                    *Failure   `json:"failure"`
}

// HTTPReply is the server's answer to the HEAD request, or why there is none.
type HTTPReply struct {
	Response *HTTPResponse `json:"response,omitempty"`
	Failure  string        `json:"failure,omitempty"`
	Duration *float64      `json:"duration,omitempty"`
}

// HTTPResponse has the fields with the server's time.
type HTTPResponse struct {
	Version    string   `json:"version"`
	Status     int      `json:"status"`
	Date       []string `json:"date"`
	Age        []string `json:"age"`
	RetryAfter []string `json:"retryAfter"`
}

// TrustRequest asks for a decision without a connection.
type TrustRequest struct {
	Chain    []Bytes   `json:"chain"`
	Anchors  Anchors   `json:"anchors"`
	Name     *string   `json:"name"`
	Instant  time.Time `json:"instant"`
	Purpose  string    `json:"purpose"`
	MaxDepth *int      `json:"maxDepth"`
}

// KeyRequest asks for the key of one certificate.
type KeyRequest struct {
	Certificate Bytes `json:"certificate"`
}
