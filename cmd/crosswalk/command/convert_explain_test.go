package command

import (
	"encoding/json"
	"strings"
	"testing"
)

const explainedObject = `apiVersion: stable.example.com/v1beta1
kind: CronTab
metadata: {name: a, namespace: ns}
spec: {cronSpec: "* * * * *", image: i, hostPort: "[::1]:80", shell: bash}
---
kind: Secret
`

func TestConvertExplain(t *testing.T) {
	crosswalk(t, explainedObject, "convert", "--config", example, "--to", "v1", "--explain").expect(t, result{stdout: `standard input: CronTab ns/a: v1beta1 to v1
written in v1:
  .spec.host  "[::1]"  v1beta1 row 1, from .spec.hostPort
  .spec.port  "80"     v1beta1 row 1, from .spec.hostPort
the same in both versions:
  .kind, .metadata.name, .metadata.namespace, .spec.cronSpec, .spec.image
kept for v1beta1 in the annotation stash.crosswalk.dev/v1beta1:
  .spec.shell  "bash"  v1 has no such field
`})
	crosswalk(t, explainedObject, "convert", "--config", example, "--to", "v1beta1", "--explain").expect(t, result{
		stdout: "Nothing is converted: no object is of a kind with a table and in another version.\n",
	})
	crosswalk(t, explainedObject, "convert", "--config", example, "--to", "v1beta1", "--explain", "-o", "json").expect(t, result{stdout: "[]\n"})
}

func TestConvertExplainJSON(t *testing.T) {
	got := crosswalk(t, explainedObject+"---\n"+explainedObject, "convert", "--config", example, "--to", "v1", "--explain", "-o", "json")
	var all []struct {
		File, Kind, Namespace, Name, From, To string
		Steps                                 []struct {
			From, To, Rows string
			Places         []struct {
				Path, By, Row string
				From          []string
				Value         any
			}
			Kept []struct {
				Path, Why string
				Value     any
			}
		}
	}
	if err := json.Unmarshal([]byte(got.stdout), &all); err != nil || len(all) != 2 || got.code != exitOK {
		t.Fatalf("%v: %+v", err, got)
	}
	one := all[1]
	if one.File != "standard input" || one.Kind != "CronTab" || one.Namespace != "ns" || one.Name != "a" || one.From != "v1beta1" || one.To != "v1" || len(one.Steps) != 1 {
		t.Errorf("got %+v", one)
	}
	step := one.Steps[0]
	if p := step.Places[5]; step.Rows != "v1beta1" || p.Path != ".spec.host" || p.By != "row" || p.Row != "row 1" || strings.Join(p.From, "") != ".spec.hostPort" || p.Value != "[::1]" {
		t.Errorf("got %+v", step)
	}
	if k := step.Kept[0]; k.Path != ".spec.shell" || k.Why != "no such field" || k.Value != "bash" {
		t.Errorf("got %+v", k)
	}
}

func TestConvertExplainUsage(t *testing.T) {
	for args, want := range map[string]string{
		"-o yaml":      "--output yaml: explanations are text or json",
		"--keep-stash": "--explain and --keep-stash exclude each other: --explain prints no object",
	} {
		got := crosswalk(t, "", append([]string{"convert", "--config", example, "--to", "v1", "--explain"}, strings.Fields(args)...)...)
		got.expect(t, result{code: exitUsage, stderr: "crosswalk: " + want + "\nSee 'crosswalk convert --help'.\n"})
	}
	// What cannot be converted is named, and the others are explained.
	got := crosswalk(t, "apiVersion: stable.example.com/v7\nkind: CronTab\n---\n"+explainedObject, "convert", "--config", example, "--to", "v1", "--explain")
	if got.code != exitFailed || !strings.HasPrefix(got.stderr, "crosswalk: standard input: document 1, line 1: ") || !strings.Contains(got.stdout, "ns/a: v1beta1 to v1") {
		t.Errorf("got %+v", got)
	}
}
