package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testReplaced writes objects as a client does that knows its own fields only.
func (k kind) testReplaced(t *testing.T) {
	k.both(t, func(t *testing.T, r harness.Resource, name string) {
		k.replaceWithout(t, r, name, "")
		k.wantWhole(t, name)
		k.want(t, k.beta, name, "spec.hostPort", "b.example.com:2")
		k.want(t, k.v1, name, "spec.host", "b.example.com")
	})
}

// replaceWithout replaces an object by one that has what r shows and no annotation.
func (k kind) replaceWithout(t *testing.T, r harness.Resource, name, metadata string) {
	t.Helper()
	own := `"timeZone":"Europe/Zurich","host":"b.example.com","port":"2"`
	if r.Version == "v1beta1" {
		own = `"shell":"/bin/dash","hostPort":"b.example.com:2"`
	}
	version, _ := k.value(t, r, name, "metadata.resourceVersion")
	k.do(t)(r.Update(t.Context(), name, k.object(r, name, fmt.Sprintf(`,"resourceVersion":%q%s`, version, metadata), own)))
}

// testBeingDeleted replaces objects that somebody has deleted while a finalizer keeps them.
func (k kind) testBeingDeleted(t *testing.T) {
	k.both(t, func(t *testing.T, r harness.Resource, name string) {
		k.do(t)(r.MergePatch(t.Context(), name, `{"metadata":{"finalizers":["example.com/hold"]}}`))
		k.do(t)(r.Delete(t.Context(), name))
		k.replaceWithout(t, r, name, `,"finalizers":["example.com/hold"]`)
		k.wantWhole(t, name)
		k.do(t)(r.MergePatch(t.Context(), name, `{"metadata":{"finalizers":null}}`))
	})
}

// testStale writes an object back as it was before somebody changed what this
// version does not show.
func (k kind) testStale(t *testing.T) {
	k.both(t, func(t *testing.T, r harness.Resource, name string) {
		stale := check.Decode(t, check.Get(t, r, name))
		other, field, value := k.v1, "timeZone", "Asia/Tokyo"
		if r.Version == "v1" {
			other, field, value = k.beta, "shell", "/bin/zsh"
		}
		k.do(t)(other.MergePatch(t.Context(), name, fmt.Sprintf(`{"spec":{%q:%q}}`, field, value)))
		version, _ := k.value(t, r, name, "metadata.resourceVersion")
		stale.(map[string]any)["metadata"].(map[string]any)["resourceVersion"] = version
		k.do(t)(r.Update(t.Context(), name, check.Encode(t, stale)))
		k.want(t, other, name, "spec."+field, value)
	})
}

// forged are stashes that nobody but a conversion should write.
const forged = `{\"format\":1,\"entries\":[{\"at\":[\"spec\",\"shell\"],\"value\":\"/bin/evil\"},{\"at\":[\"spec\",\"timeZone\"],\"value\":\"Evil\"},{\"at\":[\"spec\",\"image\"],\"value\":\"evil\"}]}`

func (k kind) testForged(t *testing.T) {
	k.both(t, func(t *testing.T, r harness.Resource, name string) {
		var annotations []string
		for _, version := range []string{"v1", "v1beta1", "v1.status", "v1beta1.status", "v0"} {
			annotations = append(annotations, fmt.Sprintf(`"%s%s":"%s"`, check.StashPrefix, version, forged))
		}
		k.do(t)(r.MergePatch(t.Context(), name, `{"metadata":{"annotations":{`+strings.Join(annotations, ",")+`,"example.com/mine":"1"}}}`))
		k.wantWhole(t, name)
		k.want(t, r, name, "spec.image", "example.com/a:1")
		got := string(check.Get(t, r, name))
		if strings.Contains(got, "evil") || strings.Contains(got, "Evil") || !strings.Contains(got, "example.com/mine") {
			t.Errorf("the object is %s", got)
		}
	})
}

// applied is a fragment of an apply.
func (k kind) applied(r harness.Resource, name, spec string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":"CronTab","metadata":{"name":%q},"spec":{%s}}`, r.APIVersion(), name, spec)
}

// testTakenBack applies a value in the version that shows it, and then without it
// in the other: who has applied it gives it up. What others wrote stays.
func (k kind) testTakenBack(t *testing.T) {
	for _, r := range []harness.Resource{k.beta, k.v1} {
		t.Run("through "+r.Version, func(t *testing.T) {
			name := "taken-back-through-" + r.Version
			other, field, spec := k.v1, "spec.timeZone", `,"timeZone":"Europe/Zurich"`
			theirs, theirField, theirSpec := k.beta, "spec.shell", `"shell":"/bin/dash"`
			if r.Version == "v1" {
				other, field, spec = k.beta, "spec.shell", `,"shell":"/bin/dash"`
				theirs, theirField, theirSpec = k.v1, "spec.timeZone", `"timeZone":"Europe/Zurich"`
			}
			const all = `"cronSpec":"* * * * *","image":"example.com/a:1"`
			k.do(t)(other.Apply(t.Context(), name, "gitops", k.applied(other, name, all+spec)))
			k.do(t)(theirs.MergePatch(t.Context(), name, `{"spec":{`+theirSpec+`}}`))
			if _, there := k.value(t, other, name, field); !there {
				t.Fatalf("%s was not applied", field)
			}
			k.do(t)(r.Apply(t.Context(), name, "gitops", k.applied(r, name, all)))
			if got, there := k.value(t, other, name, field); there {
				t.Errorf("%s is still %v", field, got)
			}
			if _, there := k.value(t, theirs, name, theirField); !there {
				t.Errorf("%s is gone, which somebody else wrote", theirField)
			}
		})
	}
}

// testOtherApply: an apply takes nothing away that others have applied or written.
func (k kind) testOtherApply(t *testing.T) {
	k.both(t, func(t *testing.T, r harness.Resource, name string) {
		k.do(t)(k.beta.Apply(t.Context(), name, "first&force=true", k.applied(k.beta, name, `"shell":"/bin/dash"`)))
		k.do(t)(k.v1.Apply(t.Context(), name, "second&force=true", k.applied(k.v1, name, `"timeZone":"Europe/Zurich"`)))
		k.do(t)(r.Apply(t.Context(), name, "third&force=true", k.applied(r, name, `"replicas":3`)))
		k.do(t)(r.Apply(t.Context(), name, "third", k.applied(r, name, ``)))
		k.wantWhole(t, name)
	})
}

// testStatus writes status as a controller does that knows one version.
func (k kind) testStatus(t *testing.T) {
	k.both(t, func(t *testing.T, r harness.Resource, name string) {
		object := check.Decode(t, check.Get(t, r, name)).(map[string]any)
		delete(object["metadata"].(map[string]any), "annotations")
		object["status"].(map[string]any)["replicas"] = exactNumber("7")
		k.do(t)(r.Update(t.Context(), name+"/status", check.Encode(t, object)))
		k.wantWhole(t, name)
		k.want(t, k.v1, name, "status.replicas", exactNumber("7"))
		k.want(t, k.beta, name, "status.replicas", exactNumber("7"))
	})
}

func (k kind) testScale(t *testing.T) {
	k.both(t, func(t *testing.T, r harness.Resource, name string) {
		k.do(t)(r.MergePatch(t.Context(), name+"/scale", `{"spec":{"replicas":5}}`))
		k.wantWhole(t, name)
		k.want(t, k.v1, name, "spec.replicas", exactNumber("5"))
	})
}

// testCreated makes a copy of an object, stash and all, under another name.
func (k kind) testCreated(t *testing.T) {
	k.both(t, func(t *testing.T, r harness.Resource, name string) {
		object := check.Decode(t, check.Get(t, r, name)).(map[string]any)
		annotations, _ := exact.At(object, "metadata", "annotations")
		object["metadata"] = map[string]any{"name": name + "-copy", "annotations": annotations}
		k.do(t)(r.Create(t.Context(), check.Encode(t, object)))
		k.wantWhole(t, name+"-copy", "status.message", "status.lastRunTime")
	})
}

// testGone: an element that is made again has nothing of the one before it.
func (k kind) testGone(t *testing.T) {
	const name = "gone"
	k.create(t, name)
	k.do(t)(k.v1.MergePatch(t.Context(), name, `{"spec":{"host":null,"port":null}}`))
	if got, there := k.value(t, k.beta, name, "spec.hostPort"); there {
		t.Errorf("spec.hostPort is %v", got)
	}
	k.wantWhole(t, name)
}

// testUseless removes a stash of a version that the CRD does not have, as crosswalk doctor advises, beside one
// that the guard keeps.
func (k kind) testUseless(t *testing.T) {
	const name, stash, kept = "useless", check.StashPrefix + "v0", `{"format":1,"entries":[{"at":["spec","shell"],"value":"/bin/dash"}]}`
	k.do(t)(k.v1.Create(t.Context(), k.object(k.v1, name, fmt.Sprintf(`,"annotations":{%q:%q,%q:%q}`, stash, kept, check.StashPrefix+"v1beta1", kept), `"host":"a","port":"1"`)))
	has := func() bool {
		return strings.Contains(string(check.Get(t, k.v1, name)), fmt.Sprintf("%q:%q", stash, kept))
	}
	if k.do(t)(k.v1.MergePatch(t.Context(), name, `{"spec":{"host":"b"}}`)); !has() {
		t.Error("another write removes it")
	}
	if k.do(t)(k.v1.MergePatch(t.Context(), name, fmt.Sprintf(`{"metadata":{"annotations":{%q:null,%q:null}}}`, stash, check.StashPrefix+"v1beta1"))); has() {
		t.Error("it cannot be removed")
	}
	k.want(t, k.beta, name, "spec.shell", "/bin/dash")
}
