package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

// Every example holds, with made objects and with its own.
func TestVerifyExamples(t *testing.T) {
	t.Parallel()
	tables, err := filepath.Glob("../../../examples/*/crosswalk.yaml")
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	cases := 15
	if testing.Short() {
		cases = 4
	}
	for _, table := range tables {
		folder := filepath.Dir(table)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			got := crosswalk(t, "", "verify", "--config", folder, "--samples", folder+"/objects", "--cases", strconv.Itoa(cases))
			if got.code != exitOK || !strings.HasSuffix(got.stdout, " cases, and every law holds.\n") || !strings.Contains(got.stdout, " real objects were tried, too\n") {
				t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
			}
		})
	}
}

// wrong is the engine with a mistake.
type wrong struct{ verify.Converter }

func (w wrong) Convert(dst, object []byte, to string) ([]byte, error) {
	out, err := w.Converter.Convert(nil, object, to)
	return append(dst, bytes.ReplaceAll(out, []byte(`"port":"`), []byte(`"port":"0`))...), err
}

func compileWrong(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (verify.Converter, error) {
	c, err := verify.Compile(crd, table)
	return wrong{c}, err
}

// What is found is a failure in every format, with the command that finds it again.
func TestVerifyFinds(t *testing.T) {
	t.Parallel()
	for output, part := range map[string]string{
		"text":  "  again: crosswalk verify --config ../../../examples/crontab --cases 20 --seed 3\n",
		"json":  `  "holds": false,`,
		"junit": `<failure message="the object came back changed" type="L1">`,
	} {
		o := verifyOptions{config: []string{example}, cases: 20, seed: 3, output: output, objects: objectOptions{conversion.MaxSize}, compile: compileWrong}
		var stdout, stderr bytes.Buffer
		err := o.run(t.Context(), strings.NewReader(""), &stdout, &stderr)
		// A slow machine tells of its progress, too.
		if err != errReported || !strings.Contains(stdout.String(), part) || strings.Contains(stderr.String(), "crosswalk: ") {
			t.Errorf("%s: %q is missing in\n%s%s", output, part, stdout.String(), stderr.String())
		}
	}
}

// A run that is ended reports what it has done, and has failed.
func TestVerifyInterrupted(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code := Options{}.run(ended, []string{"verify", "--config", example}, strings.NewReader(""), &stdout, &stderr)
	if code != exitFailed || !strings.Contains(stdout.String(), "\nInterrupted: not everything was tried. ") || stderr.Len() > 0 {
		t.Errorf("got %d\n%s%s", code, stdout.String(), stderr.String())
	}
}

func TestVerifySamples(t *testing.T) {
	t.Parallel()
	in := `apiVersion: stable.example.com/v1beta1
kind: CronTab
metadata: {name: a}
spec: {cronSpec: "* * * * *", image: i, hostPort: "[::1]:80"}
---
apiVersion: apps/v1
kind: Deployment
`
	got := crosswalk(t, in, "verify", "--config", example, "--cases", "0", "--samples", "-", "-o", "json")
	if got.code != exitOK || got.stderr != "crosswalk: left out samples of kinds without a table: Deployment (apps/v1)\n" || !strings.Contains(got.stdout, `"samples": 1,`) {
		t.Errorf("got %+v", got)
	}
}

// A list of a kind, as the API server gives it, is what is in it.
func TestVerifyList(t *testing.T) {
	t.Parallel()
	one := `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"}}`
	in := `{"apiVersion":"stable.example.com/v1","kind":"CronTabList","metadata":{},"items":[` + one + `,` + one + `]}`
	got := crosswalk(t, in, "verify", "--config", example, "--cases", "0", "--samples", "-")
	if got.code != exitOK || !strings.Contains(got.stdout, "  2 real objects were tried, too\n") {
		t.Errorf("got %+v", got)
	}
}

func TestVerifyUsage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	broken := write("broken.yaml", "a: [\n")
	empty := write("empty.yaml", "# nothing\n")
	other := write("other.yaml", "apiVersion: apps/v1\nkind: Deployment\n")
	good := write("good.yaml", "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a}\n")
	old := write("old.yaml", "\napiVersion: stable.example.com/v0\nkind: CronTab\nmetadata: {name: a}\n")
	odd := write("odd.yaml", "a: 1\n")
	table := write("table.yaml", "apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: crontabs.stable.example.com}\nspec:\n  hub: v1\n  versions:\n  - name: v1beta1\n    rows:\n    - {spoke: .spec.hostPort, hub: .spec.hots}\n")
	for _, test := range []struct{ args, want string }{
		{"", "--config is missing: name the files or folders with the CRDs and tables"},
		{"--config EXAMPLE more", `unexpected argument "more": name files with --config and --samples`},
		{"--config EXAMPLE --config=", "a path is empty: name a file or folder"},
		{"--config EXAMPLE -o yaml", "--output yaml: use text, json or junit"},
		{"--config EXAMPLE --cases -1", "--cases -1: want 0 or more"},
		{"--config EXAMPLE --cases 0", "--cases 0 leaves nothing to try: name real objects with --samples or --from-cluster, or use --cases 1 to see the warnings only"},
		{"--config EXAMPLE --context a", "--context needs --from-cluster"},
		{"--config EXAMPLE --kubeconfig a", "--kubeconfig needs --from-cluster"},
		{"--config EXAMPLE --from-cluster --kubeconfig nowhere", "the kubeconfig: stat nowhere: no such file or directory"},
		{"--config nowhere", "nowhere: no such file or directory"},
		{"--config EXAMPLE/crd.yaml", "neither a Crosswalk (crosswalk.dev/v1alpha1) nor a policy in EXAMPLE/crd.yaml"},
		{"--config EXAMPLE/crosswalk.yaml", "EXAMPLE/crosswalk.yaml: document 1, line 5: crosswalk crontabs.stable.example.com: there is no CustomResourceDefinition of that name; add its file to --config, or set metadata.name to the name of the CRD"},
		{"--config EXAMPLE/crd.yaml --config " + table, "FOLDER/table.yaml: document 1, line 9: crosswalk crontabs.stable.example.com: v1beta1 row 1 (.spec.hostPort <-> .spec.hots): hub path .spec.hots is not in the v1 schema; did you mean .spec.host?"},
		{"--config EXAMPLE --samples nowhere", "nowhere: no such file or directory"},
		{"--config EXAMPLE --samples " + broken, "FOLDER/broken.yaml: document 1, line 1: not YAML: did not find expected node content"},
		{"--config EXAMPLE --samples " + empty, "no object found in FOLDER/empty.yaml"},
		{"--config EXAMPLE --samples " + odd, "FOLDER/odd.yaml: document 1, line 1: it is no object of Kubernetes: it needs an apiVersion and a kind"},
		{"--config EXAMPLE --max-object-bytes -1", "--max-object-bytes -1: want 1 to 1073741824"},
		{"--config EXAMPLE --max-object-bytes 10 --samples " + good, "FOLDER/good.yaml: document 1, line 1: CronTab a: the object is 79 bytes long, and the limit is 10; use --max-object-bytes to raise it"},
		{"--config EXAMPLE --samples " + old, "FOLDER/old.yaml: document 1, line 2: CronTab a: crontabs.stable.example.com has no version v0; it has v1beta1, v1"},
		{"--config EXAMPLE --samples " + other, "no sample has a table: their kinds are Deployment (apps/v1); there are tables for CronTab (stable.example.com)"},
	} {
		got := crosswalk(t, "", append([]string{"verify"}, strings.Fields(strings.ReplaceAll(test.args, "EXAMPLE", example))...)...)
		got.stderr = strings.ReplaceAll(strings.ReplaceAll(got.stderr, folder, "FOLDER"), example, "EXAMPLE")
		got.expect(t, result{code: exitUsage, stderr: "crosswalk: " + test.want + "\nSee 'crosswalk verify --help'.\n"})
	}
}

func TestVerifyCommand(t *testing.T) {
	o := verifyOptions{config: []string{"a b", "it's"}, samples: []string{"c/*.yaml"}, cases: 5, seed: 7, fromCluster: true}
	o.context, o.kubeconfig, o.objects.maxBytes = "prod", "k", 5000
	want := `crosswalk verify --config 'a b' --config 'it'\''s' --cases 5 --seed 7 --samples 'c/*.yaml' --from-cluster --max-object-bytes 5000 --kubeconfig k --context prod`
	if got := o.command(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
