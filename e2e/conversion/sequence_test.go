package conversion

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// fields are the values that a random edit may give to a field; nil removes it.
// They include a host that cannot be told from its port, and a hostPort that
// cannot be split.
var fields = map[string]map[string][]any{
	"v1beta1": {
		"cronSpec": {"0 2 * * *", "*/5 * * * *", "1 2 3 4 5"},
		"image":    {"example.com/backup:1.4", "example.com/backup:1.5"},
		"replicas": {json.Number("1"), json.Number("10"), nil},
		"hostPort": {"localhost:1234", "[2001:db8::7]:8443", "without-a-colon", nil},
		"shell":    {"/bin/dash", "", nil},
	},
	"v1": {
		"cronSpec": {"0 2 * * *", "*/5 * * * *", "1 2 3 4 5"},
		"image":    {"example.com/backup:1.4", "example.com/backup:1.5"},
		"replicas": {json.Number("1"), json.Number("10"), nil},
		"host":     {"localhost", "db.example.com", "2001:db8::7", nil},
		"port":     {"1234", "80:90", nil},
		"timeZone": {"Europe/Zurich", "", nil},
	},
}

// statuses are the values that a random edit may give to a field of status.
var statuses = map[string][]any{
	"replicas":      {json.Number("0"), json.Number("3"), nil},
	"labelSelector": {"app=backup", "", nil},
	"message":       {"done", "", nil},
	"lastRunTime":   {"2026-01-02T03:04:05Z", nil},
}

// testSequences does random edits of every kind through random versions, and
// after each one compares both versions with a model that knows no annotation.
func testSequences(t *testing.T, v variant) {
	const objects, edits = 3, 60
	for n := range objects {
		t.Run(fmt.Sprintf("object %d", n), func(t *testing.T) {
			s := sequence{
				rand: rand.New(rand.NewPCG(uint64(n), 1)), model: newModel(v.stored),
				in:   map[string]harness.Resource{v.via.Version: v.via, v.other.Version: v.other},
				name: fmt.Sprintf("sequence-%d", n),
			}
			born := versions[s.rand.IntN(2)]
			if _, err := s.in[born].Create(t.Context(), fragment(s.in[born], s.name, string(check.Encode(t, s.model.view(born))))); err != nil {
				t.Fatal(err)
			}
			for i := range edits {
				done := s.step(t, i)
				s.history = append(s.history, done)
				s.check(t)
				if t.Failed() {
					t.Fatalf("after these edits:\n%s", s.text())
				}
			}
		})
	}
}

type sequence struct {
	rand    *rand.Rand
	in      map[string]harness.Resource
	name    string
	model   *model
	history []string
}

// step does one random edit and says which.
func (s *sequence) step(t *testing.T, n int) string {
	t.Helper()
	version := versions[s.rand.IntN(2)]
	r := s.in[version]
	if s.rand.IntN(4) == 0 {
		return s.statusStep(t, version)
	}
	field, value := s.field(version)
	var err error
	kind := s.rand.IntN(4)
	switch kind {
	case 0: // read, change, replace
		object := check.Decode(t, check.Get(t, r, s.name)).(map[string]any)
		change(object["spec"].(map[string]any), field, value)
		_, err = r.Update(t.Context(), s.name, check.Encode(t, object))
	case 1: // merge patch, where null removes
		_, err = r.MergePatch(t.Context(), s.name, string(check.Encode(t, map[string]any{"spec": map[string]any{field: value}})))
	case 2: // server-side apply of one field by a manager of its own
		if value == nil {
			value = fields[version][field][0]
		}
		manager := fmt.Sprintf("manager-%d&force=true", n)
		_, err = r.Apply(t.Context(), s.name, manager, fragment(r, s.name, string(check.Encode(t, map[string]any{field: value}))))
	case 3: // nothing but a label
		_, err = r.MergePatch(t.Context(), s.name, fmt.Sprintf(`{"metadata":{"labels":{"edit":"%d"}}}`, n))
		field, value = "cronSpec", s.model.shared["cronSpec"]
	}
	done := fmt.Sprintf("%s by %s: %s = %v", version, []string{"update", "merge patch", "apply", "label"}[kind], field, value)
	if err != nil {
		t.Fatalf("%s: %v, after\n%s", done, err, s.text())
	}
	s.model.edit(version, field, value)
	return done
}

// statusStep patches one field of status.
func (s *sequence) statusStep(t *testing.T, version string) string {
	t.Helper()
	names := statusOf[version]
	field := names[s.rand.IntN(len(names))]
	value := statuses[field][s.rand.IntN(len(statuses[field]))]
	done := fmt.Sprintf("%s by status patch: %s = %v", version, field, value)
	patch := check.Encode(t, map[string]any{"status": map[string]any{field: value}})
	if _, err := s.in[version].MergePatch(t.Context(), s.name+"/status", string(patch)); err != nil {
		t.Fatalf("%s: %v, after\n%s", done, err, s.text())
	}
	change(s.model.status, field, value)
	return done
}

// field chooses a field of the version and a value for it.
func (s *sequence) field(version string) (string, any) {
	var names []string
	for _, name := range []string{"cronSpec", "image", "replicas", "hostPort", "shell", "host", "port", "timeZone"} {
		if fields[version][name] != nil {
			names = append(names, name)
		}
	}
	name := names[s.rand.IntN(len(names))]
	values := fields[version][name]
	return name, values[s.rand.IntN(len(values))]
}

func (s *sequence) check(t *testing.T) {
	t.Helper()
	for _, version := range versions {
		object := check.Decode(t, check.Get(t, s.in[version], s.name))
		got, _ := exact.At(object, "spec")
		s.model.allow(version, got)
		if diff := exact.Diff(got, any(s.model.view(version))); diff != "" {
			t.Errorf("%s:\n%s", version, diff)
		}
		// A status that was emptied may be absent or an empty object.
		got, ok := exact.At(object, "status")
		if !ok {
			got = map[string]any{}
		}
		if diff := exact.Diff(got, any(s.model.statusView(version))); diff != "" {
			t.Errorf("%s, status:\n%s", version, diff)
		}
	}
}

func (s *sequence) text() string {
	var text string
	for _, done := range s.history {
		text += "  " + done + "\n"
	}
	return text
}
