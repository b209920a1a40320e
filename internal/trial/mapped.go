package trial

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// rowName identifies a row of a table.
type rowName struct{ version, title string }

// mapped records which values the rows of a table have mapped. A row that maps nothing breaks
// no law, because its values are kept. But nobody sees them in the other version, and the
// author should know that.
type mapped struct {
	converter *conversion.Converter
	// done and failed hold the numbers of values that a row has mapped, and could not map.
	done, failed map[rowName]int
	// first holds the first failure of each row with a real object, and real their number.
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

// see records what rows make of an object. sample is its name, if it is a real one.
func (m *mapped) see(object []byte, version, sample string) {
	for _, to := range m.converter.Versions() {
		hub := m.converter.Hub()
		if to == version || version != hub && to != hub {
			continue
		}
		e, err := m.converter.Explain(context.Background(), object, to)
		if err != nil {
			continue // a law reports this, or there is too much to look at
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
			m.first[row] = fmt.Sprintf("%s of %s: %s can't represent it, because the row takes %s", k.Path, sample, s.To, k.Needs)
		}
	}
}

// notes returns what an author should know, in the order of the rows.
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
			all = append(all, fmt.Sprintf("%v: none of its %d values could be mapped", r, m.failed[row]))
		}
	}
	return slices.Compact(all)
}

// maps reports whether a row, or one of its rows for elements, has mapped something.
func (m *mapped) maps(row rowName) bool {
	for done := range m.done {
		if done == row || done.version == row.version && strings.HasPrefix(done.title, row.title+", ") {
			return true
		}
	}
	return false
}
