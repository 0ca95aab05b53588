// Package protocol implements the program protocol of probe, version 1, over standard input and output.
package protocol

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"time"
)

// maxLine bounds what one request may make the program hold in memory.
const maxLine = 64 << 20

// farewell is how long requests under way may go on after the input has ended; the protocol allows two seconds.
const farewell = 1500 * time.Millisecond

// Handler answers one request; the reply's id and type are those of the request.
// The context ends at the request's deadline.
type Handler func(ctx context.Context, request Request) (reply map[string]any, err error)

// Session reads requests and writes their replies, each as soon as it is known.
type Session struct {
	Hello    Hello
	Handlers map[string]Handler

	output    io.Writer
	writing   sync.Mutex
	approvals approvals
}

// Serve answers requests until the input ends.
func (s *Session) Serve(input io.Reader, output io.Writer) error {
	s.output = output
	reader := bufio.NewReaderSize(input, 64<<10)
	var underWay sync.WaitGroup
	for {
		line, err := readLine(reader)
		if errors.Is(err, errLineTooLong) {
			log.Print(err)
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) > 0 {
			s.take(line, &underWay)
		}
		if err != nil {
			waitAtMost(farewell, &underWay)
			return nil
		}
	}
}

// take starts the work on one line, which never holds up the next line.
func (s *Session) take(line []byte, underWay *sync.WaitGroup) {
	request := Request{session: s, line: line}
	if err := json.Unmarshal(line, &request); err != nil || request.ID == nil {
		log.Printf("this is not a request: %.100q", line) // it has no id that an error could name
		return
	}
	if request.Type == "approval" {
		s.approvals.deliver(*request.ID, request.Approved)
		return
	}
	if request.Type == "hello" {
		hello := s.Hello
		hello.ID = *request.ID
		s.write(hello)
		return
	}
	underWay.Add(1)
	go func() {
		defer underWay.Done()
		s.answer(request)
	}()
}

func (s *Session) answer(request Request) {
	// A request that the library can't survive costs itself alone.
	defer func() {
		if fault := recover(); fault != nil {
			s.refuse(request, fmt.Sprintf("the program failed: %v", fault))
		}
	}()
	handler, known := s.Handlers[request.Type]
	if !known {
		s.refuse(request, fmt.Sprintf("%.100q is not a type of request that this program knows", request.Type))
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), request.timeout())
	defer cancel()
	reply, err := handler(ctx, request)
	if err != nil {
		s.refuse(request, err.Error())
		return
	}
	reply["id"], reply["type"] = *request.ID, request.Type
	s.write(reply)
}

func (s *Session) refuse(request Request, message string) {
	s.write(map[string]any{"id": *request.ID, "type": "error", "message": message})
}

// write puts one message on a line of its own, whole.
func (s *Session) write(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		log.Printf("a reply can't be written: %v", err)
		return
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.output.Write(append(line, '\n')); err != nil {
		log.Printf("a reply was not taken: %v", err)
	}
}

func waitAtMost(limit time.Duration, group *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}
