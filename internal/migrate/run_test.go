package migrate

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// ran is what one run left.
type ran struct {
	out, err string
	failure  error
	took     time.Duration
}

// migrateWith runs a migration. It must be called in a bubble of synctest.
func migrateWith(ctx context.Context, t *testing.T, f *fakeAPI, change func(*Options)) ran {
	t.Helper()
	var out, errs bytes.Buffer
	o := Options{Config: f.config(), PageSize: 5, Parallel: 1, Console: &bulk.Console{Output: &out, Errors: &errs, Quiet: true, Now: time.Now}}
	if change != nil {
		change(&o)
	}
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	err = m.Run(ctx, crdName)
	return ran{out: out.String(), err: errs.String(), failure: err, took: time.Since(began)}
}

func (r ran) want(t *testing.T, out, failure string) {
	t.Helper()
	if r.out != out {
		t.Errorf("told\n%s\nwant\n%s", r.out, out)
	}
	got := ""
	if r.failure != nil {
		got = r.failure.Error()
	}
	if got != failure {
		t.Errorf("failed with\n%s\nwant\n%s", got, failure)
	}
}

// bubble runs a test in virtual time.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

func (f *fakeAPI) wantAllIn(t *testing.T, version string) {
	t.Helper()
	for key, o := range f.objects {
		if o.version != version {
			t.Errorf("%s is stored in %s", key, o.version)
		}
	}
}

func (f *fakeAPI) wantStored(t *testing.T, versions string) {
	t.Helper()
	if got := strings.Join(f.crd.Status.StoredVersions, " "); got != versions {
		t.Errorf("storedVersions is %q, want %q", got, versions)
	}
}

func (f *fakeAPI) wantAnnotation(t *testing.T, want string) {
	t.Helper()
	if got := f.crd.Annotations[Annotation]; got != want {
		t.Errorf("the annotation is\n%s\nwant\n%s", got, want)
	}
}

func TestMigrate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1": 4, "v1beta1": 8})
		untouched := f.objects["default/job-001"].rev
		migrateWith(t.Context(), t, f, nil).want(t, `crontabs.stable.example.com: 12 objects are stored in v1: 8 rewritten, 4 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		f.wantAllIn(t, "v1")
		f.wantStored(t, "v1")
		f.wantAnnotation(t, "")
		if got := f.objects["default/job-001"].rev; got != untouched {
			t.Errorf("an object that was in v1 has another resourceVersion: %d", got)
		}
		// One write proves what is there already; two rewrite and prove.
		if got := len(f.applied()); got != 4+2*8 {
			t.Errorf("%d writes", got)
		}
		if got := len(f.applied("/v1/namespaces/default/crontabs/", "/status?fieldManager=crosswalk-migrate")); got != 4+2*8 {
			t.Errorf("%d writes through v1/status", got)
		}
		if got := f.requests("GET /apis/stable.example.com/v1/crontabs?"); len(got) != 4 {
			t.Errorf("want a sample and three pages, got %q", got)
		}
	})
}

// What the table cannot show stays in the annotations, and the operator is told.
func TestMigrateTellsOfUnplaced(t *testing.T) {
	for _, test := range []struct {
		entries string
		objects []string
		want    string
	}{
		{`{"at":["spec","shell"],"value":"dash"}`, []string{"default/job-001"}, ""},
		{`{"at":["spec","shell"],"value":"dash","table":"earlier","unplaced":"v1"}`, []string{"default/job-001"},
			"crontabs.stable.example.com: 1 object has values of an earlier table, for which this one has no place; they stay in the annotations, and crosswalk audit lists them\n"},
		{`{"at":["spec","shell"],"value":"dash","table":"earlier","unplaced":"v1"},{"at":["spec","a"],"value":1,"unplaced":"v1"}`, []string{"default/job-001", "default/job-003"},
			"crontabs.stable.example.com: 2 objects have values of an earlier table, for which this one has no place; they stay in the annotations, and crosswalk audit lists them\n"},
	} {
		bubble(t, func(t *testing.T) {
			f := newFake(t, map[string]int{"v1": 1, "v1beta1": 2})
			for _, key := range test.objects {
				f.objects[key].notes = map[string]string{"stash.crosswalk.dev/v1beta1": `{"format":1,"table":"x.v1","entries":[` + test.entries + `]}`}
			}
			migrateWith(t.Context(), t, f, nil).want(t, "crontabs.stable.example.com: 3 objects are stored in v1: 2 rewritten, 1 already stored in it; 0 deleted meanwhile, 0 failed\n"+
				test.want+"crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1\n", "")
		})
	}
}

// Nothing to rewrite is proven, not believed.
func TestMigrateAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1": 2, "v1beta1": 1})
		f.crd.Status.StoredVersions = []string{"v1"} // somebody trimmed it too early
		migrateWith(t.Context(), t, f, nil).want(t, `crontabs.stable.example.com: 3 objects are stored in v1: 1 rewritten, 2 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is v1 already
`, "")
		f.wantAllIn(t, "v1")
		if got := f.requests("customresourcedefinitions", "wrote"); len(got) != 0 {
			t.Errorf("wrote the CRD needlessly: %q", got)
		}
	})
}

func TestMigrateNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, nil)
		migrateWith(t.Context(), t, f, nil).want(t, `crontabs.stable.example.com: 0 objects are stored in v1: 0 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		f.wantStored(t, "v1")
	})
}

func TestClusterScoped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, nil)
		for _, name := range []string{"a", "a-b", "b", "c", "d", "e", "f"} {
			f.put(name, "v1beta1")
		}
		migrateWith(t.Context(), t, f, nil).want(t, `crontabs.stable.example.com: 7 objects are stored in v1: 7 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		f.wantAllIn(t, "v1")
		if got := f.applied("/apis/stable.example.com/v1/crontabs/a-b/status"); len(got) != 2 {
			t.Errorf("got %q", got)
		}
	})
}

func TestDryRun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 7})
		migrateWith(t.Context(), t, f, func(o *Options) { o.DryRun = true }).want(t, `crontabs.stable.example.com: would rewrite 7 objects to v1, except those that are already stored in it
crontabs.stable.example.com: would trim status.storedVersions from v1beta1, v1 to v1
`, "")
		f.wantAllIn(t, "v1beta1")
		f.wantStored(t, "v1beta1 v1")
		if got := f.requests("wrote"); len(got) != 0 {
			t.Errorf("a dry run wrote: %q", got)
		}
		if got := f.requests("PATCH", "dryRun=All"); len(got) != 8 {
			t.Errorf("want a try of the sample and one of each object, got %q", got)
		}
	})
}

func TestParallel(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 1000})
		migrateWith(t.Context(), t, f, func(o *Options) { o.Parallel, o.PageSize = 16, 300 }).want(t, `crontabs.stable.example.com: 1000 objects are stored in v1: 1000 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		f.wantAllIn(t, "v1")
	})
}

func TestRateLimit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 100})
		got := migrateWith(t.Context(), t, f, func(o *Options) { o.QPS = 10 })
		if got.failure != nil {
			t.Fatal(got.failure)
		}
		if least := time.Duration(len(f.log)-5) * time.Second / 10; got.took < least || got.took > least+2*time.Second {
			t.Errorf("%d requests at 10/s took %s", len(f.log), got.took)
		}
	})
}
