package verify

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

func always() bool { return true }

func judged(t *testing.T, s *Subject, seed uint64, most int) *Judge {
	t.Helper()
	j := NewJudge(s, seed, most)
	j.Generated(always)
	return j
}

// Every law gets its cases, where there can be one for it, and the same seed makes
// the same ones.
func TestJudge(t *testing.T) {
	t.Parallel()
	s := read(t, "../../examples/crontab/crd.yaml", "../../examples/crontab/crosswalk.yaml")
	j := judged(t, s, 1, 20)
	for _, law := range Laws() {
		want := 20
		if law == Coherent {
			want = 0 // there are two versions
		}
		if j.Tried[law] != want {
			t.Errorf("%s: %d cases, want %d", law, j.Tried[law], want)
		}
		if law.Description() == "" {
			t.Errorf("%s says nothing", law)
		}
	}
	for law := range j.Tried {
		if !slices.Contains(Laws(), law) {
			t.Errorf("%s has cases, and Laws does not know it", law)
		}
	}
	if len(j.Found) > 0 {
		t.Error(j.Found)
	}
	again, other := judged(t, s, 1, 20), judged(t, s, 2, 20)
	if !reflect.DeepEqual(j.Seen.Classes(), again.Seen.Classes()) || maps.Equal(j.Seen.Classes(), other.Seen.Classes()) {
		t.Error("it is not the seed that makes the cases")
	}
}

func TestJudgeEnds(t *testing.T) {
	t.Parallel()
	s := read(t, "../../examples/crontab/crd.yaml", "../../examples/crontab/crosswalk.yaml")
	j, objects := NewJudge(s, 1, 1000000), 0
	j.Generated(func() bool { objects++; return objects < 3 })
	if objects != 3 {
		t.Errorf("it went on for %d objects", objects)
	}
	judged(t, s, 1, 0) // nothing to do
}

func TestJudgeSample(t *testing.T) {
	t.Parallel()
	s := read(t, "../../examples/crontab/crd.yaml", "../../examples/crontab/crosswalk.yaml")
	j := NewJudge(s, 1, 10)
	sample := `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"cronSpec":"* * * * *","image":"i","hostPort":"a:1","unknown":1}}`
	if err := j.Sample("a.yaml:1", 0, []byte(sample)); err != nil || len(j.Found) > 0 {
		t.Fatal(err, j.Found)
	}
	for _, law := range Laws() {
		// It needs no stash, so that there is none to forge.
		if j.Samples[law] != j.Tried[law] || law != Coherent && law != Forged && j.Samples[law] < 3 {
			t.Errorf("%s: %d cases, %d of samples", law, j.Tried[law], j.Samples[law])
		}
	}
	for text, want := range map[string]string{
		`{`: "not a name",
		`{"apiVersion":"stable.example.com/v7","kind":"CronTab"}`:                                           "its version must be one of [v1beta1 v1]",
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"annotations":{"a":1}}}`:        "annotations",
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"annotations":{}},"a":1,"a":2}`: "twice",
	} {
		if err := j.Sample("x", 1, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// wrong is the engine with a mistake.
type wrong struct {
	Converter
	mistake func([]byte) []byte
}

func (w *wrong) Convert(dst, object []byte, to string) ([]byte, error) {
	out, err := w.Converter.Convert(nil, object, to)
	if err != nil {
		return dst, err
	}
	return append(dst, w.mistake(out)...), nil
}

func mistaken(mistake func([]byte) []byte) CompileFunc {
	return func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
		c, err := Compile(crd, table)
		return &wrong{c, mistake}, err
	}
}

// What is found is small, and names the row that has to do with it.
func TestJudgeFinds(t *testing.T) {
	t.Parallel()
	whole := read(t, "../../examples/crontab/crd.yaml", "../../examples/crontab/crosswalk.yaml")
	for name, test := range map[string]struct {
		mistake func([]byte) []byte
		place   string
		rows    string
	}{
		"a value of a row": {
			func(out []byte) []byte { return bytes.ReplaceAll(out, []byte(`"port":"`), []byte(`"port":"0`)) },
			".spec.port", "v1beta1 row 1 (.spec.hostPort <-> .spec.host, .spec.port)",
		},
		"what is kept": {
			func(out []byte) []byte {
				stripped, err := conversion.Strip(nil, out)
				if err != nil {
					t.Error(err)
				}
				return stripped
			}, ".spec.shell", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := NewSubject(whole.CRD, whole.Table, mistaken(test.mistake))
			if err != nil {
				t.Fatal(err)
			}
			found := judged(t, s, 1, 100).Found[RoundTrip]
			if found == nil {
				t.Fatal("nothing was found")
			}
			if len(found.Object) > 200 || found.Generated == 0 || found.Version() != found.From {
				t.Errorf("got object %d of %s: %s", found.Generated, found.Version(), found.Object)
			}
			var rows []string
			for _, r := range found.Rows() {
				rows = append(rows, r.String())
			}
			if got := strings.Join(rows, ", "); got != test.rows || found.Diff[0].Path.String() != test.place {
				t.Errorf("%s: got %q, want %q", found.Diff[0].Path, got, test.rows)
			}
		})
	}
}
