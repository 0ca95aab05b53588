// Program probe-transport-go-tls lets probe look at servers through Go's crypto/tls and crypto/x509.
package main

import (
	"log"
	"os"
	"runtime"

	"probe/go-tls/internal/protocol"
	"probe/go-tls/internal/transport"
)

func main() {
	log.SetFlags(0)
	session := protocol.Session{
		Hello: protocol.Hello{
			Type: "hello", Protocol: 1, Kind: "transport", Name: "go-tls",
			Library: "Go crypto/tls", Version: runtime.Version(), Capabilities: transport.Capabilities,
		},
		Handlers: transport.Handlers(),
	}
	if err := session.Serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
