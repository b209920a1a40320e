package admit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// TestExamples runs the cases of every example. What a rule denies must be denied
// for that rule: without the policies, their cases fail.
func TestExamples(t *testing.T) {
	policies, err := filepath.Glob("../../examples/*/policies.yaml")
	if err != nil || len(policies) < 3 {
		t.Fatalf("%d examples, %v", len(policies), err)
	}
	for _, file := range policies {
		folder := filepath.Dir(file)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			cases := exampleCases(t, folder)
			loaded, err := config.Load([]string{folder})
			if err != nil {
				t.Fatal(err)
			}
			outcomes := judgeOf(t, loaded).Run(t.Context(), cases, nil)
			if Failed(outcomes) > 0 {
				t.Error(CasesText(outcomes))
			}
			all := loaded.Policies
			for i, p := range all {
				without := *loaded
				without.Policies = append(append([]*config.Policy{}, all[:i]...), all[i+1:]...)
				if outcomes := judgeOf(t, &without).Run(t.Context(), cases, nil); Failed(outcomes) == 0 {
					t.Errorf("no case needs %v", p)
				}
			}
		})
	}
}

func judgeOf(t *testing.T, c *config.Config) *Judge {
	t.Helper()
	j, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func exampleCases(t *testing.T, folder string) []*Case {
	t.Helper()
	files, err := filepath.Glob(folder + "/cases/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files with cases, %v", len(files), err)
	}
	var all []*Case
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases, errs := ReadCases(file, text)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		all = append(all, cases...)
	}
	return all
}
