package webhook

import "sync"

// keptBody is the size of the largest body whose exchange is kept for the next request. What an
// exchange notes of a hostile body, such as names and positions, can take sixteen times the
// size of the body.
const keptBody = 256 << 10

// exchanges is a pool of exchanges.
type exchanges struct{ pool sync.Pool }

func (p *exchanges) get() *exchange {
	if x, ok := p.pool.Get().(*exchange); ok {
		return x
	}
	return &exchange{}
}

// put takes x back after a body of so many bytes. It drops everything that would keep the body
// alive.
func (p *exchanges) put(x *exchange, size int) {
	if size > keptBody {
		return
	}
	x.review = review{objects: x.review.objects[:0]}
	x.front = nil
	x.pair.kind, x.pair.apiVersion, x.pair.table, x.pair.counters = nil, nil, nil, nil
	x.decoder.scanner.Reset(nil)
	p.pool.Put(x)
}
