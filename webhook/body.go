package webhook

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
)

// DefaultMaxBodyBytes is the size of the largest body that is read. A review of 10,000 objects
// of 10 kB, the largest in KEP-95's plans, is about 100 MB.
const DefaultMaxBodyBytes = 128 << 20

// LargestMaxBodyBytes is the highest possible limit: positions in a body are int32, and one
// byte is read beyond the limit.
const LargestMaxBodyBytes = math.MaxInt32 - 1

// receive reads the whole body of a peer. Once a body has become larger than a part, receive
// reserves the memory that work needs for it. It fails with an *httpError.
func (f *front) receive(p *peer, r *http.Request, limit int64, work work) (*buffer, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	a := arriving{front: f, peer: p, work: work}
	body, err := a.read(r.Body, limit)
	if err != nil {
		a.drop()
	}
	return body, err
}

// work is the computation on a body of n bytes.
type work interface {
	// need returns how many bytes of memory work takes, including the body.
	need(n int) int
}

// arriving is the part of a body that has arrived, whatever length was announced. It is a
// buffer that grows up to the size of a part, and then one part after the other, so a large
// body is neither copied as it grows nor left to the garbage collector.
type arriving struct {
	*front
	peer *peer
	work work
	// full are the complete parts, and held is their size in bytes. last is the part that is
	// being filled.
	full []*buffer
	held int
	last *buffer
}

// read reads a body to its end.
func (a *arriving) read(body io.Reader, limit int64) (*buffer, error) {
	for {
		if a.last == nil || len(a.last.bytes) == cap(a.last.bytes) {
			if err := a.grow(); err != nil {
				return nil, a.memory.refuse(err, true)
			}
		}
		b := a.last
		n, err := body.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		if int64(a.held+len(b.bytes)) > limit {
			return nil, tooLarge(limit)
		}
		if err == io.EOF {
			return a.whole()
		}
		if err != nil {
			return nil, readError(err, a.peer.share.Interrupted())
		}
		a.peer.share.Moved(n)
	}
}

// grow makes room for more bytes.
func (a *arriving) grow() error {
	switch {
	case a.last == nil:
		return a.add(a.buffers.size(1))
	case cap(a.last.bytes) == partSize:
		if err := a.peer.share.Enlarge(); err != nil {
			return err
		}
		a.full = append(a.full, a.last)
		a.held += partSize
		a.last = nil
		return a.add(partSize)
	}
	small := a.last
	if err := a.add(min(4*cap(small.bytes), partSize)); err != nil {
		return err
	}
	a.last.bytes = append(a.last.bytes, small.bytes...)
	a.buffers.put(small)
	return nil
}

// add makes an empty buffer of n bytes the last one.
func (a *arriving) add(n int) error {
	if err := a.peer.share.Receive(int64(a.held + n)); err != nil {
		return err
	}
	a.last = a.buffers.get(n)
	return nil
}

// whole returns the body in one buffer.
func (a *arriving) whole() (*buffer, error) {
	if len(a.full) == 0 {
		return a.last, nil
	}
	n := a.held + len(a.last.bytes)
	if err := a.peer.hold(a.work.need(n)); err != nil {
		return nil, err
	}
	whole := a.buffers.get(n)
	for _, part := range append(a.full, a.last) {
		whole.bytes = append(whole.bytes, part.bytes...)
		a.buffers.put(part)
	}
	return whole, nil
}

// drop returns the buffers of a body that is not needed.
func (a *arriving) drop() {
	for _, part := range append(a.full, a.last) {
		if part != nil {
			a.buffers.put(part)
		}
	}
}

func tooLarge(limit int64) error {
	return &httpError{
		status:   http.StatusRequestEntityTooLarge,
		sentence: fmt.Sprintf("the body is larger than %d bytes, the limit of this server", limit),
		close:    true, // there is no need to read the rest of the body
	}
}

func readError(err error, interrupted bool) error {
	switch {
	case interrupted:
		return &httpError{status: http.StatusServiceUnavailable, sentence: "the body came too slowly while other requests needed the memory that it held; try again in a second",
			retry: true, close: true, shed: shedSlow}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &httpError{status: http.StatusRequestTimeout, sentence: "the body did not arrive in time", close: true}
	}
	return &httpError{status: http.StatusBadRequest, sentence: "the body could not be read to its end", close: true}
}
