package verify

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
)

// setting reads a number from an environment variable, for longer runs:
//
//	CROSSWALK_TABLES  how many tables TestLaws and TestReference generate (each
//	                  makes about 55 cases), instead of a number that takes seconds
//	CROSSWALK_SEED    the seed, instead of 1
//	CROSSWALK_FOUND   a folder for counterexamples, as Markdown and as YAML that
//	                  can be kept in testdata/found; TestLaws then goes on after
//	                  the first
func setting(t *testing.T, name string, otherwise int) int {
	text := os.Getenv("CROSSWALK_" + name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("CROSSWALK_%s: %v", name, err)
	}
	return n
}

// fewer is a 24th of n under -short, which is for the race detector: with it a case
// takes six times as long, and it looks for other mistakes.
func fewer(n int) int {
	if testing.Short() {
		return max(n/24, 1)
	}
	return n
}

// TestLaws judges the engine by generated tables and objects.
func TestLaws(t *testing.T) {
	const shards = 2
	reports := make([]*Report, shards)
	tables := fewer(setting(t, "TABLES", 600))
	seed := setting(t, "SEED", 1)
	folder := os.Getenv("CROSSWALK_FOUND")
	stop := 1
	if folder != "" {
		stop = 1000
	}
	t.Run("shards", func(t *testing.T) {
		for i := range shards {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				r := RunTables(context.Background(), CompileWithFunctions, Options{Functions: true, Seed: uint64(seed*shards + i), Tables: tables / shards, Objects: 5, Stop: stop})
				reports[i] = r
				for n, found := range r.Found {
					t.Error(found.Markdown())
					if folder != "" {
						save(t, filepath.Join(folder, fmt.Sprintf("%d-%d-%03d", seed, i, n)), found)
					}
				}
				for reason, n := range r.Refusals {
					t.Errorf("%d generated tables were refused: %s", n, reason)
				}
			})
		}
	})
	var seen draw.Coverage
	cases := 0
	for _, r := range reports {
		seen.Add(&r.Seen)
		cases += r.Cases
	}
	t.Logf("%d cases\n%s", cases, &seen)
	if missing := seen.Missing(classes); len(missing) > 0 && !t.Failed() && !testing.Short() {
		t.Errorf("these classes of input were not generated: %q", missing)
	}
}

func save(t *testing.T, name string, found *Counterexample) {
	data, err := found.Save()
	if err == nil {
		err = os.WriteFile(name+".yaml", data, 0o644)
	}
	if err == nil {
		err = os.WriteFile(name+".md", []byte(found.Markdown()), 0o644)
	}
	if err != nil {
		t.Error(err)
	}
}
