package trial

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// rowName names a row of a table.
type rowName struct{ version, title string }

// mapped says of the rows of a table what they made of values. A row that maps
// nothing breaks no law: what it cannot map is kept. But nobody sees it in the other
// version, and the author should know.
type mapped struct {
	converter *conversion.Converter
	// done and failed count the values that a row has mapped, and could not map.
	done, failed map[rowName]int
	// first are the first failures of real objects, and real is how many there were.
	first map[rowName]string
	real  map[rowName]int
}

func newMapped(t *table, options []conversion.Option) (*mapped, error) {
	converter, err := conversion.Compile(t.CRD, t.Crosswalk, options...)
	return &mapped{
		converter: converter,
		done:      map[rowName]int{}, failed: map[rowName]int{},
		first: map[rowName]string{}, real: map[rowName]int{},
	}, err
}

// see looks at what rows make of an object. sample is its name, if it is a real one.
func (m *mapped) see(object []byte, version, sample string) {
	for _, to := range m.converter.Versions() {
		hub := m.converter.Hub()
		if to == version || version != hub && to != hub {
			continue
		}
		e, err := m.converter.Explain(context.Background(), object, to)
		if err != nil {
			continue // that is for the laws to say, or there is too much to look at
		}
		for _, s := range e.Steps {
			m.step(s, sample)
		}
	}
}

func (m *mapped) step(s conversion.Step, sample string) {
	for _, o := range s.Origins {
		if o.By == conversion.ByRow {
			m.done[rowName{s.Rows, o.Row}]++
		}
	}
	for _, k := range s.Kept {
		row := rowName{s.Rows, k.Row}
		if k.Why != conversion.WhyUnmapped || k.Row == "" {
			continue
		}
		m.failed[row]++
		if sample == "" {
			continue
		}
		if m.real[row]++; m.real[row] == 1 {
			m.first[row] = fmt.Sprintf("%s of %s: %s does not show it, as the row takes %s", k.Path, sample, s.To, k.Needs)
		}
	}
}

// notes are what an author should know, in the order of the rows.
func (m *mapped) notes(rows []RowReport) []string {
	var all []string
	for _, r := range rows {
		row := rowName{r.Version, r.Row}
		switch n := m.real[row]; {
		case n == 1:
			all = append(all, fmt.Sprintf("%v: 1 value of a real object could not be mapped, %s", r, m.first[row]))
		case n > 1:
			all = append(all, fmt.Sprintf("%v: %d values of real objects could not be mapped, the first is %s", r, n, m.first[row]))
		case m.failed[row] > 0 && !m.maps(row):
			all = append(all, fmt.Sprintf("%v: none of the %d values that stood there could be mapped", r, m.failed[row]))
		}
	}
	return slices.Compact(all)
}

// maps reports whether a row has mapped something, be it by one of its rows for elements.
func (m *mapped) maps(row rowName) bool {
	for done := range m.done {
		if done == row || done.version == row.version && strings.HasPrefix(done.title, row.title+", ") {
			return true
		}
	}
	return false
}
