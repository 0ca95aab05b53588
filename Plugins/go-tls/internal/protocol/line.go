package protocol

import (
	"bufio"
	"bytes"
	"errors"
)

var errLineTooLong = errors.New("a line was too long and is dropped")

// readLine returns the next line without its end. A line beyond maxLine is read to its end and dropped.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := reader.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil && tooLong:
			return nil, errLineTooLong
		default:
			return bytes.TrimSpace(line), err
		}
	}
}
