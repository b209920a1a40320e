package typed

import (
	"fmt"
	"strings"
	"testing"
)

// checked says what of an object is not shown, a line for each place.
func checked(t testing.TB, c *Converter, now, old string) string {
	t.Helper()
	var before []byte
	if old != "" {
		before = []byte(old)
	}
	findings, err := c.Check(t.Context(), []byte(now), before)
	if err != nil {
		t.Fatal(err)
	}
	var printed []string
	for _, f := range findings {
		printed = append(printed, f.Field+": "+f.Message)
	}
	return strings.Join(printed, "\n")
}

func backupOf(version, rest string) string {
	if rest == "" {
		return ""
	}
	return `{"apiVersion":"example.com/` + version + `","kind":"Backup","metadata":{"name":"a"},` + rest + `}`
}

// TestCheck: who writes what the code does not convert is told so in its words, with
// the place, and nobody for what was there.
func TestCheck(t *testing.T) {
	c := newConverter(t)
	const (
		says     = `.spec.target: the value can't be represented in v2: the code that converts it returns: no target: a:b; use a value that it converts`
		panicked = `.spec.target: the value can't be represented in v2: the code panicked: runtime error: index out of range [1] with length 1; use another value, and report this to the maintainer of the code`
		wrong    = `.spec.keep: the value can't be represented in v2: the code that converts it returns: json: cannot unmarshal string into Go struct field backupV1Spec.spec.keep of type int64; use a value that it converts`
	)
	for name, test := range map[string]struct{ now, old, want string }{
		"fine":              {now: `"spec":{"target":"a:1"}`},
		"an error":          {now: `"spec":{"target":"a:b"}`, want: says},
		"a panic":           {now: `"spec":{"target":"a"}`, want: panicked},
		"a wrong type":      {now: `"spec":{"target":"a:1","keep":"x"}`, want: wrong},
		"among others":      {now: `"spec":{"target":"a:b","keep":1,"volumes":[{"name":"data"}]},"status":{"runs":1}`, want: says},
		"made bad":          {now: `"spec":{"target":"a:b"}`, old: `"spec":{"target":"a:1"}`, want: says},
		"bad already":       {now: `"spec":{"target":"a:b"}`, old: `"spec":{"target":"a:b"}`},
		"another bad one":   {now: `"spec":{"target":"a:b"}`, old: `"spec":{"target":"a:c"}`, want: says},
		"elsewhere":         {now: `"spec":{"target":"a:b","keep":1}`, old: `"spec":{"target":"a:b"}`},
		"one of two mended": {now: `"spec":{"target":"a:b","keep":1}`, old: `"spec":{"target":"a:b","keep":"x"}`},
		"a second bad one":  {now: `"spec":{"target":"a:b","keep":1}`, old: `"spec":{"target":"a:1","keep":"x"}`, want: says},
		"two at once":       {now: `"spec":{"target":"a:b","keep":"x"}`, want: strings.Replace(wrong, ".spec.keep", ".spec", 1)},
	} {
		if got := checked(t, c, backupOf("v1", test.now), backupOf("v1", test.old)); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, test.want)
		}
	}
}

// TestCheckOfTheHub looks at every version, and deep into lists and metadata.
func TestCheckOfTheHub(t *testing.T) {
	refuse := func(hub *backupV2, spoke *backupV1) error {
		for _, v := range hub.Spec.Volumes {
			if v.Path == "/" {
				return fmt.Errorf("the volume %s%s has no folder", v.Name, strings.Repeat("x", 1000))
			}
		}
		if hub.Annotations["example.com/x"] == "bad" {
			panic("\xff")
		}
		return nil
	}
	c := newConverter(t, Spoke("v1", func(*backupV1, *backupV2) error { return nil }, refuse))
	for name, test := range map[string]struct{ now, old, want string }{
		"an element":     {now: `"spec":{"volumes":[{"name":"a","path":"/x"},{"name":"b","path":"/"}]}`, want: ".spec.volumes[1].path: the value can't be represented in v1: the code that converts it returns: the volume bxxx"},
		"its member":     {now: `"spec":{"volumes":[{"name":"b","path":"/"}]}`, old: `"spec":{"volumes":[{"name":"b","path":"/x"}]}`, want: ".spec.volumes[0].path: the value can't be represented in v1: "},
		"a new element":  {now: `"spec":{"volumes":[{"name":"a"},{"name":"b","path":"/"}]}`, old: `"spec":{"volumes":[{"name":"a"}]}`, want: ".spec.volumes[1].path: the value can't be represented in v1: "},
		"an old element": {now: `"spec":{"volumes":[{"name":"b","path":"/"}]}`, old: `"spec":{"volumes":[{"name":"a"},{"name":"b","path":"/"}]}`},
		"two elements":   {now: `"spec":{"volumes":[{"name":"a","path":"/"},{"name":"b","path":"/"}]}`, want: ".spec.volumes: the value can't be represented in v1: "},
		"an annotation":  {now: `"metadata":{"annotations":{"example.com/x":"bad","y":"z"}},"spec":{"host":"h"}`, want: ".metadata.annotations['example.com/x']: the value can't be represented in v1: the code panicked: \uFFFD; "},
		"what is shown":  {now: `"spec":{"volumes":[{"name":"b","path":"/x"}]}`},
		"removed again":  {now: `"spec":{"host":"h"}`, old: `"spec":{"volumes":[{"name":"b","path":"/"}]}`},
	} {
		now := strings.Replace(backupOf("v2", test.now), `"metadata":{"name":"a"},"metadata"`, `"metadata"`, 1)
		got := checked(t, c, now, backupOf("v2", test.old))
		if (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) || len(got) > 800 || strings.Count(got, "\n") > 0 {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, test.want)
		}
	}
}

// TestCheckEnds where it would have to try too often.
func TestCheckEnds(t *testing.T) {
	runs := 0
	refuse := func(hub *backupV2, _ *backupV1) error {
		runs++
		if len(hub.Spec.Labels) > 0 {
			return fmt.Errorf("there are labels")
		}
		return nil
	}
	c := newConverter(t, Spoke("v1", func(*backupV1, *backupV2) error { return nil }, refuse))
	var labels []string
	for i := range 1000 {
		labels = append(labels, fmt.Sprintf(`"%d":""`, i))
	}
	got := checked(t, c, backupOf("v2", `"spec":{"labels":{`+strings.Join(labels, ",")+`}}`), "")
	if !strings.HasPrefix(got, ".spec.labels: the value can't be represented in v1: the code that converts it returns: there are labels; ") || runs > maxTries+10 {
		t.Errorf("%d runs: %s", runs, got)
	}
}

// TestCheckOfRoom names what there is no room for in annotations.
func TestCheckOfRoom(t *testing.T) {
	c := newConverter(t)
	large := backupOf("v1", `"spec":{"target":"h:1","hooks":["`+strings.Repeat("x", 200<<10)+`"]}`)
	if got := checked(t, c, large, ""); !strings.HasPrefix(got, ".spec.hooks: values that v2 can't represent do not fit") {
		t.Errorf("got %.300s", got)
	}
	if got := checked(t, c, large, large); got != "" {
		t.Errorf("it was there before: %.300s", got)
	}
}

// TestCheckFails where there is no object.
func TestCheckFails(t *testing.T) {
	c := newConverter(t)
	good := backupOf("v1", `"spec":{}`)
	for now, old := range map[string]string{`[]`: good, good: `{"a`, backupOf("v1", `"metadata":{"labels":1}`): good} {
		if _, err := c.Check(t.Context(), []byte(now), []byte(old)); err == nil {
			t.Errorf("%s over %s", now, old)
		}
	}
}
