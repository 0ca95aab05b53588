package protocol

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"strings"
	"testing"
	"time"
)

// talk runs a session and returns what to write to it and to read from it.
func talk(t *testing.T, handlers map[string]Handler) (io.WriteCloser, *bufio.Scanner, <-chan error) {
	t.Helper()
	log.SetOutput(io.Discard)
	requests, input := io.Pipe()
	output, replies := io.Pipe()
	ended := make(chan error, 1)
	session := &Session{Hello: Hello{Type: "hello", Protocol: 1, Name: "test"}, Handlers: handlers}
	go func() {
		ended <- session.Serve(requests, replies)
		replies.Close()
	}()
	t.Cleanup(func() { input.Close() })
	return input, bufio.NewScanner(output), ended
}

func next(t *testing.T, replies *bufio.Scanner) map[string]any {
	t.Helper()
	if !replies.Scan() {
		t.Fatal("there is no reply")
	}
	var reply map[string]any
	if err := json.Unmarshal(replies.Bytes(), &reply); err != nil {
		t.Fatalf("%q is not a reply: %v", replies.Text(), err)
	}
	return reply
}

func TestWhatIsNoRequestIsDropped(t *testing.T) {
	input, replies, _ := talk(t, nil)
	for _, line := range []string{"garbage", "", "[]", "null", "{}", `{"id":"x"}`, strings.Repeat("[", 1<<20)} {
		fmt.Fprintln(input, line)
	}
	fmt.Fprintln(input, `{"id":3,"type":"hello"}`)
	if reply := next(t, replies); reply["type"] != "hello" || reply["id"] != 3.0 {
		t.Errorf("the hello was answered with %v", reply)
	}
}

func TestALineTooLongIsDropped(t *testing.T) {
	input, replies, _ := talk(t, nil)
	go func() {
		for i := 0; i <= maxLine>>20; i++ {
			io.WriteString(input, strings.Repeat("a", 1<<20))
		}
		fmt.Fprint(input, "\n", `{"id":3,"type":"hello"}`, "\n")
	}()
	if reply := next(t, replies); reply["type"] != "hello" {
		t.Errorf("the hello was answered with %v", reply)
	}
}

func TestARequestThatFailsCostsItself(t *testing.T) {
	input, replies, _ := talk(t, map[string]Handler{
		"fault": func(context.Context, Request) (map[string]any, error) { panic("a bug") },
	})
	for _, kind := range []string{"fault", "unknown"} {
		fmt.Fprintf(input, "{\"id\":3,\"type\":%q}\n", kind)
		if reply := next(t, replies); reply["type"] != "error" {
			t.Errorf("%s was answered with %v", kind, reply)
		}
	}
}

func TestApprovalReachesItsRequest(t *testing.T) {
	input, replies, _ := talk(t, map[string]Handler{
		"ask": func(ctx context.Context, request Request) (map[string]any, error) {
			return map[string]any{"approved": request.Approve(ctx, "report")}, nil
		},
	})
	for id, approved := range []bool{true, false} {
		fmt.Fprintf(input, "{\"id\":%d,\"type\":\"ask\",\"deadline\":5}\n", id)
		if reply := next(t, replies); reply["type"] != "approve" {
			t.Fatalf("there is no question but %v", reply)
		}
		fmt.Fprintln(input, `{"id":9,"type":"approval","approved":true}`) // not asked for
		fmt.Fprintf(input, "{\"id\":%d,\"type\":\"approval\",\"approved\":%t}\n", id, approved)
		if reply := next(t, replies); reply["approved"] != approved {
			t.Errorf("%t came as %v", approved, reply)
		}
	}
}

func TestTheDeadlineIsANo(t *testing.T) {
	input, replies, _ := talk(t, map[string]Handler{
		"ask": func(ctx context.Context, request Request) (map[string]any, error) {
			return map[string]any{"approved": request.Approve(ctx, "report")}, nil
		},
	})
	fmt.Fprintln(input, `{"id":1,"type":"ask","deadline":0.05}`)
	next(t, replies)
	if reply := next(t, replies); reply["approved"] != false {
		t.Errorf("silence came as %v", reply)
	}
}

func TestItEndsWithItsInput(t *testing.T) {
	input, _, ended := talk(t, map[string]Handler{
		"hang": func(context.Context, Request) (map[string]any, error) { select {} },
	})
	fmt.Fprintln(input, `{"id":1,"type":"hang"}`)
	input.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(2 * time.Second):
		t.Error("it goes on")
	}
}
