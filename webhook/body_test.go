package webhook

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"runtime"
	"testing"
)

// dribble reads n bytes at a time, and in the end gives err.
type dribble struct {
	left, n int
	err     error
}

func (d *dribble) Read(p []byte) (int, error) {
	if d.left == 0 {
		return 0, d.err
	}
	n := min(len(p), d.n, d.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	d.left -= n
	return n, nil
}

func (*dribble) Close() error { return nil }

func TestReadBody(t *testing.T) {
	const limit = 5 << 20
	tests := []struct {
		name      string
		size      int
		announced int64 // -1 is a body in chunks
		err       error
		status    int
	}{
		{"empty", 0, 0, io.EOF, 0},
		{"small", 1200, 1200, io.EOF, 0},
		{"as large as a buffer", 16 << 10, 16 << 10, io.EOF, 0},
		{"chunks", 100_000, -1, io.EOF, 0},
		{"large", 3 << 20, 3 << 20, io.EOF, 0},
		{"at the limit", limit, limit, io.EOF, 0},
		{"at the limit in chunks", limit, -1, io.EOF, 0},
		{"announced too large", 0, limit + 1, io.EOF, http.StatusRequestEntityTooLarge},
		{"too large in chunks", limit + 1, -1, io.EOF, http.StatusRequestEntityTooLarge},
		{"never ending", 1 << 40, -1, io.EOF, http.StatusRequestEntityTooLarge},
		{"cut", 1000, 1200, io.ErrUnexpectedEOF, http.StatusBadRequest},
		{"too slow", 1000, 1200, os.ErrDeadlineExceeded, http.StatusRequestTimeout},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var pool buffers
			r := &http.Request{ContentLength: test.announced, Body: &dribble{test.size, 7001, test.err}}
			b, err := readBody(&pool, r, limit)
			if test.status == 0 {
				if err != nil {
					t.Fatal(err)
				}
				if len(b.bytes) != test.size || bytes.Count(b.bytes, []byte{'x'}) != test.size {
					t.Errorf("%d bytes, want %d", len(b.bytes), test.size)
				}
				return
			}
			var refused *httpError
			if !errors.As(err, &refused) || refused.status != test.status || !refused.close {
				t.Errorf("got %v, want status %d and a closed connection", err, test.status)
			}
		})
	}
}

// TestAnnouncedLengthIsNotTrusted: a header must not make the server allocate
// what never arrives.
func TestAnnouncedLengthIsNotTrusted(t *testing.T) {
	var pool buffers
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		_, _ = readBody(&pool, &http.Request{ContentLength: 100 << 20, Body: &dribble{10, 10, io.ErrUnexpectedEOF}}, 128<<20)
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / 100; got > 4*trustedLength {
		t.Errorf("%d bytes allocated for a body of 10", got)
	}
}
