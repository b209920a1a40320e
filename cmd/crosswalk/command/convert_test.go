package command

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const example = "../../../examples/crontab"

func TestConvertStandardInput(t *testing.T) {
	in := `# nightly work
apiVersion: stable.example.com/v1beta1
kind: CronTab
metadata: {name: a}
spec: {cronSpec: "* * * * *", image: i, hostPort: "[::1]:80", replicas: 9007199254740993}
---
kind:   Secret   # not ours
`
	want := `# nightly work
apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  name: a
spec:
  cronSpec: '* * * * *'
  image: i
  replicas: 9007199254740993
  host: '[::1]'
  port: "80"
---
kind:   Secret   # not ours
`
	crosswalk(t, in, "convert", "--config", example, "--to", "v1").expect(t, result{stdout: want})
	crosswalk(t, in, "convert", "--config", example, "--to", "stable.example.com/v1", "-f", "-").expect(t, result{stdout: want})
}

// With their stashes, objects come back as they were; without, what the other
// version cannot hold is gone.
func TestConvertThereAndBack(t *testing.T) {
	in := `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"cronSpec":"* * * * *","image":"i","timeZone":"UTC","notify":[]}}`
	there := crosswalk(t, in, "convert", "--config", example, "--to", "v1beta1", "--keep-stash")
	if there.code != exitOK || !strings.Contains(there.stdout, `"stash.crosswalk.dev/v1":`) {
		t.Fatalf("got %+v", there)
	}
	back := crosswalk(t, there.stdout, "convert", "--config", example, "--to", "v1")
	for _, part := range []string{`"timeZone":"UTC"`, `"notify":[]`} {
		if !strings.Contains(back.stdout, part) {
			t.Errorf("%s is missing in %s", part, back.stdout)
		}
	}
	if strings.Contains(back.stdout, "crosswalk.dev/") {
		t.Errorf("an annotation is left: %s", back.stdout)
	}
	crosswalk(t, in, "convert", "--config", example, "--to", "v1beta1").expect(t, result{
		stdout: `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"cronSpec":"* * * * *","image":"i"}}`,
	})
	// A stash comes off an object that has the version already.
	crosswalk(t, there.stdout, "convert", "--config", example, "--to", "v1beta1").expect(t, result{
		stdout: `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"cronSpec":"* * * * *","image":"i"}}`,
	})
}

func TestConvertReportsAndGoesOn(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := "apiVersion: stable.example.com/v1beta1\nkind: CronTab\n"
	many := write("many.yaml", good+"---\napiVersion: stable.example.com/v0\nkind: CronTab\nmetadata: {namespace: ns, name: a}\n---\na: [\n---\n"+good)
	one := write("one.json", `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"metadata":{}}`)
	got := crosswalk(t, "", "convert", "--config", example, "--to", "v1", "-f", many, "-f", filepath.Join(folder, "missing.yaml"), "-f", one)
	want := result{
		code:   exitFailed,
		stdout: "apiVersion: stable.example.com/v1\nkind: CronTab\n---\napiVersion: stable.example.com/v1\nkind: CronTab\n",
		stderr: `crosswalk: FOLDER/many.yaml: document 2, line 4: CronTab ns/a: to v1: its apiVersion is "stable.example.com/v0", but the table has only v1beta1, v1 of the group stable.example.com
crosswalk: FOLDER/many.yaml: document 3, line 8: not YAML: did not find expected node content
crosswalk: FOLDER/missing.yaml: no such file or directory
crosswalk: FOLDER/one.json: document 1, line 1: CronTab a: v1beta1 to v1: at byte 84: the member "metadata" occurs twice in one object
`,
	}
	got.stderr = strings.ReplaceAll(got.stderr, folder, "FOLDER")
	got.expect(t, want)
}

func TestConvertFolder(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.json":    `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab"}`,
		"b.json":    `{"b":1}`,
		"c.yaml":    "c: 1",
		"d.yaml":    "---\nd: 1\n",
		"notes.txt": "not read",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	crosswalk(t, "", "convert", "--config", example, "--to", "v1", "-f", folder).expect(t, result{
		stdout: `{"apiVersion":"stable.example.com/v1","kind":"CronTab"}` + "\n" + `{"b":1}` + "\n---\nc: 1\n---\nd: 1\n",
	})
}

func TestConvertOutput(t *testing.T) {
	in := `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","spec":{"hostPort":"a:1"}}{"a":1}`
	yaml := "apiVersion: stable.example.com/v1\nkind: CronTab\nspec:\n  host: a\n  port: \"1\"\n---\na: 1\n"
	crosswalk(t, in, "convert", "--config", example, "--to", "v1", "-o", "yaml").expect(t, result{stdout: yaml})
	crosswalk(t, "a: 1\n", "convert", "--config", example, "--to", "v1", "-o", "json").expect(t, result{stdout: "{\n    \"a\": 1\n}\n"})
}

func TestConvertBadConfig(t *testing.T) {
	table := filepath.Join(t.TempDir(), "table.yaml")
	if err := os.WriteFile(table, []byte("apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: a}\nspec: {hubb: v1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	crosswalk(t, "", "convert", "--config", table, "--to", "v1").expect(t, result{
		code:   exitUsage,
		stderr: "crosswalk: " + table + ": document 1, line 4: crosswalk a: .spec.hubb: unknown field; did you mean hub?\nSee 'crosswalk convert --help'.\n",
	})
}

// If the reader of the output is gone, that is a failure, not a success with half the output.
func TestConvertOutputFails(t *testing.T) {
	var stderr bytes.Buffer
	code := Options{}.run(t.Context(), []string{"convert", "--config", example, "--to", "v1"}, strings.NewReader("a: 1\n"), full{}, &stderr)
	if want := "crosswalk: writing the output: no space\n"; code != exitFailed || stderr.String() != want {
		t.Errorf("got %d, %s", code, stderr.String())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// TestConvertMaxObjectBytes: an object beyond the limit is named and left out, and the flag
// that the message names lets it pass.
func TestConvertMaxObjectBytes(t *testing.T) {
	large := `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"large"},"spec":{"image":"` + strings.Repeat("i", 500) + `"}}` + "\n"
	small := `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"small"},"spec":{"image":"i"}}` + "\n"
	v1 := strings.NewReplacer("v1beta1", "v1")
	args := []string{"convert", "--config", example, "--to", "v1"}
	crosswalk(t, large+small, append(args, "--max-object-bytes", "300")...).expect(t, result{code: exitFailed, stdout: "\n" + v1.Replace(small),
		stderr: "crosswalk: standard input: document 1, line 1: CronTab large: to v1: the object is 608 bytes long, and the limit is 300; " +
			"the API server takes no write above 3145728, and --max-object-bytes, in Go conversion.WithMaxSize, raises the limit\n"})
	crosswalk(t, large+small, append(args, "--max-object-bytes", "608")...).expect(t, result{stdout: v1.Replace(large + small)})
	crosswalk(t, "", append(args, "--max-object-bytes", "0")...).expect(t, result{code: exitUsage,
		stderr: "crosswalk: --max-object-bytes 0: want 1 to 1073741824\nSee 'crosswalk convert --help'.\n"})
}
