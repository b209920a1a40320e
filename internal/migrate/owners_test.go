package migrate

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// entry is one of managedFields. An operation is "Apply", "Update" or "Update/status".
func entry(manager, operation, version, fields string) metav1.ManagedFieldsEntry {
	e := metav1.ManagedFieldsEntry{Manager: manager, APIVersion: "stable.example.com/" + version, FieldsType: "FieldsV1"}
	name, subresource, _ := strings.Cut(operation, "/")
	e.Operation, e.Subresource = metav1.ManagedFieldsOperationType(name), subresource
	if fields != "" {
		e.FieldsV1 = &metav1.FieldsV1{}
		e.FieldsV1.SetRawBytes([]byte(fields))
	}
	return e
}

func at(e metav1.ManagedFieldsEntry, hour int) metav1.ManagedFieldsEntry {
	now := metav1.NewTime(time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC))
	e.Time = &now
	return e
}

// show is one line for each entry.
func show(t *testing.T, entries []metav1.ManagedFieldsEntry) string {
	t.Helper()
	var lines []string
	for _, e := range entries {
		fields, err := json.Marshal(e.FieldsV1)
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Join([]string{e.Manager, string(e.Operation) + e.Subresource, e.APIVersion, string(fields)}, " ")
		if e.Time != nil {
			line += e.Time.UTC().Format(" 15h")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestMovedEntries(t *testing.T) {
	const object = `{
		"metadata": {"name": "nightly", "labels": {"team": "storage"}},
		"spec": {
			"host": "localhost", "count": 3, "empty": {}, "none": null,
			"ports": [{"name": "http", "port": 80, "to": {"host": "a"}}, {"name": "dns", "port": 53, "protocol": "UDP"}],
			"tags": ["a", 7, true], "atomic": [1, 2]
		}
	}`
	tests := map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    string
	}{
		"none": {},
		"of current versions": {
			[]metav1.ManagedFieldsEntry{entry("a", "Apply", "v1", `{"f:spec":{"f:gone":{}}}`), entry("b", "Update/status", "v1beta1", ``)},
			`a Apply stable.example.com/v1 {"f:spec":{"f:gone":{}}}
b Updatestatus stable.example.com/v1beta1 null`,
		},
		"what the object has stays": {
			[]metav1.ManagedFieldsEntry{entry("a", "Apply", "v1alpha1",
				`{"f:spec":{".":{},"f:host":{},"f:hostPort":{},"f:empty":{},"f:none":{},"f:atomic":{},"f:count":{"f:within":{}},"f:old":{"f:within":{}}},"f:metadata":{"f:labels":{"f:team":{},"f:gone":{}}}}`)},
			`a Apply stable.example.com/v1 {"f:metadata":{"f:labels":{"f:team":{}}},"f:spec":{".":{},"f:atomic":{},"f:empty":{},"f:host":{},"f:none":{}}}`,
		},
		"elements": {
			[]metav1.ManagedFieldsEntry{entry("a", "Apply", "v1alpha1",
				`{"f:spec":{"f:ports":{"k:{\"name\":\"http\"}":{".":{},"f:port":{},"f:to":{"f:host":{},"f:path":{}}},"k:{\"name\":\"ssh\"}":{".":{},"f:port":{}}},`+
					`"f:tags":{"v:\"a\"":{},"v:7":{},"v:8":{},"v:true":{}},"f:atomic":{"i:1":{},"i:2":{}}}}`)},
			`a Apply stable.example.com/v1 {"f:spec":{"f:atomic":{"i:1":{}},"f:ports":{"k:{\"name\":\"http\"}":{".":{},"f:port":{},"f:to":{"f:host":{}}}},"f:tags":{"v:7":{},"v:\"a\"":{},"v:true":{}}}}`,
		},
		"elements of two keys": {
			[]metav1.ManagedFieldsEntry{entry("a", "Apply", "v1alpha1",
				`{"f:spec":{"f:ports":{"k:{\"port\":53,\"protocol\":\"UDP\"}":{"f:name":{}},"k:{\"port\":80,\"protocol\":\"TCP\"}":{"f:name":{}}}}}`)},
			`a Apply stable.example.com/v1 {"f:spec":{"f:ports":{"k:{\"port\":53,\"protocol\":\"UDP\"}":{"f:name":{}}}}}`,
		},
		"an update joins that of the same manager": {
			[]metav1.ManagedFieldsEntry{
				at(entry("a", "Update", "v1alpha1", `{"f:spec":{"f:count":{},"f:old":{}}}`), 9),
				at(entry("a", "Update", "v1", `{"f:spec":{"f:host":{}}}`), 8),
				at(entry("a", "Update", "v1alpha2", `{"f:spec":{"f:empty":{}}}`), 7),
				at(entry("b", "Update", "v1", `{"f:spec":{"f:host":{}}}`), 1),
				at(entry("a", "Update/status", "v1", `{"f:spec":{"f:host":{}}}`), 2),
			},
			`b Update stable.example.com/v1 {"f:spec":{"f:host":{}}} 01h
a Updatestatus stable.example.com/v1 {"f:spec":{"f:host":{}}} 02h
a Update stable.example.com/v1 {"f:spec":{"f:count":{},"f:empty":{},"f:host":{}}} 09h`,
		},
		"nothing is left of one": {
			[]metav1.ManagedFieldsEntry{entry("a", "Apply", "v1alpha1", `{"f:spec":{"f:old":{}}}`), entry("b", "Apply", "v1", `{"f:spec":{"f:host":{}}}`)},
			`b Apply stable.example.com/v1 {"f:spec":{"f:host":{}}}`,
		},
		"nothing is left at all": {
			[]metav1.ManagedFieldsEntry{entry("a", "Apply", "v1alpha1", `{"f:spec":{"f:old":{}}}`), entry("b", "Update", "v1alpha1", ``)},
			`b Update stable.example.com/v1 {"f:metadata":{"f:name":{}}}`,
		},
		"our own": {
			[]metav1.ManagedFieldsEntry{entry(fieldManager, "Update", "v1", `{"f:spec":{"f:count":{}}}`), entry("b", "Apply", "v1", `{"f:spec":{"f:host":{}}}`)},
			`b Apply stable.example.com/v1 {"f:spec":{"f:host":{}}}`,
		},
		"our own alone": {entries: []metav1.ManagedFieldsEntry{entry(fieldManager, "Update", "v1", `{"f:spec":{"f:count":{}}}`)}},
	}
	in := &target{group: "stable.example.com", via: "v1", versions: []string{"v1", "v1beta1"}}
	var fields map[string]any
	if err := utiljson.Unmarshal([]byte(object), &fields); err != nil {
		t.Fatal(err)
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := in.movedEntries(test.entries, fields)
			if err != nil || show(t, got) != test.want {
				t.Errorf("got error %v and\n%s\nwant\n%s", err, show(t, got), test.want)
			}
			if text, _ := json.Marshal(got); string(text) == "null" {
				t.Error("null would leave everything as it is")
			}
			if slices.ContainsFunc(got, in.outdated) {
				t.Error("an entry is outdated still")
			}
		})
	}
}

func TestMovedEntriesUnreadable(t *testing.T) {
	entries := []metav1.ManagedFieldsEntry{entry("a", "Apply", "v1alpha1", `{"f:spec":{"k:host":{}}}`)}
	_, err := (&target{group: "stable.example.com", via: "v1", versions: []string{"v1"}}).movedEntries(entries, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "metadata.managedFields of a cannot be read: ") {
		t.Errorf("got %v", err)
	}
}

// A long list with an owner of each element takes time in proportion to its length.
func TestHeldIsLinear(t *testing.T) {
	var fields, list strings.Builder
	const n = 20_000
	fields.WriteString(`{".":{}`)
	for i := range n {
		name, _ := json.Marshal(strings.Repeat("x", 20) + time.Duration(i).String())
		key, _ := json.Marshal("k:{\"name\":" + string(name) + "}")
		fields.WriteString("," + string(key) + `:{"f:name":{}}`)
		list.WriteString(`,{"name":` + string(name) + `}`)
	}
	e := entry("a", "Apply", "v1", fields.String()+"}")
	set, err := fieldsOf(e)
	if err != nil {
		t.Fatal(err)
	}
	var part any
	if err := json.Unmarshal([]byte("["+list.String()[1:]+"]"), &part); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if got := held(set, part); got.Size() != n {
		t.Errorf("%d fields are held", got.Size())
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

// replaceOwners answers a patch of managedFields.
func (f *fakeAPI) replaceOwners(r *http.Request, o *fakeObject, key string) (*reply, string) {
	var patch metadata
	decode(r, &patch)
	switch {
	case strings.HasSuffix(r.URL.Path, "/status"):
		return ok(o.metadata(key)), "" // as if it had no managedFields
	case patch.Metadata.ResourceVersion != strconv.Itoa(o.rev):
		return &reply{code: 409, reason: metav1.StatusReasonConflict, message: "the object has been modified"}, ""
	}
	changed := *o
	f.rev++
	changed.rev, changed.version, changed.owners, changed.lacks = f.rev, storageVersion(f.crd), patch.Metadata.ManagedFields, false
	if o.lacks {
		changed.owners = append(changed.owners, metav1.ManagedFieldsEntry{
			Manager: r.URL.Query().Get("fieldManager"), Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "stable.example.com/v1",
		})
	}
	if r.URL.Query().Get("dryRun") != "" {
		return ok(changed.metadata(key)), ""
	}
	*o = changed
	return ok(o.metadata(key)), " wrote"
}

// owned gives the fake API two objects with owners in v1alpha1, which is not served.
func owned(t *testing.T) *fakeAPI {
	t.Helper()
	f := newFake(t, map[string]int{"v1": 3})
	f.crd.Spec.Versions = append(f.crd.Spec.Versions, f.crd.Spec.Versions[0])
	f.crd.Spec.Versions[2].Name, f.crd.Spec.Versions[2].Served = "v1alpha1", false
	f.crd.Status.StoredVersions = []string{"v1"}
	for _, name := range []string{"default/job-001", "default/job-003"} {
		f.objects[name].spec = `{"cronSpec": "* * * * *"}`
		f.objects[name].owners = []metav1.ManagedFieldsEntry{entry("ops", "Apply", "v1alpha1", `{"f:spec":{"f:cronSpec":{},"f:hostPort":{}}}`)}
	}
	f.objects["default/job-002"].owners = []metav1.ManagedFieldsEntry{entry("ops", "Apply", "v1beta1", `{"f:spec":{"f:hostPort":{}}}`)}
	return f
}

const (
	movedOwners = `ops Apply stable.example.com/v1 {"f:spec":{"f:cronSpec":{}}}`
	canGo       = "crontabs.stable.example.com: v1alpha1 can be removed from spec.versions: it is not served, no object is stored in it, and none names it in managedFields\n"
)

func TestOwnersMove(t *testing.T) {
	const moved = "crontabs.stable.example.com: 3 objects are stored in v1: 2 rewritten, 1 already stored in it; 0 deleted meanwhile, 0 failed\n" +
		"crontabs.stable.example.com: status.storedVersions is v1 already\n" + canGo
	const path = "PATCH /apis/stable.example.com/v1/namespaces/default/crontabs/job-001"
	tests := map[string]struct {
		change func(t *testing.T, f *fakeAPI)
		writes []string // of the first object
	}{
		"once": {writes: []string{path + "?", path + "/status?"}},
		// What a patch makes ours belongs to nobody.
		"with a default": {
			func(_ *testing.T, f *fakeAPI) { f.objects["default/job-001"].lacks = true },
			[]string{path + "?", path + "?", path + "/status?"},
		},
		// An apply of nothing would be refused.
		"of a version that was removed": {
			func(_ *testing.T, f *fakeAPI) {
				f.before = func(r *http.Request) *reply {
					name, yes := isApply(r)
					f.mu.Lock()
					defer f.mu.Unlock()
					if yes && strings.HasSuffix(r.URL.Path, "/status") && strings.Contains(show(t, f.objects["default/"+name].owners), "v1alpha1") {
						return &reply{code: 500, message: "request to convert CR to an invalid group/version: stable.example.com/v1alpha1"}
					}
					return nil
				}
			},
			[]string{path + "?", path + "/status?"},
		},
		// Somebody writes the object after it was read.
		"at the same moment": {
			func(_ *testing.T, f *fakeAPI) {
				once := false
				f.before = func(r *http.Request) *reply {
					if name, yes := isApply(r); yes && name == "job-001" && !once {
						once = true
						f.mu.Lock()
						defer f.mu.Unlock()
						f.rev++
						f.objects["default/job-001"].rev = f.rev
					}
					return nil
				}
			},
			[]string{path + "?", path + "?", path + "/status?"},
		},
		// Its manager does it before us.
		"by somebody else": {
			func(_ *testing.T, f *fakeAPI) {
				reads := 0 // the first is that of the sample
				f.before = func(r *http.Request) *reply {
					if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/job-001") || r.Header.Get("Accept") != bulk.JSON {
						return nil
					}
					if reads++; reads == 2 {
						f.mu.Lock()
						defer f.mu.Unlock()
						f.rev++
						f.objects["default/job-001"].rev = f.rev
						f.objects["default/job-001"].owners = []metav1.ManagedFieldsEntry{entry("ops", "Apply", "v1", `{"f:spec":{"f:cronSpec":{}}}`)}
					}
					return nil
				}
			},
			[]string{path + "/status?"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := owned(t)
				if test.change != nil {
					test.change(t, f)
				}
				beta := show(t, f.objects["default/job-002"].owners)
				migrateWith(t.Context(), t, f, nil).want(t, moved, "")
				for key, want := range map[string]string{"default/job-001": movedOwners, "default/job-002": beta, "default/job-003": movedOwners} {
					if got := show(t, f.objects[key].owners); got != want {
						t.Errorf("owners of %s are\n%s\nwant\n%s", key, got, want)
					}
				}
				writes := f.applied("/job-001")
				if len(writes) != len(test.writes) || slices.ContainsFunc(test.writes, func(want string) bool {
					return !slices.ContainsFunc(writes, func(line string) bool { return strings.HasPrefix(line, want) })
				}) {
					t.Errorf("writes of an object:\n%s\nwant\n%s", strings.Join(writes, "\n"), strings.Join(test.writes, "\n"))
				}
			})
		})
	}
}

func TestOwnersDryRun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := owned(t)
		f.objects["default/job-001"].lacks = true
		migrateWith(t.Context(), t, f, func(o *Options) { o.DryRun = true }).want(t,
			"crontabs.stable.example.com: would rewrite 3 objects to v1, except those that are already stored in it\ncrontabs.stable.example.com: status.storedVersions is v1 already\n", "")
		if got := f.requests("wrote"); len(got) != 0 {
			t.Errorf("a dry run wrote: %q", got)
		}
		if got := f.requests("PATCH", "/job-003?dryRun=All"); len(got) != 1 {
			t.Errorf("want a try to replace the owners, got %q", got)
		}
	})
}

// A proxy or a webhook does not let managedFields through.
func TestOwnersStay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := owned(t)
		f.before = func(r *http.Request) *reply {
			if name, yes := isApply(r); yes && !strings.HasSuffix(r.URL.Path, "/status") {
				f.mu.Lock()
				defer f.mu.Unlock()
				return ok(f.objects["default/"+name].metadata("default/" + name))
			}
			return nil
		}
		got := migrateWith(t.Context(), t, f, nil)
		if got.failure == nil || strings.Contains(got.out, "can be removed") || strings.Count(got.err, "so its storage version cannot be proven") != 2 {
			t.Errorf("got %+v", got)
		}
	})
}

// What was done before v1alpha1 was served no longer left owners in it alone.
func TestServedVersionsChange(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := owned(t)
		f.crd.Spec.Versions[2].Served = true
		during(f, "job-002", func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.crd.Generation++
			f.crd.Spec.Versions[2].Served = false
			f.touchCRD()
		})
		got := migrateWith(t.Context(), t, f, func(o *Options) { o.Console.Quiet = false })
		if got.failure != nil || !strings.Contains(got.err, "starts over: the served versions changed, so objects may have been stored in other versions meanwhile\n") ||
			!strings.HasSuffix(got.out, canGo) {
			t.Errorf("got %+v", got)
		}
		if got := show(t, f.objects["default/job-001"].owners); got != movedOwners {
			t.Errorf("owners are %s", got)
		}
	})
}
