package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const crontabCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab}
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {hostPort: {type: string}}}}}}
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {host: {type: string}, port: {type: string}}}}}}
`

const crontabTable = `apiVersion: crosswalk.dev/v1alpha1
kind: Crosswalk
metadata: {name: crontabs.stable.example.com}
spec:
  hub: v1
  versions:
  - name: v1beta1
    rows:
    - spoke: .spec.hostPort
      hub: {host: .spec.host, port: .spec.port}
      template: "{host}:{port}"
`

// write lays out files, given as name and text in turn, and returns the folder.
func write(t *testing.T, files ...string) string {
	t.Helper()
	folder := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(folder, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestLoadFolder(t *testing.T) {
	folder := write(t,
		"crd.yaml", "# a comment\n---\n"+crontabCRD,
		"table.yml", crontabTable+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n---\njust: values\n---\n[1]\n",
		"objects.json", `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spek":1}{"kind":"CronTab"}`,
		"README.md", "not: [yaml",
		"older/table.yaml", crontabTable,
	)
	config, err := Load([]string{folder, filepath.Join(folder, "crd.yaml"), folder + "/./table.yml"})
	if err != nil {
		t.Fatal(err)
	}
	if len(config.Tables) != 1 {
		t.Fatalf("got %d tables", len(config.Tables))
	}
	table := config.Tables[0]
	if table.Crosswalk.Spec.Versions[0].Rows[0].Template != "{host}:{port}" || table.CRD.Name != "crontabs.stable.example.com" ||
		table.CRD.Spec.Names.ListKind != "CronTabList" {
		t.Errorf("got %+v", table)
	}
	if want := (Source{File: filepath.Join(folder, "table.yml"), Document: 1, Line: 1}); table.Source != want {
		t.Errorf("source: got %+v, want %+v", table.Source, want)
	}
}

// A mounted ConfigMap is a folder of links into a hidden folder.
func TestLoadFolderOfLinks(t *testing.T) {
	folder := write(t, "..2026_01_01/all.yaml", crontabCRD+"---\n"+crontabTable)
	if err := os.Symlink("..2026_01_01", filepath.Join(folder, "..data")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..data/all.yaml", filepath.Join(folder, "all.yaml")); err != nil {
		t.Fatal(err)
	}
	if config, err := Load([]string{folder}); err != nil || len(config.Tables) != 1 {
		t.Errorf("got %+v, %v", config, err)
	}
}

func TestLoadList(t *testing.T) {
	indent := func(text string) string {
		return "- " + strings.TrimRight(strings.ReplaceAll(text, "\n", "\n  "), " ")
	}
	folder := write(t, "list.yaml", "apiVersion: v1\nkind: List\nitems:\n"+indent(crontabCRD)+indent(crontabTable))
	if config, err := Load([]string{folder}); err != nil || len(config.Tables) != 1 {
		t.Errorf("got %+v, %v", config, err)
	}
	typed := write(t, "crd.yaml", crontabCRD, "list.yaml", "apiVersion: crosswalk.dev/v1alpha1\nkind: CrosswalkList\nitems:\n"+indent(crontabTable))
	if config, err := Load([]string{typed}); err != nil || len(config.Tables) != 1 {
		t.Errorf("got %+v, %v", config, err)
	}
}

func TestLoadKeepsNumbers(t *testing.T) {
	table := strings.Replace(crontabTable, `template: "{host}:{port}"`, "default: {spoke: 9007199254740993, hub: 1.50}", 1)
	config, err := Load([]string{write(t, "all.yaml", crontabCRD+"---\n"+table)})
	if err != nil {
		t.Fatal(err)
	}
	given := config.Tables[0].Crosswalk.Spec.Versions[0].Rows[0].Default
	if string(given.Spoke.JSON) != "9007199254740993" || string(given.Hub.JSON) != "1.50" {
		t.Errorf("got %s and %s", given.Spoke.JSON, given.Hub.JSON)
	}
}

func TestLoadReportsEverything(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  string // FOLDER is replaced by the folder
	}{
		{"several mistakes in several files", []string{
			"a.yaml", "a: [\n",
			"b.yaml", crontabCRD + "---\n" + strings.NewReplacer("spoke:", "spook:", "hub: v1", "hubb: 5").Replace(crontabTable),
			"c.json", "{\"apiVersion\": \"crosswalk.dev/v1alpha1\",\n \"kind\": \"Crosswalk\", \"spec\": []}\n{\n",
			"d.yaml", "apiVersion: crosswalk.dev/v2\nkind: Crosswalk\n---\napiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n",
		}, `FOLDER/a.yaml: document 1, line 1: not YAML: did not find expected node content
FOLDER/b.yaml: document 2, line 22: crosswalk crontabs.stable.example.com: .spec.hubb: unknown field; did you mean hub?
FOLDER/b.yaml: document 2, line 26: crosswalk crontabs.stable.example.com: .spec.versions[0].rows[0].spook: unknown field; did you mean spoke?
FOLDER/c.json: document 1, line 2: crosswalk without a name: .spec must be a map, not a list
FOLDER/c.json: document 2, line 4: not JSON: unexpected EOF; stopped reading at line 3
FOLDER/d.yaml: document 1, line 1: unknown version: Crosswalk of crosswalk.dev/v2; this release reads crosswalk.dev/v1alpha1
FOLDER/d.yaml: document 2, line 4: unknown version: CustomResourceDefinition of apiextensions.k8s.io/v1beta1; use apiextensions.k8s.io/v1`},

		{"no CRD", []string{"t.yaml", crontabTable},
			`FOLDER/t.yaml: document 1, line 1: crosswalk crontabs.stable.example.com: there is no CustomResourceDefinition of that name; add its file to --config, or set metadata.name to the name of the CRD`},
		{"a CRD of almost that name", []string{"t.yaml", strings.ReplaceAll(crontabTable, "crontabs.", "crontab.") + "---\n" + crontabCRD},
			`FOLDER/t.yaml: document 1, line 1: crosswalk crontab.stable.example.com: there is no CustomResourceDefinition of that name; did you mean crontabs.stable.example.com?`},
		{"a kind of ours that there is not", []string{"a.yaml", "apiVersion: crosswalk.dev/v1alpha1\nkind: CrossWalk\n"},
			`FOLDER/a.yaml: document 1, line 1: there is no kind CrossWalk in crosswalk.dev; this release reads Crosswalk, MutationPolicy, ValidationPolicy`},
		{"twice", []string{"a.yaml", crontabCRD, "b.yaml", crontabTable, "c.yaml", crontabTable + "---\n" + crontabCRD},
			`FOLDER/c.yaml: document 1, line 1: crosswalk crontabs.stable.example.com is there twice: first in FOLDER/b.yaml, line 1
FOLDER/c.yaml: document 2, line 13: CustomResourceDefinition crontabs.stable.example.com is there twice: first in FOLDER/a.yaml, line 1`},
		{"words of a CRD that are no text", []string{"a.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n        required: [x, y]\n        properties:\n          n: {type: string, enum: [a, on]}\n          enum: {type: integer, enum: [1, 2]}\n          x: {type: object, default: {required: [true]}}\n"},
			`FOLDER/a.yaml: document 1, line 8: CustomResourceDefinition a.b: .spec.versions[0].schema.openAPIV3Schema.required[1] must be a string, and YAML reads it as true; put it in quotes
FOLDER/a.yaml: document 1, line 10: CustomResourceDefinition a.b: .spec.versions[0].schema.openAPIV3Schema.properties has the key n, which YAML reads as false; put it in quotes, or write false
FOLDER/a.yaml: document 1, line 10: CustomResourceDefinition a.b: .spec.versions[0].schema.openAPIV3Schema.properties.false.enum[1] must be a string, and YAML reads it as true; put it in quotes`},
		{"no table", []string{"a.yaml", crontabCRD}, `neither a Crosswalk (crosswalk.dev/v1alpha1) nor a policy in FOLDER`},
		{"nothing", []string{"a.txt", "x"}, `FOLDER: the folder has no .yaml, .yml or .json file; folders inside it are not searched`},
		{"a CRD that is none", []string{"a.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: [x]}\n---\n" +
			"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"},
			`FOLDER/a.yaml: document 1, line 1: CustomResourceDefinition without a name: json: cannot unmarshal array into Go struct field CustomResourceDefinitionSpec.spec.group of type string
FOLDER/a.yaml: document 2, line 5: a CustomResourceDefinition without metadata.name`},
		{"words that YAML takes for something else", []string{"a.yaml", strings.Replace(crontabTable, "name: v1beta1", "name: y", 1)},
			`FOLDER/a.yaml: document 1, line 7: crosswalk crontabs.stable.example.com: .spec.versions[0].name must be a string, not a boolean; put it in quotes`},
		{"keys that YAML takes for something else", []string{"a.yaml", strings.Replace(crontabTable, "    rows:\n",
			"    rows:\n    - {spoke: .a, hub: .b, values: {on: \"off\", \"no\": x}}\n    - {spoke: .p, hub: {x: .x, y: .y}, template: \"{x}:{y}\"}\n", 1)},
			`FOLDER/a.yaml: document 1, line 9: crosswalk crontabs.stable.example.com: .spec.versions[0].rows[0].values has the key on, which YAML reads as true; put it in quotes, or write true
FOLDER/a.yaml: document 1, line 10: crosswalk crontabs.stable.example.com: .spec.versions[0].rows[1].hub has the key y, which YAML reads as true; put it in quotes, or write true`},
		{"a field that nothing resembles", []string{"a.yaml", strings.Replace(crontabTable, "hub: v1\n", "hub: v1\n  somethingElse: {}\n", 1)},
			`FOLDER/a.yaml: document 1, line 6: crosswalk crontabs.stable.example.com: .spec.somethingElse: unknown field; known are admission, hub, parameters, tables, versions`},
		{"a mapping for a part of a list", []string{"a.yaml", strings.Replace(crontabTable, "    rows:\n",
			"    rows:\n    - {spoke: {x: .x}, hub: .y, where: [{place: x, match: {.t: X}, keyed: {key: name}}]}\n", 1)},
			`FOLDER/a.yaml: document 1, line 9: crosswalk crontabs.stable.example.com: .spec.versions[0].rows[0].where[0].keyed: unknown field; a part has no mapping, because rows or table map its elements. Known are has, key, match, place, rows, table, unique`},
		{"time in metadata", []string{"a.yaml", strings.Replace(crontabTable, "metadata: {", "metadata: {creationTimestamp: soon, ", 1)},
			`FOLDER/a.yaml: document 1, line 1: crosswalk crontabs.stable.example.com: parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := write(t, test.files...)
			_, err := Load([]string{folder})
			if err == nil {
				t.Fatal("no error")
			}
			if got := strings.ReplaceAll(err.Error(), folder, "FOLDER"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestLoadMissingFile(t *testing.T) {
	_, err := Load([]string{"nowhere/a.yaml", "nowhere/b.yaml"})
	want := "nowhere/a.yaml: no such file or directory\nnowhere/b.yaml: no such file or directory"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
