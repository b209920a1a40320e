package webhook

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// other replaces every version that a CRD does not declare, so that requests cannot create new
// series.
const other = "other"

// tableCounters are the counters of one table.
type tableCounters struct {
	versions                              []string
	pairs                                 []pairCounters // by from, then to; the last of each is other
	seconds                               prometheus.Observer
	slow                                  prometheus.Counter
	residuals, ignored, leftOut, unplaced prometheus.Counter
}

type pairCounters struct{ success, failure prometheus.Counter }

func (m *Metrics) forTable(crd string, versions []string) *tableCounters {
	t := &tableCounters{
		versions:  slices.Clone(versions),
		seconds:   m.seconds.WithLabelValues(crd),
		slow:      m.slow.WithLabelValues(crd),
		residuals: m.residuals.WithLabelValues(crd),
		ignored:   m.ignored.WithLabelValues(crd),
		leftOut:   m.leftOut.WithLabelValues(crd),
		unplaced:  m.unplaced.WithLabelValues(crd),
	}
	labels := append(slices.Clone(versions), other)
	for _, from := range labels {
		for _, to := range labels {
			t.pairs = append(t.pairs, pairCounters{
				success: m.objects.WithLabelValues(crd, from, to, "success"),
				failure: m.objects.WithLabelValues(crd, from, to, "failure"),
			})
		}
	}
	return t
}

// pair returns the counters for a pair of versions.
func (t *tableCounters) pair(from, to []byte) *pairCounters {
	return &t.pairs[t.index(from)*(len(t.versions)+1)+t.index(to)]
}

func (t *tableCounters) index(version []byte) int {
	for i, v := range t.versions {
		if v == string(version) {
			return i
		}
	}
	return len(t.versions)
}

// note adds the notes of a conversion.
func (t *tableCounters) note(n *conversion.Notes) {
	t.residuals.Add(float64(n.Residuals))
	t.ignored.Add(float64(n.IgnoredStashes))
	t.leftOut.Add(float64(n.LeftOut))
	t.unplaced.Add(float64(n.Unplaced))
}

// forget deletes the series of the CRDs that are not in next.
func (m *Metrics) forget(last, next snapshot) {
	kept := next.names()
	for name := range last.names() {
		if kept[name] {
			continue
		}
		for _, vec := range []interface{ DeletePartialMatch(prometheus.Labels) int }{
			m.objects, m.seconds, m.slow, m.residuals, m.ignored, m.leftOut, m.unplaced,
		} {
			vec.DeletePartialMatch(prometheus.Labels{"crd": name})
		}
	}
}
