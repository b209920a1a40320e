package typed

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// explained is an explanation in short, a line each.
func explained(t *testing.T, c *Converter, object, to string) string {
	t.Helper()
	e, err := c.Explain(t.Context(), []byte(object), to)
	if err != nil {
		t.Fatal(err)
	}
	if want := convert(t, c, object, to); string(appendJSON(nil, decode(e.Object))) != want {
		t.Errorf("the object is %s, and Convert gives %s", e.Object, want)
	}
	var lines []string
	for _, s := range e.Steps {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s to %s %s %s", s.From, s.To, s.Code.Error, s.Code.BackError)))
		for _, o := range s.Origins {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s", o.Path, o.By, o.Value)))
		}
		for _, k := range s.Kept {
			line := fmt.Sprintf("kept %s %s: %s", k.Path, k.Value, k.Why)
			if k.Back != nil {
				line += " " + string(k.Back)
			}
			if k.LeftOut {
				line = line[:40] + "… left out"
			}
			lines = append(lines, line)
		}
		for _, u := range s.Unused {
			lines = append(lines, "unused "+u.Path+": "+u.Reason)
		}
	}
	return strings.Join(lines, "\n")
}

// TestExplain tells what the code has written from what made up for it.
func TestExplain(t *testing.T) {
	c := newConverter(t)
	full := `{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a","labels":{"x":"y"}},"spec":{"target":"h:1","keep":3,"hooks":["x"],"volumes":[{"name":"scratch"},{"name":"data","secret":"s"},{"name":"logs"}]},"status":{"message":"m","runs":2}}`
	there := convert(t, c, full, "v2")
	for _, test := range []struct{ name, object, to, want string }{
		{"what the code writes, copies and loses", full, "v2", `v1 to v2
.kind same
.metadata.labels.x same
.metadata.name same
.spec.host code "h"
.spec.port code 1
.spec.retention.count code 3
.spec.volumes[0].name code "data"
.spec.volumes[1].name code "logs"
.status.runs same
kept .spec.hooks ["x"]: another value on the way back
kept .spec.volumes[1].secret "s": another value on the way back
kept .spec.volumes : order
kept .status.message "m": another value on the way back`},
		{"what a stash makes up for", there, "v1", `v2 to v1
.kind same
.metadata.labels.x same
.metadata.name same
.spec.keep code 3
.spec.target code "h:1"
.spec.volumes[0] stash {"name":"scratch"}
.spec.volumes[1].name same
.spec.volumes[1].secret stash "s"
.spec.volumes[2] same
.spec.hooks stash ["x"]
.status.runs same
.status.message stash "m"`},
		{"what comes back as another value", `{"apiVersion":"example.com/v1","kind":"Backup","spec":{"target":"x:09"}}`, "v2", `v1 to v2
.kind same
.spec.host code "x"
.spec.port code 9
.status.runs code 0
kept .spec.target "x:09": another value on the way back "x:9"`},
		{"an edit wins over what was kept", strings.Replace(convert(t, c, `{"apiVersion":"example.com/v1","kind":"Backup","spec":{"target":"x:09"}}`, "v2"), `"port":9`, `"port":8`, 1), "v1", `v2 to v1
.kind same
.spec.target code "x:8"
unused .spec.target: a field that it depends on was edited, and the edit takes precedence`},
		{"what is kept has gone", strings.Replace(there, `"data"`, `"tape"`, 1), "v1", `v2 to v1
.kind same
.metadata.labels.x same
.metadata.name same
.spec.keep code 3
.spec.target code "h:1"
.spec.volumes[0] stash {"name":"scratch"}
.spec.volumes[1] same
.spec.volumes[2] same
.spec.hooks stash ["x"]
.status.runs same
.status.message stash "m"
unused .spec.volumes[{"name":"data"}].secret: the element or field that contains it does not exist`},
		{"an error", `{"apiVersion":"example.com/v1","kind":"Backup","spec":{"target":"a:b"}}`, "v2", `v1 to v2 no target: a:b
.kind same
kept .spec.target "a:b": cannot be mapped`},
		{"an error on the way back", `{"apiVersion":"example.com/v1alpha1","kind":"Backup","spec":{"target":"h:1"}}`, "v1", `v1alpha1 to v2
.kind same
.spec.host code "h:1"
.status.runs code 0
v2 to v1  no target: h:1:0
.kind same
.spec.target code "h:1:0"
kept .spec.host "h:1": another value on the way back
kept .status.runs 0: another value on the way back`},
		{"nothing to convert", `{"apiVersion":"example.com/v1","kind":"Backup"}`, "v1", ``},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := explained(t, c, test.object, test.to); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestExplainLeftOut(t *testing.T) {
	object := fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Backup","spec":{"hooks":[%q]},"status":{"message":"m"}}`, strings.Repeat("x", (128<<10)))
	got := explained(t, newConverter(t), object, "v2")
	if !strings.Contains(got, `kept .spec.hooks ["xxxx`) || strings.Count(got, "left out") != 1 {
		t.Errorf("got %.500s", got)
	}
}

func TestExplainFails(t *testing.T) {
	c := newConverter(t)
	for object, to := range map[string]string{`{`: "v2", `{"apiVersion":"example.com/v1","kind":"Backup"}`: "v7", `{"apiVersion":"example.com/v1","kind":"Backup","metadata":[]}`: "v2"} {
		_, err := c.Explain(t.Context(), []byte(object), to)
		_, want := c.Convert(nil, []byte(object), to)
		if _, ok := errors.AsType[*conversion.Error](err); !ok || err.Error() != want.Error() {
			t.Errorf("%s: got %v, want %v", object, err, want)
		}
	}
}

func TestExplainTooMuch(t *testing.T) {
	var volumes []string
	for i := range 50_000 {
		volumes = append(volumes, fmt.Sprintf(`{"name":"v%d","secret":"s"}`, i))
	}
	object := `{"apiVersion":"example.com/v1","kind":"Backup","spec":{"target":"h:1","volumes":[` + strings.Join(volumes, ",") + `]}}`
	_, err := newConverter(t).Explain(t.Context(), []byte(object), "v2")
	if err == nil || !strings.HasSuffix(err.Error(), "the explanation takes more than 8 MiB; explain a smaller object") {
		t.Errorf("got %v", err)
	}
}
