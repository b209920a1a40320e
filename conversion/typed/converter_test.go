package typed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

func newConverter(t testing.TB, options ...Option) *Converter {
	t.Helper()
	c, err := New(backupCRD(t), backupScheme(t), "1", options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func convert(t testing.TB, c *Converter, object, to string) string {
	t.Helper()
	out, err := c.Convert(nil, []byte(object), to)
	if err != nil {
		t.Fatal(err)
	}
	return string(appendJSON(nil, decode(out)))
}

// TestConvert shows what each way keeps.
func TestConvert(t *testing.T) {
	c := newConverter(t)
	for _, test := range []struct{ name, object, to, want string }{
		{"what the code drops",
			`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a","managedFields":[{"manager":"m"}]},"spec":{"target":"h:1","hooks":["x"]},"status":{"message":"m"}}`, "v2",
			`{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"annotations":{` +
				`"stash.crosswalk.dev/v1":"{\"format\":1,\"table\":\"MARK\",\"entries\":[{\"at\":[\"spec\",\"hooks\"],\"value\":[\"x\"]}]}",` +
				`"stash.crosswalk.dev/v1.status":"{\"format\":1,\"table\":\"MARK\",\"entries\":[{\"at\":[\"status\",\"message\"],\"value\":\"m\"}]}"},` +
				`"managedFields":[{"manager":"m"}],"name":"a"},"spec":{"host":"h","port":1},"status":{"runs":0}}`},
		{"what the code cannot convert",
			`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{"target":"nonsense"}}`, "v2",
			`{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"annotations":{` +
				`"stash.crosswalk.dev/v1":"{\"format\":1,\"table\":\"MARK\",\"entries\":[{\"at\":[\"spec\",\"target\"],\"value\":\"nonsense\"}]}"},"name":"a"}}`},
		{"what the type cannot hold",
			`{"apiVersion":"example.com/v1","kind":"Backup","spec":{"target":7,"keep":9007199254740993}}`, "v2",
			`{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"annotations":{` +
				`"stash.crosswalk.dev/v1":"{\"format\":1,\"table\":\"MARK\",\"entries\":[{\"at\":[\"spec\",\"keep\"],\"value\":9007199254740993},{\"at\":[\"spec\",\"target\"],\"value\":7}]}"}}}`},
		{"to itself", ` {"kind":"Backup","apiVersion":"example.com/v1"} `, "v1", `{"apiVersion":"example.com/v1","kind":"Backup"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := convert(t, c, test.object, test.to)
			back := convert(t, c, got, "v1")
			var is, was any
			if json.Unmarshal([]byte(back), &is) != nil || json.Unmarshal([]byte(test.object), &was) != nil || fmt.Sprint(is) != fmt.Sprint(was) {
				t.Errorf("it came back as\n%s", back)
			}
			if got := withoutMarks(got); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// withoutMarks returns an object without the marks of its stashes, which have hashes.
func withoutMarks(object string) string {
	return regexp.MustCompile(`\\"table\\":\\"[^"]*\\"`).ReplaceAllString(object, `\"table\":\"MARK\"`)
}

// TestAnEditWins where the code shows the place, and leaves alone what it does not.
func TestAnEditWins(t *testing.T) {
	c := newConverter(t)
	v2 := convert(t, c, `{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{"target":"h:1","hooks":["x"],`+
		`"volumes":[{"name":"data","secret":"s"},{"name":"scratch","secret":"t"},{"name":"logs","secret":"u"}]}}`, "v2")
	edited := strings.NewReplacer(`"host":"h"`, `"host":"other"`, `[{"name":"data"},{"name":"logs"}]`, `[{"name":"new"},{"name":"logs"},{"name":"data"}]`).Replace(v2)
	if edited == v2 {
		t.Fatal(v2)
	}
	got := convert(t, c, edited, "v1")
	want := `"spec":{"hooks":["x"],"target":"other:1","volumes":[{"name":"new"},{"name":"logs","secret":"u"},{"name":"data","secret":"s"},{"name":"scratch","secret":"t"}]}}`
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHostileStashes change nothing, and are counted where they cannot be read.
func TestHostileStashes(t *testing.T) {
	c := newConverter(t)
	const object = `{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"annotations":{"stash.crosswalk.dev/v1":%q}},"spec":{"host":"h","port":1}}`
	for stash, ignored := range map[string]int{
		``: 1, `{`: 1, `[]`: 1, `{"format":9,"entries":[]}`: 1, `{"format":1,"entries":[{"at":[1]}]}`: 1,
		`{"format":1,"entries":[{"at":["metadata","name"],"value":"evil","guard":"F4XPw7xqx3OOizjN"}]}`:      0,
		`{"format":1,"entries":[{"at":["apiVersion"],"value":"evil","guard":"F4XPw7xqx3OOizjN"}]}`:           0,
		`{"format":1,"entries":[{"at":["spec","target"],"value":"evil","guard":"F4XPw7xqx3OOizjN"}]}`:        0,
		`{"format":1,"entries":[{"at":["spec","target"],"order":[{"value":"evil"}]}]}`:                       0,
		`{"format":1,"entries":[{"at":["spec","target","deeper"],"value":1,"guard":"iPaBGrXY_G0xd_m3"}]}`:    0,
		`{"format":1,"entries":[{"at":["metadata"],"value":{"name":"evil"}}]}`:                               0,
		`{"format":1,"entries":[{"at":["metadata","name"],"value":"evil"}]}`:                                 0,
		`{"format":1,"entries":[{"at":["metadata","finalizers"],"value":["evil/x"]}]}`:                       0,
		`{"format":1,"entries":[{"at":["metadata","labels"],"value":{"x":"evil"}}]}`:                         0,
		`{"format":1,"entries":[{"at":["metadata","labels","x"],"value":"evil"}]}`:                           0,
		`{"format":1,"entries":[{"at":["metadata","labels","x"],"value":"evil!"}]}`:                          0,
		`{"format":1,"entries":[{"at":["metadata","annotations","stash.crosswalk.dev/v9"],"value":"evil"}]}`: 0,
		`{"format":1,"entries":[{"at":["spec","hooks","deeper"],"value":"evil"}]}`:                           0,
		`{"format":1,"entries":[{"at":[],"value":1,"guard":"iPaBGrXY_G0xd_m3"}]}`:                            1,
	} {
		var notes conversion.Notes
		got, err := c.ConvertNoting(t.Context(), nil, fmt.Appendf(nil, object, stash), "v1", &notes)
		if err != nil || !strings.HasSuffix(string(got), `"spec":{"target":"h:1"}}`) || strings.Contains(string(got), "evil") {
			t.Errorf("%s: got %s, %v", stash, got, err)
		}
		if notes.IgnoredStashes != ignored {
			t.Errorf("%s: %d were ignored, want %d", stash, notes.IgnoredStashes, ignored)
		}
	}
}

// TestBudget leaves out the largest of what has no room, and names it.
func TestBudget(t *testing.T) {
	c := newConverter(t)
	large := fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{"target":"h:1","hooks":["%s"],"volumes":[{"name":"data","secret":"s"}]}}`, strings.Repeat("x", 200<<10))
	var notes conversion.Notes
	got, err := c.ConvertNoting(t.Context(), nil, []byte(large), "v2", &notes)
	if err != nil || len(got) > 10<<10 || !strings.Contains(string(got), `"crosswalk.dev/incomplete":"v1: .spec.hooks"`) || notes.LeftOut != 1 || notes.Residuals != 1 {
		t.Errorf("%d bytes, %+v, %v\n%.1000s", len(got), notes, err, got)
	}
	if back := convert(t, c, string(got), "v1"); !strings.Contains(back, `"secret":"s"`) || strings.Contains(back, "incomplete") {
		t.Errorf("it came back as %s", back)
	}
}

// TestRefused is only what is no object of a known version.
func TestRefused(t *testing.T) {
	c := newConverter(t)
	for object, want := range map[string]string{
		`[]`:  "Backup: to v1: the object is not a JSON object",
		`{"a`: "Backup: to v1: at byte 1: the string has no end",
		`{"apiVersion":"example.com/v2","kind":"Thing"}`:                                                `Backup: to v1: its kind is "Thing", but the code is for Backup`,
		`{"apiVersion":"example.com/v9","kind":"Backup","metadata":{"name":"a","namespace":"n"}}`:       `Backup n/a: to v1: its apiVersion is "example.com/v9", but the code has only v2, v1, v1alpha1 of the group example.com`,
		`{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"name":"a","annotations":{"b":1}}}`: `Backup a: v2 to v1: its metadata.annotations are not all strings`,
		`{"apiVersion":"example.com/v2","kind":"Backup","metadata":[]}`:                                 `Backup: v2 to v1: its metadata is no object`,
		`{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"name":"a"},"metadata":{}}`:         "Backup: to v1: at byte 71: the member \"metadata\" occurs twice in one object",
		`{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"name":"a","labels":"x"}}`:          `Backup a: v2 to v1: its metadata.labels are no map`,
	} {
		_, err := c.Convert(nil, []byte(object), "v1")
		if e, ok := errors.AsType[*conversion.Error](err); !ok || err.Error() != want {
			t.Errorf("%s\ngot  %v (%T)\nwant %s", object, err, e, want)
		}
	}
}

// TestNew says what is missing.
func TestNew(t *testing.T) {
	other := runtime.NewScheme()
	other.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v2", Kind: "Backup"}, &backupV2{})
	other.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Backup"}, &backupV1{})
	none := func(*backupV1alpha1, *backupV2) error { return nil }
	for want, made := range map[string]func() (*Converter, error){
		"version v1alpha1: the scheme has no type for it; add one": func() (*Converter, error) { return New(backupCRD(t), other, "") },
		"no version has a type that is a conversion.Hub: give one the method Hub, or pass typed.Hub first": func() (*Converter, error) {
			return New(backupCRD(t), runtime.NewScheme(), "")
		},
		"the CRD has no version v3, which is named as the hub; it has v2, v1, v1alpha1": func() (*Converter, error) { return New(backupCRD(t), other, "", Hub("v3")) },
		"version v1alpha1: both functions must be given": func() (*Converter, error) {
			return New(backupCRD(t), backupScheme(t), "", Spoke("v1alpha1", none, nil))
		},
		"version v1: the function is for *typed.backupV1alpha1, but the scheme has *typed.backupV1": func() (*Converter, error) {
			return New(backupCRD(t), backupScheme(t), "", Spoke("v1", none, func(*backupV2, *backupV1alpha1) error { return nil }))
		},
		"version v2: *typed.backupV1, the type of the hub v1, is not a conversion.Hub": func() (*Converter, error) {
			return New(backupCRD(t), backupScheme(t), "", Hub("v1"))
		},
		"version v1alpha1: *unstructured.Unstructured is not a conversion.Convertible: give it the methods ConvertTo and ConvertFrom, or pass typed.Spoke": func() (*Converter, error) {
			scheme := runtime.NewScheme()
			for version, object := range map[string]runtime.Object{"v2": &backupV2{}, "v1": &backupV1{}, "v1alpha1": &unstructured.Unstructured{}} {
				scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Backup"}, object)
			}
			return New(backupCRD(t), scheme, "")
		},
	} {
		if _, err := made(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// TestSpoke converts by functions, between types that know nothing of it.
func TestSpoke(t *testing.T) {
	up := func(spoke *backupV1alpha1, hub *backupV2) error {
		hub.ObjectMeta, hub.Spec.Host = spoke.ObjectMeta, strings.ToUpper(spoke.Spec.Target)
		return nil
	}
	down := func(hub *backupV2, spoke *backupV1alpha1) error {
		spoke.ObjectMeta, spoke.Spec.Target = hub.ObjectMeta, strings.ToLower(hub.Spec.Host)
		return nil
	}
	c := newConverter(t, Spoke("v1alpha1", up, down))
	got := convert(t, c, `{"apiVersion":"example.com/v1alpha1","kind":"Backup","spec":{"target":"h"}}`, "v2")
	if got != `{"apiVersion":"example.com/v2","kind":"Backup","spec":{"host":"H"},"status":{"runs":0}}` {
		t.Errorf("got %s", got)
	}
	if c.Name() != "backups.example.com" || c.Group() != "example.com" || c.Kind() != "Backup" || c.Hub() != "v2" || len(c.Versions()) != 3 || len(c.Fingerprint()) != 16 {
		t.Errorf("%+v", c)
	}
	later, err := New(backupCRD(t), backupScheme(t), "2")
	if err != nil || later.Fingerprint() == c.Fingerprint() {
		t.Errorf("another revision has the same fingerprint: %v", err)
	}
}

// TestLogger tells that code has failed, and nothing of the object.
func TestLogger(t *testing.T) {
	var log bytes.Buffer
	c := newConverter(t, Logger(slog.New(slog.NewTextHandler(&log, nil))))
	for _, target := range []string{"secret", "secret:secret"} { // panics, and fails
		convert(t, c, `{"apiVersion":"example.com/v1","kind":"Backup","spec":{"target":"`+target+`"}}`, "v2")
	}
	printed := log.String()
	if strings.Contains(printed, "secret") || !strings.Contains(printed, `reason="the code panicked"`) || !strings.Contains(printed, `reason="the code returned an error"`) {
		t.Errorf("printed\n%s", printed)
	}
}

// TestOneKeyTwice keeps an element that has the key of another one, beside one that the code drops.
func TestOneKeyTwice(t *testing.T) {
	c := newConverter(t)
	v1 := `{"apiVersion":"example.com/v1","kind":"Backup","spec":{"volumes":[{"name":"scratch"},{"name":"a"},{"name":"logs","secret":"s"},{"name":"logs"}]}}`
	if back := convert(t, c, convert(t, c, v1, "v2"), "v1"); back != v1 {
		t.Errorf("it came back as\n%s", back)
	}
}

// TestTries: of a forged stash, few entries are tried, and that the code fails in a try is not reported: the object can
// be converted.
func TestTries(t *testing.T) {
	var log strings.Builder
	runs := 0
	toHub := func(from *backupV1, to *backupV2) error {
		if runs++; len(from.Labels) > 0 {
			return errors.New("no label is known")
		}
		return from.ConvertTo(to)
	}
	fromHub := func(from *backupV2, to *backupV1) error { runs++; return to.ConvertFrom(from) }
	c := newConverter(t, Spoke("v1", toHub, fromHub), Logger(slog.New(slog.NewTextHandler(&log, nil))))
	var entries []string
	for i := range 1000 {
		entries = append(entries, fmt.Sprintf(`{"at":["metadata","labels","l%d"],"value":"forged"}`, i))
	}
	object := fmt.Sprintf(`{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"name":"a","annotations":{"stash.crosswalk.dev/v1":%q}},"spec":{"host":"h","port":1}}`,
		`{"format":1,"entries":[`+strings.Join(entries, ",")+`]}`)
	got := convert(t, c, object, "v1")
	if strings.Contains(got, "forged") {
		t.Errorf("got %.300s", got)
	}
	if runs > 40 || runs < 10 || log.Len() > 0 {
		t.Errorf("the code ran %d times, and the log is %q", runs, log.String())
	}
}
