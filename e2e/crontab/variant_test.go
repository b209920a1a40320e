package crontab

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

var versions = []string{"v1beta1", "v1"}

// variant is one way to run a test: which version is stored, which one is written
// and which one is read.
type variant struct {
	scene  *harness.Scene
	stored string
	via    harness.Resource // the version that the user writes
	other  harness.Resource // the one that somebody else reads and edits
	specs
}

// specs are the spec of one object as each side sees it.
type specs struct {
	own      string // as the user writes it, with fields that only via has
	seen     string // own, in the other version
	edit     string // a merge patch of spec in the other version
	edited   string // own after edit
	seenEdit string // own after edit, in the other version
	private  string // an applied spec in the other version of fields that via lacks
	seenBoth string // own and private, in the other version
	less     string // own without the field that only via has
	address  string // the field of via that holds the host
	lost     string // a text in own that the other version has no field for
}

func specsOf(via string) specs {
	const shared = `"cronSpec":"0 2 * * *","image":"example.com/backup:1.4","replicas":3`
	if via == "v1beta1" {
		return specs{
			own:      `{` + shared + `,"hostPort":"localhost:1234","shell":"/bin/dash"}`,
			seen:     `{` + shared + `,"host":"localhost","port":"1234"}`,
			edit:     `{"host":"db.example.com"}`,
			edited:   `{` + shared + `,"hostPort":"db.example.com:1234","shell":"/bin/dash"}`,
			seenEdit: `{` + shared + `,"host":"db.example.com","port":"1234"}`,
			private:  `{"timeZone":"Europe/Zurich","notify":["ops@example.com"]}`,
			seenBoth: `{` + shared + `,"host":"localhost","port":"1234","timeZone":"Europe/Zurich","notify":["ops@example.com"]}`,
			less:     `{` + shared + `,"hostPort":"localhost:1234"}`,
			address:  "hostPort",
			lost:     "/bin/dash",
		}
	}
	return specs{
		own:      `{` + shared + `,"host":"localhost","port":"1234","timeZone":"Europe/Zurich","notify":[]}`,
		seen:     `{` + shared + `,"hostPort":"localhost:1234"}`,
		edit:     `{"hostPort":"db.example.com:4321"}`,
		edited:   `{` + shared + `,"host":"db.example.com","port":"4321","timeZone":"Europe/Zurich","notify":[]}`,
		seenEdit: `{` + shared + `,"hostPort":"db.example.com:4321"}`,
		private:  `{"shell":"/bin/dash"}`,
		seenBoth: `{` + shared + `,"hostPort":"localhost:1234","shell":"/bin/dash"}`,
		less:     `{` + shared + `,"host":"localhost","port":"1234"}`,
		address:  "host",
		lost:     "Europe/Zurich",
	}
}

func newVariant(scene *harness.Scene, api *harness.API, table harness.Table, via string) variant {
	r := harness.Resource{API: api, Group: table.CRD.Spec.Group, Version: via, Plural: "crontabs", Namespace: "default"}
	v := variant{scene: scene, via: r, specs: specsOf(via)}
	for _, version := range table.CRD.Spec.Versions {
		if version.Storage {
			v.stored = version.Name
		}
		if version.Name != via {
			v.other = r.In(version.Name)
		}
	}
	return v
}

func (v variant) name() string { return v.stored + " stored, through " + v.via.Version }

// object is a CronTab in r's version, with metadata of every kind that users have.
func object(r harness.Resource, name, spec string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":"CronTab","metadata":{"name":%q,`+
		`"labels":{"team":"storage"},"annotations":{"example.com/owner":"reports","example.com/empty":""}},"spec":%s}`,
		r.APIVersion(), name, spec)
}

// fragment is what a manager applies: nothing that it does not care for.
func fragment(r harness.Resource, name, spec string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":"CronTab","metadata":{"name":%q},"spec":%s}`, r.APIVersion(), name, spec)
}

// create makes an object through v.via. Its name is unique in the group.
func (v variant) create(t *testing.T, purpose string) string {
	t.Helper()
	name := v.unique(purpose)
	if _, err := v.via.Create(t.Context(), object(v.via, name, v.own)); err != nil {
		t.Fatal(err)
	}
	return name
}

func (v variant) unique(purpose string) string { return purpose + "-via-" + v.via.Version }

// wantSpec reads the object in r's version and compares its spec.
func wantSpec(t *testing.T, r harness.Resource, name, spec string) {
	t.Helper()
	data, err := r.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	wantField(t, data, spec, "spec")
	wantAPIVersion(t, data, r.APIVersion())
}

func mustGet(t *testing.T, r harness.Resource, name string) []byte {
	t.Helper()
	data, err := r.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func wantAbsent(t *testing.T, data []byte, path ...string) {
	t.Helper()
	if got, ok := exact.At(decode(t, data), path...); ok {
		t.Errorf("%s is still there: %v", strings.Join(path, "."), got)
	}
}

// wantField compares what is at path with the JSON text want.
func wantField(t *testing.T, data []byte, want string, path ...string) {
	t.Helper()
	got, ok := exact.At(decode(t, data), path...)
	if !ok {
		t.Fatalf("%s is absent in %s", strings.Join(path, "."), data)
	}
	if diff := exact.Diff(got, decode(t, []byte(want))); diff != "" {
		t.Errorf("%s:\n%s", strings.Join(path, "."), diff)
	}
}

func wantAPIVersion(t *testing.T, data []byte, want string) {
	t.Helper()
	if got, _ := exact.At(decode(t, data), "apiVersion"); got != want {
		t.Errorf("apiVersion is %v, want %s", got, want)
	}
}

// wantMetadata checks what object wrote there and that nothing but Crosswalk's
// own annotations came with it.
func wantMetadata(t *testing.T, data []byte) {
	t.Helper()
	wantField(t, data, `{"team":"storage"}`, "metadata", "labels")
	annotations, _ := exact.At(decode(t, data), "metadata", "annotations")
	users := map[string]any{}
	for key, value := range annotations.(map[string]any) {
		if !strings.HasPrefix(key, "stash.crosswalk.dev/") {
			users[key] = value
		}
	}
	want := map[string]any{"example.com/owner": "reports", "example.com/empty": ""}
	if diff := exact.Diff(users, want); diff != "" {
		t.Errorf("annotations:\n%s", diff)
	}
}

func resourceVersion(t *testing.T, data []byte) string {
	t.Helper()
	rv, ok := exact.At(decode(t, data), "metadata", "resourceVersion")
	if !ok {
		t.Fatalf("no resourceVersion in %s", data)
	}
	return rv.(string)
}

func decode(t *testing.T, data []byte) exact.Value {
	t.Helper()
	v, err := exact.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func encode(t *testing.T, v exact.Value) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
