package webhook

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
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

func TestReceive(t *testing.T) {
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
		{"as large as a part", 1 << 20, 1 << 20, io.EOF, 0},
		{"as large as two parts, in chunks", 2 << 20, -1, io.EOF, 0},
		{"large", 3<<20 + 7, 3<<20 + 7, io.EOF, 0},
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
			b, f, err := received(t, &http.Request{ContentLength: test.announced, Body: &dribble{test.size, 7001, test.err}}, limit)
			if test.status == 0 {
				if err != nil {
					t.Fatal(err)
				}
				if len(b.bytes) != test.size || bytes.Count(b.bytes, []byte{'x'}) != test.size {
					t.Errorf("%d bytes, want %d", len(b.bytes), test.size)
				}
			} else {
				var refused *httpError
				if !errors.As(err, &refused) || refused.status != test.status || !refused.close {
					t.Errorf("got %v, want status %d and a closed connection", err, test.status)
				}
			}
			if used := f.memory.budget.Used(); used != 0 {
				t.Errorf("%d bytes are held afterwards", used)
			}
		})
	}
}

// joining does nothing with a body.
type joining struct{}

func (joining) need(n int) int { return heldFor(n) }

// received is the body of a request, and the front that has received it.
func received(t *testing.T, r *http.Request, limit int64) (*buffer, *front, error) {
	f, p := newFront(Options{}.withDefaults()), new(peer)
	p.join(f.memory, httptest.NewRecorder())
	defer p.leave()
	b, err := f.receive(p, r, limit, joining{})
	return b, f, err
}

// TestUnannouncedLargerBody: a body in chunks is a larger one as soon as it is larger.
func TestUnannouncedLargerBody(t *testing.T) {
	for size, status := range map[int]int{5 * megabyte: http.StatusBadRequest, 7 * megabyte: http.StatusRequestEntityTooLarge} {
		f, p := newFront(Options{Memory: NewMemory(8 * megabyte)}.withDefaults()), new(peer)
		p.join(f.memory, httptest.NewRecorder())
		_, err := f.receive(p, &http.Request{ContentLength: -1, Body: &dribble{size, 7001, io.ErrUnexpectedEOF}}, 100*megabyte, joining{})
		var refused *httpError
		if !errors.As(err, &refused) || refused.status != status {
			t.Errorf("%d bytes of what 6 MiB are for: got %v, want %d", size, err, status)
		}
		p.leave()
	}
}

// held is a body that notes how much memory is held whenever it is read.
type held struct {
	dribble
	memory   *Memory
	arrived  int
	most     int64   // what was held at most
	perBytes float64 // and at most for each byte that had arrived, of large bodies
}

func (h *held) Read(p []byte) (int, error) {
	used := h.memory.budget.Used()
	h.most = max(h.most, used)
	if h.arrived > partSize {
		h.perBytes = max(h.perBytes, float64(used)/float64(h.arrived))
	}
	n, err := h.dribble.Read(p)
	h.arrived += n
	return n, err
}

// TestHoldsWhatHasArrived, and not what has been announced: a header must not make the
// server hold what never comes.
func TestHoldsWhatHasArrived(t *testing.T) {
	memory := NewMemory(1 << 30)
	h := NewHandler(Options{Tables: crontabs(t), Memory: memory})
	for size, most := range map[int]int64{10: 16 << 10, 100_000: 256 << 10, 100 << 20: 100<<20 + partSize} {
		body := &held{dribble: dribble{size, 16 << 10, io.ErrUnexpectedEOF}, memory: memory}
		r := httptest.NewRequest(http.MethodPost, "/convert", body)
		r.Header.Set("Content-Type", "application/json")
		r.ContentLength = 120 << 20
		do(h, r).refused(t, http.StatusBadRequest, "the body could not be read to its end")
		if body.most > most || body.perBytes > 2 {
			t.Errorf("%d bytes have arrived: %d were held, and at most %.1f for each, want %d and 2", size, body.most, body.perBytes, most)
		}
		if used := memory.budget.Used(); used != 0 {
			t.Errorf("%d bytes are held afterwards", used)
		}
	}
}
