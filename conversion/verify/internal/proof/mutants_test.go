package proof

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// mutant is the engine with one mistake.
type mutant struct {
	// name says what it does.
	name string
	// law is the one that catches it.
	law   verify.Law
	edits []sourceEdit
}

// sourceEdit replaces a piece of a source file that occurs there exactly once. In
// its new text, MUTANT is true for this mutant alone.
type sourceEdit struct{ file, old, new string }

const (
	// mutantSetting is the environment variable that says which mutant the engine
	// is, and judgesMutants the one by which a test knows that it was compiled with
	// all of them.
	mutantSetting = "CROSSWALK_MUTANT"
	judgesMutants = "CROSSWALK_JUDGES_MUTANTS"

	root = "../../../.."
)

// mutantRounds is how many tables it may take until every mutant is caught. With the
// cases of today, which are tried first, it takes 11.
const mutantRounds = 600

// TestMutants proves that the laws find mistakes: each mutant must be caught by the
// law that is meant for it, and with what catches it the engine as it is must be at
// peace. All mutants are compiled at once, into a second run of this test, where a
// setting says which of them the engine is. The engine that is shipped knows of none
// of this.
func TestMutants(t *testing.T) {
	if os.Getenv(judgesMutants) != "" {
		judgeMutants(t)
		return
	}
	if testing.Short() {
		t.Skip("the race detector has nothing to say about mutants")
	}
	command := exec.Command("go", "test", "-count=1", "-vet=off", "-ldflags=-s -w", "-overlay="+overlay(t), "-run=^TestMutants$", "-v", ".")
	command.Env = append(os.Environ(), judgesMutants+"=1")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, out)
	}
	t.Logf("%s", out)
}

// judgeMutants tries table after table on all mutants that no table has caught:
// first those that people wrote to catch many.
func judgeMutants(t *testing.T) {
	defer as("")
	kitchen, larder := written(t, "kitchen"), written(t, "mutants")
	left := slices.Clone(mutants)
	for round := 0; round < mutantRounds && len(left) > 0; round++ {
		r := rand.New(rand.NewPCG(7, uint64(round)))
		var tried []trial
		switch {
		case round == 0:
			tried = slices.Concat(found(t), directed(t, larder), trials(kitchen, r))
		case round < 10:
			tried = trials(kitchen, r)
		case round < 40:
			tried = trials(larder, r)
		default:
			crd, table := (&weave.Tables{Rand: r}).Generate()
			s, err := verify.NewSubject(crd, table, verify.Compile)
			if err != nil {
				t.Fatal(err)
			}
			tried = trials(s, r)
		}
		left = slices.DeleteFunc(left, func(m mutant) bool {
			i := slices.IndexFunc(tried, m.caughtBy)
			if i < 0 {
				return false
			}
			if found := tried[i].s.Check(tried[i].Case); found != nil {
				t.Errorf("the engine as it is breaks the law, too: %v", found)
			}
			t.Logf("round %2d, %-7s an engine that %s", round+1, m.law+":", m.name)
			return true
		})
	}
	for _, m := range left {
		t.Errorf("%s did not catch an engine that %s", m.law, m.name)
	}
}

func written(t *testing.T, folder string) *verify.Subject {
	t.Helper()
	crd, table := &apiextensionsv1.CustomResourceDefinition{}, &v1alpha1.Crosswalk{}
	for file, into := range map[string]any{"crd": crd, "crosswalk": table} {
		data, err := os.ReadFile(fmt.Sprintf("../../testdata/%s/%s.yaml", folder, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(data, into); err != nil {
			t.Fatal(err)
		}
	}
	s, err := verify.NewSubject(crd, table, verify.Compile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// found returns the counterexamples that were kept.
func found(t *testing.T) (all []trial) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/found/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, c, err := verify.Load(data, Compile)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, trial{c, s})
	}
	return all
}

// trial is a case and the table that it is for.
type trial struct {
	verify.Case
	s *verify.Subject
}

// trials makes cases for some objects, and some for a change of the table.
func trials(s *verify.Subject, r *rand.Rand) []trial {
	var out []trial
	add := func(s *verify.Subject) {
		for _, c := range s.Cases(r, nil) {
			out = append(out, trial{c, s})
		}
	}
	for range 4 {
		add(s)
	}
	if later := evolved(r, nil, s, verify.Compile); later != nil {
		for range 8 {
			add(later)
		}
	}
	return out
}

// caughtBy reports whether a case breaks the law of a mutant.
func (m mutant) caughtBy(c trial) bool {
	if c.Law != m.law {
		return false
	}
	as(m.name)
	defer as("")
	return c.s.Check(c.Case) != nil
}

// as makes the engine a mutant, or what it is.
func as(name string) {
	if err := os.Setenv(mutantSetting, name); err != nil {
		panic(err)
	}
}

// directed are cases that chance brings too seldom.
func directed(t *testing.T, larder *verify.Subject) []trial {
	var out []trial
	for _, c := range []struct {
		law      verify.Law
		from, to string
		spec     string
		edit     tree.Path
		value    *tree.Value
		damage   *verify.Damage
	}{
		{law: verify.Forged, from: "v1", to: "v2", spec: `{"box":{"only1":"x"}}`, damage: &verify.Damage{Kind: "value forged", Stash: "stash.crosswalk.dev/v1", With: "1e400"}},
		{law: verify.RoundTrip, from: "v2", to: "v1", spec: `{"routes":[{"kind":"TCP","name":"a"},{"kind":"HTTP","name":"b"}]}`},
		{law: verify.Guarded, from: "v2", to: "v1", spec: `{},"status":{"seen":"x","only2":"y"}`},
		{law: verify.RoundTrip, from: "v1", to: "v2", spec: `{"checks":[{"type":"Ready","only1":"x"},{"type":"Available","only1":"y"}]}`},
		{law: verify.Kept, from: "v1", to: "v2", spec: `{"checks":[{"type":"Ready","only1":"x"}]}`, edit: tree.Names("spec", "checks").Index(0).Name("reason"), value: tree.NewString("edited")},
		{law: verify.Seen, from: "v1", to: "v2", spec: `{"image":"r:t:x"}`, edit: tree.Names("spec", "tag"), value: tree.NewString("u")},
		{law: verify.Seen, from: "v1", to: "v2", spec: `{"address":"g:080"}`, edit: tree.Names("spec", "port"), value: tree.NewNumber("81")},
		{law: verify.RoundTrip, from: "v2", to: "v1", spec: `{"source":{"ref":{"id":"a"},"kind":"File"}}`},
		{law: verify.Seen, from: "v2", to: "v1", spec: `{"source":{"kind":"File","ref":{"id":"a"}}}`, edit: tree.Names("spec", "config"), value: tree.NewObject(tree.Member{Name: "name", Value: tree.NewNumber("5")})},
		{law: verify.Seen, from: "v1", to: "v2", spec: `{"config":{"name":"a"},"secret":{"name":"b"}}`, edit: tree.Names("spec", "source"), value: tree.NewObject(tree.Member{Name: "kind", Value: tree.NewString("Secret")}, tree.Member{Name: "ref", Value: tree.NewObject()})},
		{law: verify.Kept, from: "v1", to: "v2", spec: `{"secret":{"name":"a","only1":"x"}}`, edit: tree.Names("spec", "source", "ref", "id"), value: tree.NewString("b")},
		{law: verify.Kept, from: "v1", to: "v2", spec: `{"ports":[{"name":"a","number":1,"only1":"x"}]}`, edit: tree.Names("spec", "ports").Index(0).Name("number"), value: tree.NewNumber("2")},
		{law: verify.Kept, from: "v1", to: "v2", spec: `{"claims":[{"metadata":{"name":"a"},"size":"1","only1":"x"}]}`, edit: tree.Names("spec", "templates").Index(0).Name("size"), value: tree.NewString("2")},
		{law: verify.Total, from: "v1", to: "v2", spec: `{"box":{"only1":"` + strings.Repeat("x", 300<<10) + `"}}`},
	} {
		made := verify.Case{Law: c.law, From: c.from, Through: []string{c.to}}
		made.Object = fmt.Appendf(nil, `{"apiVersion":"example.com/%s","kind":"Larder","metadata":{"name":"a"},"spec":%s}`, c.from, c.spec)
		if c.edit != nil {
			made.Edits = []verify.Edit{{Path: c.edit, Value: c.value}}
		}
		made.Damage = c.damage
		if c.law == verify.Seen {
			made.Through = append(made.Through, c.from)
		}
		if found := larder.Check(made); found != nil {
			t.Error(found)
		}
		out = append(out, trial{made, larder})
	}
	return out
}

// overlay writes the sources of the engine with all mutants in them, and returns the
// Name of the file that says where they are, for the go command.
func overlay(t *testing.T) string {
	t.Helper()
	sources := map[string]string{}
	for _, m := range mutants {
		for _, e := range m.edits {
			text, known := sources[e.file]
			if !known {
				read, err := os.ReadFile(filepath.Join(root, e.file))
				if err != nil {
					t.Fatal(err)
				}
				text = string(read)
			}
			if n := strings.Count(text, e.old); n != 1 {
				t.Errorf("an engine that %s: what is to be replaced occurs %d times in %s: %s", m.name, n, e.file, e.old)
				continue
			}
			sources[e.file] = strings.Replace(text, e.old, strings.ReplaceAll(e.new, "MUTANT", fmt.Sprintf("isMutant(%q)", m.name)), 1)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	for file := range sources {
		// The packages learn which mutant they are.
		sources[filepath.Join(filepath.Dir(file), "is_mutant.go")] = fmt.Sprintf(
			"package %s\n\nimport \"os\"\n\nfunc isMutant(name string) bool { return os.Getenv(%q) == name }\n",
			filepath.Base(filepath.Dir(file)), mutantSetting)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for file, text := range sources {
		in, err := filepath.Abs(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[in] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
