package webhook

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Tables holds the converters that are loaded. A request sees one snapshot of
// them from beginning to end. It is safe for concurrent use.
type Tables struct {
	metrics *Metrics
	mu      sync.Mutex // serialises Replace
	current atomic.Pointer[snapshot]
}

// snapshot is immutable: tables by group, then by kind.
type snapshot map[string]map[string]*kindTables

// kindTables are the tables of one kind.
type kindTables struct {
	current *table // nil where only older ones are left
	older   []*table
}

// table is a converter with its counters at hand.
type table struct {
	Converter
	fingerprint string
	// compiled is the fingerprint that this process gives the table.
	compiled string
	counters *tableCounters
}

// wanted says which table a path asks for.
type wanted struct {
	// fingerprint is empty where any table will do.
	fingerprint string
	// compiled is the fingerprint that this process must give the table; empty where
	// that does not matter.
	compiled string
}

// NewTables returns Tables with nothing loaded, which count into metrics (nil:
// nowhere).
func NewTables(metrics *Metrics) *Tables {
	if metrics == nil {
		metrics = NewMetrics(nil)
	}
	return &Tables{metrics: metrics}
}

// Replace makes these converters, all of them and no others, the ones that
// answer. One in older converts only where the path holds its fingerprint: a CRD
// may be armed with it until the API server has heard of its successor. The first
// of a kind's older ones stands in for writes where the kind has no current one. Where
// two in current are for the same kind it fails and changes nothing.
func (t *Tables) Replace(current []Converter, older ...Converter) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := make(snapshot)
	for _, c := range current {
		kind := next.kind(c)
		if other := kind.current; other != nil {
			return fmt.Errorf("two tables for kind %s of group %s: %s and %s; keep one",
				c.Kind(), c.Group(), other.Name(), c.Name())
		}
		kind.current = t.table(c)
	}
	for _, c := range older {
		kind := next.kind(c)
		kind.older = append(kind.older, t.table(c))
	}
	if last := t.current.Swap(&next); last != nil {
		t.metrics.forget(*last, next)
	}
	return nil
}

func (t *Tables) table(c Converter) *table {
	compiled := c.Fingerprint()
	if kept, ok := c.(Kept); ok {
		compiled = kept.Compiled()
	}
	return &table{c, c.Fingerprint(), compiled, t.metrics.forTable(c.Name(), c.Versions())}
}

// Check is the readiness check named "tables": it fails until Replace has been
// called once.
func (t *Tables) Check() error {
	if t.current.Load() == nil {
		return fmt.Errorf("no tables are loaded yet")
	}
	return nil
}

// Converter returns the converter of a kind that is loaded now, as writes of the kind
// have it, and nil where there is none.
func (t *Tables) Converter(group, kind string) Converter {
	tables := t.snapshot()[group][kind]
	if tables == nil {
		return nil
	}
	return tables.all()[0].Converter
}

// snapshot returns what is loaded now, nil where nothing is.
func (t *Tables) snapshot() snapshot {
	if s := t.current.Load(); s != nil {
		return *s
	}
	return nil
}

// kind returns the tables of c's kind, to be added to.
func (s snapshot) kind(c Converter) *kindTables {
	kinds := s[c.Group()]
	if kinds == nil {
		kinds = make(map[string]*kindTables)
		s[c.Group()] = kinds
	}
	if kinds[c.Kind()] == nil {
		kinds[c.Kind()] = new(kindTables)
	}
	return kinds[c.Kind()]
}

// find returns the tables of a kind, nil where there are none.
func (s snapshot) find(group, kind []byte) *kindTables {
	return s[string(group)][string(kind)] // neither conversion allocates
}

// all are the tables of the kind, the current one first.
func (k *kindTables) all() []*table {
	if k.current == nil {
		return k.older
	}
	return append([]*table{k.current}, k.older...)
}

// with returns the table with a fingerprint, nil where there is none. An empty
// fingerprint is that of the current table.
func (k *kindTables) with(fingerprint string) *table {
	if k.current != nil && (fingerprint == "" || fingerprint == k.current.fingerprint) {
		return k.current
	}
	for _, t := range k.older {
		if t.fingerprint == fingerprint {
			return t
		}
	}
	return nil
}

// names are the CRDs of the snapshot.
func (s snapshot) names() map[string]bool {
	names := make(map[string]bool)
	for _, kinds := range s {
		for _, kind := range kinds {
			for _, t := range kind.all() {
				names[t.Name()] = true
			}
		}
	}
	return names
}
