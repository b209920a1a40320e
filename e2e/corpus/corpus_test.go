package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/internal/admit"
	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// set is a folder: policies, the objects that there are, and writes.
type set struct {
	folder, name string
	config       *config.Config
	there        []*unstructured.Unstructured
	cases        []*admit.Case
	// outcomes are what admit says of the cases, and plain what it says of them without
	// the policies.
	outcomes, plain []*admit.Outcome
}

// definitions is the file of CRDs, in the sets that have any.
const definitions = "crds.yaml"

func (s *set) file(name string) string { return filepath.Join(s.folder, name) }

// readSets reads all folders, and lets admit judge.
func readSets(t *testing.T) []*set {
	t.Helper()
	folders, err := filepath.Glob("*/policies.yaml")
	if err != nil || len(folders) == 0 {
		t.Fatalf("%d sets, %v", len(folders), err)
	}
	var sets []*set
	for _, file := range folders {
		s := &set{folder: filepath.Dir(file), name: filepath.Base(filepath.Dir(file))}
		paths := []string{file}
		if _, err := os.Stat(s.file(definitions)); err == nil {
			paths = append(paths, s.file(definitions))
		}
		if s.config, err = config.Load(paths); err != nil {
			t.Fatal(err)
		}
		s.there = s.objects(t)
		text, err := os.ReadFile(s.file("cases.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		cases, wrong := admit.ReadCases(s.file("cases.yaml"), text)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		s.cases = cases
		s.outcomes = s.judge(t, s.config)
		without := *s.config
		without.Policies = nil
		s.plain = s.judge(t, &without)
		sets = append(sets, s)
	}
	return sets
}

// objects are those in there.yaml.
func (s *set) objects(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(s.file("there.yaml"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	read, wrong := admit.ReadObjects(s.file("there.yaml"), text)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	var all []*unstructured.Unstructured
	for _, object := range read {
		parsed, err := object.Parse()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, parsed)
	}
	return all
}

func (s *set) judge(t *testing.T, c *config.Config) []*admit.Outcome {
	t.Helper()
	judge, err := admit.New(c)
	if err != nil {
		t.Fatal(err)
	}
	// All of these policies work, and so nothing is found wrong with them.
	doubts, err := judge.Doubts(t.Context())
	if err != nil || len(doubts) > 0 {
		t.Errorf("%s: %v, %v", s.name, doubts, err)
	}
	outcomes := judge.Run(t.Context(), s.cases, s.there)
	for _, o := range outcomes {
		if o.Result == nil {
			t.Fatalf("%s: %s: admit cannot play it: %v", s.name, o.Case.Name, o.Differences)
		}
	}
	return outcomes
}

// TestCases holds admit against what the corpus expects, without a cluster.
func TestCases(t *testing.T) {
	cases := 0
	for _, s := range readSets(t) {
		for _, o := range s.outcomes {
			cases++
			for _, d := range o.Differences {
				t.Errorf("%s: %s: %s", s.name, o.Case.Name, d)
			}
		}
	}
	t.Logf("%d cases", cases)
}
