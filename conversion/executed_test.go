package conversion_test

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

// With the executed complement all laws hold but that about another table's entries.
func TestExecuted(t *testing.T) {
	t.Parallel()
	tables := 40
	if testing.Short() {
		tables = 4
	}
	laws := []verify.Law{verify.RoundTrip, verify.LiveWins, verify.Kept, verify.Seen, verify.Total, verify.Forged, verify.Stable, verify.Coherent, verify.Native, verify.Guarded}
	report := verify.RunTables(t.Context(), verify.CompileExecuted, verify.Options{Functions: true, Seed: 3, Tables: tables, Objects: 5, Stop: 1, Laws: laws})
	for _, found := range report.Found {
		t.Fatal(found.Markdown())
	}
	if report.Cases < 40*tables {
		t.Errorf("%d cases are too few", report.Cases)
	}
}
