// A scanner that does the least that one can: targets from standard input, handshakes with Go's crypto/tls, which verifies
// each chain, and a line with the certificates' digests for each. What `probe scan` costs is measured against it.
//
//	scanner CA CONCURRENCY < targets    with ADDRESS:PORT,NAME a line
package main

import (
	"bufio"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	pem, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	workers, _ := strconv.Atoi(os.Args[2])

	targets, lines := make(chan string, 1024), make(chan string, 1024)
	var working, writing sync.WaitGroup
	for i := 0; i < workers; i++ {
		working.Add(1)
		go func() {
			defer working.Done()
			for target := range targets {
				address, name, _ := strings.Cut(target, ",")
				lines <- probe(address, name, roots)
			}
		}()
	}
	writing.Add(1)
	go func() {
		defer writing.Done()
		out := bufio.NewWriter(os.Stdout)
		for line := range lines {
			fmt.Fprintln(out, line)
		}
		out.Flush()
	}()
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		targets <- in.Text()
	}
	close(targets)
	working.Wait()
	close(lines)
	writing.Wait()
}

func probe(address, name string, roots *x509.CertPool) string {
	dialer := net.Dialer{Timeout: 10 * time.Second}
	connection, err := tls.DialWithDialer(&dialer, "tcp", address, &tls.Config{ServerName: name, RootCAs: roots})
	if err != nil {
		return fmt.Sprintf(`{"target":%q,"error":%q}`, name, err)
	}
	defer connection.Close()
	state := connection.ConnectionState()
	digests := []string{}
	for _, certificate := range state.PeerCertificates {
		digests = append(digests, fmt.Sprintf(`"%x"`, sha256.Sum256(certificate.RawSubjectPublicKeyInfo)))
	}
	return fmt.Sprintf(`{"target":%q,"version":%d,"suite":%d,"spki":[%s]}`,
		name, state.Version, state.CipherSuite, strings.Join(digests, ","))
}
