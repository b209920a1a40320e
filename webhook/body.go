package webhook

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
)

// DefaultMaxBodyBytes is the largest body that is read. A review of 10,000
// objects of 10 kB, the largest that KEP-95 plans for, is about 100 MB.
const DefaultMaxBodyBytes = 128 << 20

// LargestMaxBodyBytes is the highest limit: positions in a body are int32, and
// one byte is read beyond the limit.
const LargestMaxBodyBytes = math.MaxInt32 - 1

// trustedLength is how much memory a Content-Length is given before a byte of
// the body has arrived. What is beyond must arrive first.
const trustedLength = 1 << 20

// readBody reads the whole body into a buffer from pool. It fails with an
// *httpError.
func readBody(pool *buffers, r *http.Request, limit int64) (*buffer, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	// One byte more than is announced, so that the end is seen without growing.
	b := pool.get(int(min(max(r.ContentLength, 0), trustedLength)) + 1)
	for {
		if len(b.bytes) == cap(b.bytes) {
			b = pool.grow(b, nextSize(cap(b.bytes), r.ContentLength))
		}
		n, err := r.Body.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		if int64(len(b.bytes)) > limit {
			pool.put(b)
			return nil, tooLarge(limit)
		}
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			pool.put(b)
			return nil, readError(err)
		}
	}
}

// nextSize is the size after a buffer of the given size is full: four times as
// much, but no more than the announced length once that is near.
func nextSize(size int, announced int64) int {
	next := 4 * size
	if announced >= int64(size) && announced < int64(next) {
		return int(announced) + 1
	}
	return next
}

func tooLarge(limit int64) error {
	return &httpError{
		status:   http.StatusRequestEntityTooLarge,
		sentence: fmt.Sprintf("the body is larger than %d bytes, the limit of this server", limit),
		close:    true, // the rest of the body is not worth reading
	}
}

func readError(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &httpError{status: http.StatusRequestTimeout, sentence: "the body did not arrive in time", close: true}
	}
	return &httpError{status: http.StatusBadRequest, sentence: "the body could not be read to its end", close: true}
}
