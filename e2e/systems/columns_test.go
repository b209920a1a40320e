package systems

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testColumns reads kubectl's table in every version.
func (v variant) testColumns(t *testing.T) {
	o := v.Objects[0]
	name := v.create(t, o, "columns")
	if len(o.Statuses) > 0 {
		v.writeStatus(t, o.Born, name, o.Statuses[0], false)
	}
	for _, version := range v.versions() {
		got := v.kubectl(t, "", "get", v.argument(version), name)
		if want := v.row(version, name); !want.MatchString(got) {
			t.Errorf("in %s: got\n%s\nwant %s", version, got, want)
		}
	}
}

// row matches what kubectl shows of one object in one version.
func (v variant) row(version, name string) *regexp.Regexp {
	cells := slices.Concat([]string{name}, v.Columns.Rows[version])
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(regexp.QuoteMeta(cell), "AGE", `\d+s`)
	}
	return regexp.MustCompile(`(?m)^` + strings.Join(v.Columns.Header, ` +`) + `\n` + strings.Join(cells, ` {2,}`) + `\n`)
}
