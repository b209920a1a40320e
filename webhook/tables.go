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
type snapshot map[string]map[string]*table

// table is a converter with its counters at hand.
type table struct {
	Converter
	fingerprint string
	counters    *tableCounters
}

// NewTables returns Tables with nothing loaded, which count into metrics (nil:
// nowhere).
func NewTables(metrics *Metrics) *Tables {
	if metrics == nil {
		metrics = NewMetrics(nil)
	}
	return &Tables{metrics: metrics}
}

// Replace makes converters, all of them and no others, the ones that answer.
// Where two are for the same kind it fails and changes nothing.
func (t *Tables) Replace(converters []Converter) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := make(snapshot)
	for _, c := range converters {
		kinds := next[c.Group()]
		if kinds == nil {
			kinds = make(map[string]*table)
			next[c.Group()] = kinds
		}
		if other := kinds[c.Kind()]; other != nil {
			return fmt.Errorf("two tables for kind %s of group %s: %s and %s; keep one",
				c.Kind(), c.Group(), other.Name(), c.Name())
		}
		kinds[c.Kind()] = &table{c, c.Fingerprint(), t.metrics.forTable(c.Name(), c.Versions())}
	}
	if last := t.current.Swap(&next); last != nil {
		t.metrics.forget(*last, next)
	}
	return nil
}

// Check is the readiness check named "tables": it fails until Replace has been
// called once.
func (t *Tables) Check() error {
	if t.current.Load() == nil {
		return fmt.Errorf("no tables are loaded yet")
	}
	return nil
}

// snapshot returns what is loaded now, nil where nothing is.
func (t *Tables) snapshot() snapshot {
	if s := t.current.Load(); s != nil {
		return *s
	}
	return nil
}

func (s snapshot) find(group, kind []byte) *table {
	return s[string(group)][string(kind)] // neither conversion allocates
}

// names are the CRDs of the snapshot.
func (s snapshot) names() map[string]bool {
	names := make(map[string]bool)
	for _, kinds := range s {
		for _, t := range kinds {
			names[t.Name()] = true
		}
	}
	return names
}
