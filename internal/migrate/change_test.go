package migrate

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// during runs what once, while the object is rewritten first.
func during(f *fakeAPI, name string, what func()) {
	done := false
	f.before = func(r *http.Request) *reply {
		if got, yes := isApply(r); yes && got == name && !done {
			done = true
			what()
		}
		return nil
	}
}

func slowly(o *Options) { o.QPS = 2 }

func TestStorageVersionChanges(t *testing.T) {
	tests := map[string]struct {
		object string // while it is rewritten the version changes
		change func(*Options)
		found  string
	}{
		"in the middle":         {"job-002", slowly, "after a page"},
		"on the last page":      {"job-012", nil, "before storedVersions is trimmed"},
		"while a dry run tries": {"job-012", func(o *Options) { o.DryRun = true }, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 12})
				changed := false
				f.before = func(r *http.Request) *reply {
					if strings.Contains(r.URL.Path, test.object) && !changed {
						changed = true
						f.changeSpec("v1beta1")
					}
					return nil
				}
				got := migrateWith(t.Context(), t, f, test.change)
				if want := "crontabs.stable.example.com: the storage version changed from v1 to v1beta1 while objects were rewritten, so nothing is trimmed: run it again to rewrite all of them to v1beta1"; got.failure == nil || got.failure.Error() != want {
					t.Errorf("failed with %v", got.failure)
				}
				f.wantStored(t, "v1beta1 v1")
				if test.found == "" {
					return
				}
				f.before, f.log = nil, nil
				again := migrateWith(t.Context(), t, f, nil)
				if again.failure != nil || !strings.HasSuffix(again.out, "trimmed from v1beta1, v1 to v1beta1\n") {
					t.Errorf("then %+v", again)
				}
				f.wantAllIn(t, "v1beta1")
				f.wantStored(t, "v1beta1")
			})
		})
	}
}

// One change of spec cannot have hidden another storage version, two can.
func TestSpecChanges(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		during(f, "job-002", func() { f.changeSpec("v1") })
		migrateWith(t.Context(), t, f, slowly)
		if got := f.applied(); len(got) != 24 {
			t.Errorf("%d writes after one change", len(got))
		}
		f.wantStored(t, "v1")
	})
	// Nor can one that is seen, and another after it.
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 60})
		f.before = func(r *http.Request) *reply {
			name, yes := isApply(r)
			if twice := len(f.applied(name)) > 0; yes && !twice && (name == "job-008" || name == "job-030" || name == "job-058") {
				f.changeSpec("v1")
			}
			return nil
		}
		migrateWith(t.Context(), t, f, slowly)
		if got := f.applied(); len(got) != 120 {
			t.Errorf("%d writes after three changes", len(got))
		}
		f.wantStored(t, "v1")
	})
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		during(f, "job-008", func() {
			f.changeSpec("v1beta1")
			f.put("default/job-000", "v1beta1") // behind our back
			f.changeSpec("v1")
		})
		got := migrateWith(t.Context(), t, f, func(o *Options) { o.Console.Quiet = false })
		got.want(t, `crontabs.stable.example.com: 12 objects are stored in v1: 12 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: 13 objects are stored in v1: 1 rewritten, 12 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		if want := `crontabs.stable.example.com: rewrites objects to v1 through v1/status
crontabs.stable.example.com: starts over: the CRD's spec changed 2 times, so objects may have been stored in other versions meanwhile
crontabs.stable.example.com: rewrites objects to v1 through v1/status
`; got.err != want {
			t.Errorf("printed\n%s\nwant\n%s", got.err, want)
		}
		f.wantAllIn(t, "v1")
	})
}

// A CRD that changes all the time is given up.
func TestSpecChangesAllTheTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 2})
		f.before = func(r *http.Request) *reply {
			if _, yes := isApply(r); yes {
				f.changeSpec("v1")
				f.changeSpec("v1")
			}
			return nil
		}
		got := migrateWith(t.Context(), t, f, nil)
		if got.failure == nil || strings.Count(got.out, "\n") != mostStarts {
			t.Errorf("got %+v", got)
		}
		f.wantStored(t, "v1beta1 v1")
	})
}

// Somebody else changes the CRD between the look at it and the trimming.
func TestTrimmingConflicts(t *testing.T) {
	tests := map[string]struct {
		change func(f *fakeAPI)
		stored string
		want   string
	}{
		"harmlessly": {
			func(f *fakeAPI) { f.touchCRD() },
			"v1", "",
		},
		"another storage version": {
			func(f *fakeAPI) { f.mu.Unlock(); f.changeSpec("v1beta1"); f.mu.Lock() },
			"v1beta1 v1", "crontabs.stable.example.com: the storage version changed from v1 to v1beta1 while objects were rewritten, so nothing is trimmed: run it again to rewrite all of them to v1beta1",
		},
		"it was trimmed, and the answer was lost": {
			func(f *fakeAPI) { f.crd.Status.StoredVersions = []string{"v1"}; f.touchCRD() },
			"v1", "",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 3})
				changed := false
				f.before = func(r *http.Request) *reply {
					if r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, crdName+"/status") && !changed {
						changed = true
						f.mu.Lock()
						defer f.mu.Unlock()
						test.change(f)
					}
					return nil
				}
				out := allThree
				if test.want != "" {
					out, _, _ = strings.Cut(allThree, "\n")
					out += "\n"
				}
				migrateWith(t.Context(), t, f, nil).want(t, out, test.want)
				f.wantStored(t, test.stored)
			})
		})
	}
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 3})
		f.before = func(r *http.Request) *reply {
			if r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, crdName+"/status") {
				return &reply{code: 409, reason: "Conflict"}
			}
			return nil
		}
		got := migrateWith(t.Context(), t, f, nil)
		if want := "crontabs.stable.example.com: gave up after 3 of about 3 objects (100%): trimming status.storedVersions: other clients keep changing the CRD; run the same command again; run the same command again to continue from there"; got.failure == nil || got.failure.Error() != want {
			t.Errorf("failed with %v", got.failure)
		}
	})
}

// The CRD is deleted while its objects are rewritten.
func TestCRDIsDeleted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		during(f, "job-002", func() { f.crd.Name = "gone" })
		got := migrateWith(t.Context(), t, f, slowly)
		if want := `crontabs.stable.example.com: gave up after 10 of about 12 objects (83%): the position could not be saved in the CRD: customresourcedefinitions.apiextensions.k8s.io "crontabs.stable.example.com" not found; run the same command again to continue from the last saved position`; got.failure == nil || got.failure.Error() != want {
			t.Errorf("failed with\n%v\nwant\n%s", got.failure, want)
		}
	})
}

// Nothing is undone where only the note of the position stays behind.
func TestAnnotationStays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 3})
		f.crd.Annotations = map[string]string{Annotation: `{}`}
		f.before = func(r *http.Request) *reply {
			if r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, crdName) {
				return &reply{code: 403, reason: "Forbidden", message: "no"}
			}
			return nil
		}
		migrateWith(t.Context(), t, f, nil).want(t, allThree,
			"crontabs.stable.example.com: all is done, but the annotation crosswalk.dev/migration could not be removed: no")
		f.wantStored(t, "v1")
	})
}

// A signal that comes last does not trim.
func TestStopBeforeTrimming(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 3})
		ctx, stop := context.WithCancel(t.Context())
		f.before = func(r *http.Request) *reply {
			if len(f.applied()) == 6 {
				stop()
			}
			return nil
		}
		got := migrateWith(ctx, t, f, nil)
		if want := "crontabs.stable.example.com: stopped after 3 of about 3 objects (100%); run the same command again to continue from there"; got.failure == nil || got.failure.Error() != want {
			t.Errorf("failed with %v", got.failure)
		}
		f.wantStored(t, "v1beta1 v1")
		f.before, f.log = nil, nil
		migrateWith(t.Context(), t, f, nil).want(t, allThree, "")
		if got := f.applied(); len(got) != 0 {
			t.Errorf("wrote again: %q", got)
		}
	})
}
