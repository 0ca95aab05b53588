package protocol

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// longestWait bounds a deadline that is missing or makes no sense.
const longestWait = time.Hour

// Request is one line of the input.
type Request struct {
	ID       *int64  `json:"id"`
	Type     string  `json:"type"`
	Deadline float64 `json:"deadline"`
	Approved bool    `json:"approved"`

	session *Session
	line    []byte
}

// Read takes the members of the request's type.
func (r Request) Read(members any) error {
	if err := json.Unmarshal(r.line, members); err != nil {
		return fmt.Errorf("the request can't be read: %w", err)
	}
	return nil
}

// Approve shows the report so far and waits for the answer to it: no, when none comes in time.
func (r Request) Approve(ctx context.Context, report any) bool {
	answer := r.session.approvals.expect(*r.ID)
	defer r.session.approvals.forget(*r.ID)
	r.session.write(map[string]any{"id": *r.ID, "type": "approve", "report": report})
	select {
	case approved := <-answer:
		return approved
	case <-ctx.Done():
		return false
	}
}

func (r Request) timeout() time.Duration {
	if r.Deadline > 0 && r.Deadline < longestWait.Seconds() {
		return time.Duration(r.Deadline * float64(time.Second))
	}
	return longestWait
}
