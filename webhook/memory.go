package webhook

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/crosswalk-dev/crosswalk/webhook/internal/memory"
)

// Memory bounds what all requests of a process may hold together: their bodies, the work on
// them, and their answers. A request that finds no room is answered 503 with Retry-After. A
// review of at most 1 MiB is never refused in favour of larger ones.
type Memory struct{ budget *memory.Budget }

// NewMemory returns a memory of so many bytes; 0 means no limit. Give it to every handler of
// the process ([Options]).
func NewMemory(limit int64) *Memory {
	return &Memory{memory.New(memory.Options{Limit: limit, Now: time.Now, GiveBack: giveBack})}
}

// NewProcessMemory is like NewMemory, for a process that may take so many bytes altogether,
// usually the memory limit of the Go runtime. While [Memory.Watch] runs, requests get what the
// rest of the process, such as tables, policies and connections, leaves of it, but at least a
// quarter.
func NewProcessMemory(limit int64) *Memory {
	return &Memory{memory.New(memory.Options{Limit: limit, Now: time.Now, GiveBack: giveBack, Heap: heap, Collect: runtime.GC})}
}

// Watch measures once a second what is left for requests, until ctx is done, and returns nil.
func (m *Memory) Watch(ctx context.Context) error {
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		m.budget.Look()
		select {
		case <-ctx.Done():
			return nil
		case <-again.C:
		}
	}
}

// heap returns the statistics of this process's garbage collector.
func heap() memory.Heap {
	found := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/cycles/total:gc-cycles"},
	}
	metrics.Read(found)
	bytes := func(i int) int64 { return int64(found[i].Value.Uint64()) }
	return memory.Heap{Live: bytes(0), Gaps: bytes(1), Objects: bytes(2), Cycles: found[3].Value.Uint64()}
}

// Hold reserves n bytes for work that is not a review, until release is called. It fails at
// once if there is no room, with an APIStatus of k8s.io/apimachinery/pkg/api/errors.
func (m *Memory) Hold(n int64) (release func(), err error) {
	share := new(memory.Share)
	m.budget.Join(share, unheard{})
	if n > memory.Small {
		err = share.Enlarge()
	}
	if err == nil {
		err = share.Work(n)
	}
	if err != nil {
		share.Leave()
		return nil, m.refuse(err, false)
	}
	return share.Leave, nil
}

// unheard is the connection of work that is not a request of a client.
type unheard struct{}

func (unheard) InterruptRead()  {}
func (unheard) InterruptWrite() {}

// limitOfRuntime returns the memory limit of the Go runtime (GOMEMLIMIT), or 0 if there is
// none.
func limitOfRuntime() int64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit
	}
	return 0
}

// giveBack returns to the system the memory that requests have held. The content of a sync.Pool
// is free after two collections.
func giveBack() {
	runtime.GC()
	debug.FreeOSMemory()
}

const (
	// workPerByte is the memory that the work on one object takes, for each byte of the object:
	// about twice the size of the decoded object.
	workPerByte = 16
	// elementSize is the memory that the decoder takes to note an object, in bytes.
	elementSize = 28
)

// heldFor returns the memory of a body in a buffer of n bytes: the buffer, and the parts in
// which the body arrived, which the pools keep for other requests.
func heldFor(n int) int { return 2 * n }

// roomForWork is the memory that is kept free for the work on a body of n bytes until its
// objects are known: enough for a largest object of 100 kB, and to note objects of 300 bytes.
func roomForWork(n int) int { return n/8 + 2<<20 }

// roomForAnswer is the memory that is kept free for the answer to a body of n bytes, whose last
// part is not full. An answer that needs more takes it as it grows.
func roomForAnswer(n int) int {
	room := answerTo(n)
	if room > partSize {
		room += partSize
	}
	return room
}

// peer is the client that sent a request and waits for the answer, and the request's share of
// the memory.
type peer struct {
	w      http.ResponseWriter
	memory *Memory
	share  memory.Share
}

func (p *peer) join(m *Memory, w http.ResponseWriter) {
	p.w, p.memory = w, m
	m.budget.Join(&p.share, p)
}

func (p *peer) leave() {
	p.share.Leave()
	p.w, p.memory = nil, nil
}

// send writes a piece of the answer. The rest of the answer takes size bytes.
func (p *peer) send(piece []byte, size int) error {
	if err := p.share.Send(int64(size)); err != nil {
		return err
	}
	for len(piece) > partSize { // one large object
		if _, err := p.w.Write(piece[:partSize]); err != nil {
			return err
		}
		p.share.Moved(partSize)
		piece = piece[partSize:]
	}
	_, err := p.w.Write(piece)
	return err
}

// InterruptRead implements [memory.Conn].
func (p *peer) InterruptRead() { _ = http.NewResponseController(p.w).SetReadDeadline(past()) }

// InterruptWrite implements [memory.Conn].
func (p *peer) InterruptWrite() { _ = http.NewResponseController(p.w).SetWriteDeadline(past()) }

// past returns a deadline that is over, whatever the time is.
func past() time.Time { return time.Unix(1, 0) }

// hold reserves n bytes for the work on the request, or fails with an *httpError.
func (p *peer) hold(n int) error {
	if err := p.share.Work(int64(n)); err != nil {
		return p.memory.refuse(err, false)
	}
	return nil
}

// refuse returns the answer to a request for which the budget failed with err. unread reports
// that its body has not been read to the end.
func (m *Memory) refuse(err error, unread bool) error {
	switch {
	case errors.Is(err, memory.ErrFull):
		return &httpError{
			status:   http.StatusServiceUnavailable,
			sentence: "the memory of this replica is in use by other requests; try again in a second",
			retry:    true, close: unread, shed: shedFull,
		}
	case errors.Is(err, memory.ErrTooLarge):
		return &httpError{
			status: http.StatusRequestEntityTooLarge,
			sentence: fmt.Sprintf("this request needs more memory than a request of its size may use of the %d bytes that Crosswalk has for all requests; increase Crosswalk's memory limit",
				m.budget.Limit()),
			close: unread,
		}
	}
	return errGone
}
