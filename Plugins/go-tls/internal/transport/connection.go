package transport

import (
	"errors"
	"net"
	"sync/atomic"
)

var errTooMuchSaid = errors.New("the server said more than 131072 bytes before its answer was complete")

// boundedConnection reads no more than its limit, once that is set.
type boundedConnection struct {
	net.Conn
	isBound   atomic.Bool
	remaining atomic.Int64
}

func (c *boundedConnection) bound(most int64) {
	c.remaining.Store(most)
	c.isBound.Store(true)
}

func (c *boundedConnection) Read(buffer []byte) (int, error) {
	if c.isBound.Load() {
		remaining := c.remaining.Load()
		if remaining <= 0 {
			return 0, errTooMuchSaid
		}
		if int64(len(buffer)) > remaining {
			buffer = buffer[:remaining]
		}
	}
	count, err := c.Conn.Read(buffer)
	c.remaining.Add(-int64(count))
	return count, err
}
