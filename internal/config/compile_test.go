package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

func TestCompile(t *testing.T) {
	star := strings.NewReplacer("crontabs", "stars", "crontab", "star", "CronTab", "Star")
	config, err := Load([]string{write(t,
		"b.yaml", star.Replace(crontabCRD+"---\n"+crontabTable),
		"c.yaml", crontabCRD+"---\n"+crontabTable,
	)})
	if err != nil {
		t.Fatal(err)
	}
	converters, err := config.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if len(converters) != 2 || converters[0].Kind() != "CronTab" || converters[1].Kind() != "Star" {
		t.Fatalf("got %d converters", len(converters))
	}
	out, err := converters[0].Convert(nil, []byte(`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","spec":{"hostPort":"a:1"}}`), "v1")
	if want := `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"host":"a","port":"1"}}`; err != nil || string(out) != want {
		t.Errorf("got %s, %v\nwant %s", out, err, want)
	}
}

// The problems of every table come at once, each with its file.
func TestCompileReportsEveryTable(t *testing.T) {
	wrong := strings.Replace(crontabTable, "host: .spec.host", "host: .spec.hots", 1)
	star := strings.NewReplacer("crontabs", "stars", "crontab", "star", "CronTab", "Star")
	folder := write(t, "a.yaml", crontabCRD+"---\n"+wrong, "b.yaml", star.Replace(crontabCRD+"---\n"+wrong))
	config, err := Load([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	_, err = config.Compile()
	var failed Errors
	var problem conversion.Problem
	if !errors.As(err, &failed) || !errors.As(err, &problem) {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{
		folder + "/a.yaml: document 2, line 26: crosswalk crontabs.stable.example.com: v1beta1 row 1",
		folder + "/b.yaml: document 2, line 26: crosswalk stars.stable.example.com: v1beta1 row 1",
		"hub path .spec.hots is not in the v1 schema; did you mean .spec.host?",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s is missing in\n%v", want, err)
		}
	}
}

// A problem names the line of its row, within other rows too.
func TestCompileFindsTheRow(t *testing.T) {
	table := strings.Replace(crontabTable, "    rows:\n", `    rows:
    - spoke: .spec.jobs
      hub: .spec.tasks
      each:
        rows:
        - {spoke: .a, hub: .b}
        - {spoke: .c, hub: .nowhere}
`, 1)
	list := "{type: array, items: {type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}}}"
	crd := strings.NewReplacer("hostPort: {", "jobs: "+list+", hostPort: {", "host: {", "tasks: "+list+", host: {").Replace(crontabCRD)
	config, err := Load([]string{write(t, "crd.yaml", crd, "table.yaml", table)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = config.Compile()
	if err == nil || !strings.Contains(err.Error(), "line 14: ") {
		t.Errorf("got %v", err)
	}
}

// A problem of a field of the table names its line.
func TestCompileFindsTheHub(t *testing.T) {
	config, err := Load([]string{write(t, "a.yaml", crontabCRD+"---\n"+strings.Replace(crontabTable, "hub: v1\n", "hub: v2\n", 1))})
	if err != nil {
		t.Fatal(err)
	}
	_, err = config.Compile()
	if want := "a.yaml: document 2, line 22: crosswalk crontabs.stable.example.com: hub v2 is not a version of the CRD, which has v1beta1, v1; did you mean v1?"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// A line that is indented otherwise than those beside it is named itself.
func TestIndentation(t *testing.T) {
	_, err := Load([]string{write(t, "a.yaml", strings.Replace(crontabTable, "    - spoke:", "   - spoke:", 1))})
	if want := "a.yaml: document 1, line 9: not YAML: did not find expected key; the line is indented by 3; indent it like its neighbours"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
