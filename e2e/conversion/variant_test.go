package conversion

import (
	"fmt"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
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
	private  string // an applied spec in the other version of fields that via lacks
	seenBoth string // own and private, in the other version
	less     string // own without the field that only via has
}

func specsOf(via string) specs {
	const shared = `"cronSpec":"0 2 * * *","image":"example.com/backup:1.4","replicas":3`
	if via == "v1beta1" {
		return specs{
			own:      `{` + shared + `,"hostPort":"localhost:1234","shell":"/bin/dash"}`,
			seen:     `{` + shared + `,"host":"localhost","port":"1234"}`,
			private:  `{"timeZone":"Europe/Zurich","notify":["ops@example.com"]}`,
			seenBoth: `{` + shared + `,"host":"localhost","port":"1234","timeZone":"Europe/Zurich","notify":["ops@example.com"]}`,
			less:     `{` + shared + `,"hostPort":"localhost:1234"}`,
		}
	}
	return specs{
		own:      `{` + shared + `,"host":"localhost","port":"1234","timeZone":"Europe/Zurich","notify":[]}`,
		seen:     `{` + shared + `,"hostPort":"localhost:1234"}`,
		private:  `{"shell":"/bin/dash"}`,
		seenBoth: `{` + shared + `,"hostPort":"localhost:1234","shell":"/bin/dash"}`,
		less:     `{` + shared + `,"host":"localhost","port":"1234"}`,
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
	check.Field(t, data, spec, "spec")
	check.APIVersion(t, data, r.APIVersion())
}
