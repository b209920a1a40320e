package migrate

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// stopAt ends ctx when the object's turn has come, as a signal would.
func stopAt(f *fakeAPI, name string, stop context.CancelFunc) {
	f.before = func(r *http.Request) *reply {
		if got, yes := isApply(r); yes && got == name {
			stop()
		}
		return nil
	}
}

func TestStopAndResume(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		ctx, stop := context.WithCancel(t.Context())
		stopAt(f, "job-007", stop)
		migrateWith(ctx, t, f, nil).want(t, "",
			`crontabs.stable.example.com: stopped after 6 of about 12 objects (50%); run the same command again to continue from there`)
		f.wantStored(t, "v1beta1 v1")
		// The object in flight was rewritten, and could not be proven: it is done again.
		f.wantAnnotation(t, `{"uid":"crd-uid","generation":3,"storageVersion":"v1","versions":["v1","v1beta1"],"continue":"after default/job-005","after":"default/job-006","rewritten":6,"already":0,"gone":0}`)
		if got := f.applied("job-007"); len(got) != 1 || !strings.Contains(got[0], "wrote") {
			t.Errorf("want the request in flight awaited and none after it, got %q", got)
		}

		f.before, f.log = nil, nil
		migrateWith(t.Context(), t, f, func(o *Options) { o.PageSize = 4 }).want(t, `crontabs.stable.example.com: 12 objects are stored in v1: 11 rewritten, 1 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		f.wantAllIn(t, "v1")
		f.wantStored(t, "v1")
		f.wantAnnotation(t, "")
		if got := f.applied(); len(got) != 1+2*5 || !strings.Contains(got[0], "job-007") {
			t.Errorf("the second run wrote %q", got)
		}
		if got := f.requests("GET", "crontabs?continue=after+default%2Fjob-005&limit=4"); len(got) != 1 {
			t.Errorf("the token was not used: %q", f.requests("GET", "crontabs?"))
		}
	})
}

func TestStopWithSeveralAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 40})
		ctx, stop := context.WithCancel(t.Context())
		stopAt(f, "job-023", stop)
		parallel := func(o *Options) { o.Parallel, o.PageSize = 4, 50 }
		if got := migrateWith(ctx, t, f, parallel); got.failure == nil {
			t.Fatal("it was not stopped")
		}
		// Whatever the position is past was proven: nothing stays behind.
		migrateWith(t.Context(), t, f, parallel)
		f.wantAllIn(t, "v1")
		f.wantStored(t, "v1")
	})
}

func TestStopBeforeTheFirstWrite(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 2})
		ctx, stop := context.WithCancel(t.Context())
		f.before = func(r *http.Request) *reply {
			if r.URL.Query().Get("dryRun") != "" {
				stop()
				return &reply{code: 503, retryAfter: 30}
			}
			return nil
		}
		migrateWith(ctx, t, f, nil).want(t, "", `crontabs.stable.example.com: stopped before anything was written`)
		f.wantAnnotation(t, "")
	})
}

// A dry run stops too, and keeps nothing.
func TestStopDryRun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		ctx, stop := context.WithCancel(t.Context())
		f.before = func(r *http.Request) *reply {
			if strings.Contains(r.URL.Path, "job-009") {
				stop()
			}
			return nil
		}
		migrateWith(ctx, t, f, func(o *Options) { o.DryRun = true }).want(t, "",
			`crontabs.stable.example.com: stopped after 9 of about 12 objects (75%)`)
		f.wantAnnotation(t, "")
	})
}

// The annotation is written now and then, so that a killed run loses little.
func TestPositionIsKeptMeanwhile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 60})
		got := migrateWith(t.Context(), t, f, func(o *Options) { o.QPS = 3 })
		saves := len(f.requests("PATCH /apis/apiextensions.k8s.io", "wrote")) - 2 // trimming, removing
		if most := int(got.took / saveInterval); got.failure != nil || saves < most/2 || saves > most {
			t.Errorf("kept the position %d times in %s, error %v", saves, got.took, got.failure)
		}
	})
}

// An annotation is used only as long as it must be true.
func TestPositionsThatDoNotCount(t *testing.T) {
	valid := `{"uid":"crd-uid","generation":3,"storageVersion":"v1","versions":["v1","v1beta1"],"after":"default/job-004","rewritten":4,"already":0,"gone":0}`
	tests := map[string]struct {
		annotation string
		generation int64
		printed    string
	}{
		"as it was":        {valid, 3, ""},
		"one change since": {valid, 4, ""},
		"two changes":      {valid, 5, "starts from the beginning: the CRD's spec changed 2 times since the last run"},
		"restored":         {valid, 2, "starts from the beginning: an earlier state of the CRD was restored since the last run"},
		"another CRD":      {strings.Replace(valid, "crd-uid", "other", 1), 3, "starts from the beginning: the CRD was deleted and created again since the last run"},
		"another version":  {strings.Replace(valid, `"v1"`, `"v1beta1"`, 1), 3, "starts from the beginning: the storage version changed from v1beta1 to v1 since the last run"},
		"not ours":         {"x", 3, "starts from the beginning: the annotation crosswalk.dev/migration cannot be read: invalid character 'x' looking for beginning of value"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 6})
				f.crd.Generation = test.generation
				f.crd.Annotations = map[string]string{Annotation: test.annotation}
				got := migrateWith(t.Context(), t, f, func(o *Options) { o.Console.Quiet = false })
				rewritten, printed := 6, "crontabs.stable.example.com: "+test.printed+"\ncrontabs.stable.example.com: rewrites objects to v1 through v1/status\n"
				if test.printed == "" {
					rewritten, printed = 2, "crontabs.stable.example.com: rewrites objects to v1 through v1/status; continues after 4 that an earlier run did\n"
				}
				if got.failure != nil || got.err != printed || len(f.applied()) != 2*rewritten {
					t.Errorf("%d writes, error %v, printed\n%s\nwant\n%s", len(f.applied()), got.failure, got.err, printed)
				}
				f.wantAnnotation(t, "")
			})
		})
	}
}

// A token that has expired is replaced by the one that the server offers, or the
// list is read from its start; what is done is not done again.
func TestExpiredToken(t *testing.T) {
	tests := map[string]struct {
		expire func(token string) *reply
		lists  []string
	}{
		"with a fresh one": {
			func(token string) *reply {
				if token == "after default/job-005" {
					return &reply{code: 410, reason: "Expired", token: "after default/job-005 now", message: "The provided continue parameter is too old"}
				}
				return nil
			},
			[]string{"", "", "after default/job-005", "after default/job-005 now", "after default/job-010"},
		},
		"with none": {
			func(token string) *reply {
				if token == "after default/job-005" {
					return &reply{code: 410, reason: "Expired"}
				}
				return nil
			},
			[]string{"", "", "after default/job-005", "", "after default/job-005", "", "after default/job-005"},
		},
		"again and again": {
			func(token string) *reply {
				if strings.HasPrefix(token, "after default/job-010") {
					return &reply{code: 410, reason: "Expired", token: token + "+"}
				}
				return nil
			},
			[]string{"", "", "after default/job-005", "after default/job-010", "after default/job-010+", "after default/job-010++", "after default/job-010+++", "", "after default/job-005", "after default/job-010"},
		},
		"that cannot be read": {
			func(token string) *reply {
				if token == "after default/job-005" {
					return &reply{code: 400, reason: "BadRequest", message: "continue key is not valid"}
				}
				return nil
			},
			nil,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 12})
				var lists []string
				f.before = func(r *http.Request) *reply {
					if !strings.HasSuffix(r.URL.Path, "/crontabs") {
						return nil
					}
					token := r.URL.Query().Get("continue")
					lists = append(lists, token)
					if len(lists) > 8 {
						return nil
					}
					return test.expire(token)
				}
				got := migrateWith(t.Context(), t, f, nil)
				if got.failure != nil {
					t.Fatal(got.failure)
				}
				f.wantAllIn(t, "v1")
				if writes := len(f.applied()); writes != 24 {
					t.Errorf("%d writes for 12 objects", writes)
				}
				if test.lists != nil && !slices.Equal(lists[:min(len(lists), len(test.lists))], test.lists) {
					t.Errorf("listed with %q, want %q", lists, test.lists)
				}
			})
		})
	}
}

// A server whose tokens are never good is not asked for ever.
func TestTokensThatAreNeverGood(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		f.before = func(r *http.Request) *reply {
			if r.URL.Query().Get("continue") != "" {
				return &reply{code: 410, reason: "Expired", message: "the token is too old"}
			}
			return nil
		}
		migrateWith(t.Context(), t, f, nil).want(t, "",
			"crontabs.stable.example.com: gave up after 5 of about 12 objects (41%): listing the objects: the token is too old; run the same command again to continue from there")
	})
}

// Objects that come and go between two pages are no trouble.
func TestObjectsChangeMeanwhile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		f.before = func(r *http.Request) *reply {
			name, yes := isApply(r)
			if !yes {
				return nil
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			switch key := "default/" + name; name {
			case "job-002": // deleted
				delete(f.objects, key)
			case "job-003": // deleted and created again
				if f.objects[key].version == "v1beta1" {
					f.put(key, "v1")
				}
			case "job-004": // updated by its owner, once
				if f.objects[key].version == "v1beta1" {
					f.rev++
					f.objects[key].rev, f.objects[key].version = f.rev, "v1"
				}
			case "job-005": // updated between the write and its proof
				if f.objects[key].version == "v1" && f.rev < 1000 {
					f.rev += 1000
					f.objects[key].rev = f.rev
				}
			}
			return nil
		}
		migrateWith(t.Context(), t, f, nil).want(t, `crontabs.stable.example.com: 11 objects are stored in v1: 9 rewritten, 2 already stored in it; 1 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		f.wantAllIn(t, "v1")
	})
}

func TestFailedObjectsAreTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		deny := []string{"job-003", "job-010"}
		f.before = func(r *http.Request) *reply {
			if name, yes := isApply(r); yes && slices.Contains(deny, name) {
				return &reply{code: 422, reason: "Invalid", message: fmt.Sprintf("CronTab %q is invalid: a policy denies it", name)}
			}
			return nil
		}
		first := migrateWith(t.Context(), t, f, nil)
		first.want(t, "crontabs.stable.example.com: 10 objects are stored in v1: 10 rewritten, 0 already stored in it; 0 deleted meanwhile, 2 failed\n",
			`crontabs.stable.example.com: 2 objects could not be rewritten, so status.storedVersions stays v1beta1, v1: fix the errors above and run the same command again; it tries only these objects again`)
		if want := `crosswalk: crontabs.stable.example.com: default/job-003: CronTab "job-003" is invalid: a policy denies it
crosswalk: crontabs.stable.example.com: default/job-010: CronTab "job-010" is invalid: a policy denies it
`; first.err != want {
			t.Errorf("printed\n%s\nwant\n%s", first.err, want)
		}
		f.wantStored(t, "v1beta1 v1")
		f.wantAnnotation(t, `{"uid":"crd-uid","generation":3,"storageVersion":"v1","versions":["v1","v1beta1"],"after":"default/job-012","listed":true,"failed":["default/job-003","default/job-010"],"rewritten":10,"already":0,"gone":0}`)

		// One is mended.
		deny, f.log = []string{"job-010"}, nil
		migrateWith(t.Context(), t, f, nil).want(t, "crontabs.stable.example.com: 11 objects are stored in v1: 11 rewritten, 0 already stored in it; 0 deleted meanwhile, 1 failed\n",
			`crontabs.stable.example.com: 1 object could not be rewritten, so status.storedVersions stays v1beta1, v1: fix the errors above and run the same command again; it tries only these objects again`)
		if got := f.applied(); len(got) != 3 {
			t.Errorf("the second run wrote %q", got)
		}

		// The other is deleted.
		delete(f.objects, "default/job-010")
		migrateWith(t.Context(), t, f, func(o *Options) { o.Console.Quiet = false }).want(t, `crontabs.stable.example.com: 11 objects are stored in v1: 11 rewritten, 0 already stored in it; 1 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		f.wantAnnotation(t, "")
	})
}

// A run that is stopped while it tries them again forgets none.
func TestStopWhileTryingAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 6})
		f.crd.Annotations = map[string]string{Annotation: `{"uid":"crd-uid","generation":3,"storageVersion":"v1","versions":["v1","v1beta1"],"listed":true,"failed":["default/job-001","default/job-003","default/job-006"],"rewritten":3,"already":0,"gone":0}`}
		ctx, stop := context.WithCancel(t.Context())
		stopAt(f, "job-003", stop)
		migrateWith(ctx, t, f, nil).want(t, "", "crontabs.stable.example.com: stopped after 4 objects; run the same command again to continue from there")
		f.wantAnnotation(t, `{"uid":"crd-uid","generation":3,"storageVersion":"v1","versions":["v1","v1beta1"],"listed":true,"failed":["default/job-003","default/job-006"],"rewritten":4,"already":0,"gone":0}`)
	})
}

// More failures than the annotation has room for keep the position where it is.
func TestTooManyFailuresToName(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 300})
		denied := true
		f.before = func(r *http.Request) *reply {
			if name, yes := isApply(r); yes && name >= "job-050" && denied {
				return &reply{code: 403, reason: "Forbidden", message: "a policy denies it"}
			}
			return nil
		}
		got := migrateWith(t.Context(), t, f, nil)
		got.want(t, "crontabs.stable.example.com: 49 objects are stored in v1: 49 rewritten, 0 already stored in it; 0 deleted meanwhile, 251 failed\n",
			`crontabs.stable.example.com: 251 objects could not be rewritten, so status.storedVersions stays v1beta1, v1: fix the errors above and run the same command again; it continues from the first object that did not fit into its notes`)
		if lines := strings.Count(got.err, "\n"); lines != 251 {
			t.Errorf("named %d objects", lines)
		}
		p, why := resume(f.crd)
		if why != "" || p.After != "default/job-149" || p.Continue != "after default/job-145" || len(p.Failed) != mostFailed || p.Listed {
			t.Errorf("the position is %+v", p)
		}
		denied = false
		migrateWith(t.Context(), t, f, nil).want(t, `crontabs.stable.example.com: 300 objects are stored in v1: 300 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
		f.wantAllIn(t, "v1")
	})
}

// Keys are compared as etcd sorts them.
func TestOrderOfKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, nil)
		for _, key := range []string{"a/x", "a-b/x", "a.b/x", "a0/x", "a/x-y", "a/x.y", "b/a"} {
			f.put(key, "v1beta1")
		}
		keys := slices.Sorted(maps.Keys(f.objects))
		for i, last := range keys[:len(keys)-1] {
			in := &target{client: newTestClient(t, f), group: "stable.example.com", plural: "crontabs"}
			got, err := in.listIn([]string{"v1"}).Next(t.Context(), 100, &bulk.Cursor{After: last})
			if err != nil || len(got.Items) != len(keys)-1-i || in.object(got.Items[0]).key() != keys[i+1] {
				t.Errorf("after %s come %v, %v", last, got.Items, err)
			}
		}
	})
}

func newTestClient(t *testing.T, f *fakeAPI) *bulk.Client {
	t.Helper()
	c, err := bulk.NewClient(f.config(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
