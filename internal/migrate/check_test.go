package migrate

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// Errors that can be found at the start are printed before anything is written.
func TestRefusals(t *testing.T) {
	const webhookRemedy = "; objects are converted by the Service crosswalk-system/crosswalk: check that it runs and is ready, and that caBundle in the CRD's spec.conversion is the CA of its certificate"
	tests := map[string]struct {
		change func(*fakeAPI)
		want   string
	}{
		"no such CRD": {
			func(f *fakeAPI) { f.crd.Name = "other" },
			`customresourcedefinitions.apiextensions.k8s.io "crontabs.stable.example.com" not found`,
		},
		"being deleted": {
			func(f *fakeAPI) { f.crd.DeletionTimestamp = &metav1.Time{Time: time.Unix(0, 0)} },
			"the CRD is being deleted",
		},
		"not established": {
			func(f *fakeAPI) { f.crd.Status.Conditions = nil },
			"the CRD is not served: its condition Established must be true first",
		},
		"names taken": {
			func(f *fakeAPI) {
				f.crd.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{
					{Type: apiextensionsv1.NamesAccepted, Status: apiextensionsv1.ConditionFalse, Reason: "ShortNamesConflict", Message: `"ct" is already in use`},
					{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionFalse},
				}
			},
			`the CRD is not served (ShortNamesConflict: "ct" is already in use): its condition Established must be true first`,
		},
		"nothing served": {
			func(f *fakeAPI) {
				f.crd.Spec.Versions[0].Served, f.crd.Spec.Versions[1].Served = false, false
			},
			"no version of the CRD is served, so its objects cannot be reached: serve one of them, best v1, which is stored",
		},
		"no rights": {
			func(f *fakeAPI) {
				f.denied = []string{"patch crontabs/status", "patch crontabs", "patch customresourcedefinitions/status"}
			},
			"RBAC does not allow you to patch crontabs in the group stable.example.com, patch customresourcedefinitions/status in the group apiextensions.k8s.io (crontabs.stable.example.com): a ClusterRole with these rules and a ClusterRoleBinding do",
		},
		"conversion is down": {
			func(f *fakeAPI) {
				f.before = func(r *http.Request) *reply {
					if strings.HasPrefix(r.URL.Path, "/apis/stable.example.com/v1beta1/namespaces/") {
						return &reply{code: 500, message: webhookDown}
					}
					return nil
				}
			},
			"nothing was written, because a try failed: " + webhookDown + webhookRemedy,
		},
		"lists are not served while conversion is down": {
			func(f *fakeAPI) {
				f.before = func(r *http.Request) *reply {
					if strings.HasSuffix(r.URL.Path, "/crontabs") {
						return &reply{code: 429, reason: "TooManyRequests", message: "storage is (re)initializing", retryAfter: 1}
					}
					return nil
				}
			},
			"nothing was written, because a try failed: storage is (re)initializing" + webhookRemedy,
		},
		"policy denies all": {
			func(f *fakeAPI) {
				f.before = func(r *http.Request) *reply {
					if r.URL.Query().Get("dryRun") != "" {
						return &reply{code: 403, reason: "Forbidden", message: "nobody writes today"}
					}
					return nil
				}
			},
			"nothing was written, because a try failed: nobody writes today",
		},
	}
	for name, test := range tests {
		for _, dryRun := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					f := newFake(t, map[string]int{"v1beta1": 7})
					test.change(f)
					got := migrateWith(t.Context(), t, f, func(o *Options) { o.DryRun = dryRun })
					got.want(t, "", "crontabs.stable.example.com: "+test.want)
					if got.took > 10*time.Second {
						t.Errorf("took %s to say so", got.took)
					}
					if got := f.requests("wrote"); len(got) != 0 {
						t.Errorf("wrote %q", got)
					}
				})
			})
		}
	}
}

// One object that cannot be written does not keep the others from it.
func TestSampleWithOneBadObject(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 4})
		f.before = func(r *http.Request) *reply {
			if strings.Contains(r.URL.Path, "job-001") {
				return &reply{code: 422, message: "bad"}
			}
			return nil
		}
		migrateWith(t.Context(), t, f, nil).want(t, "crontabs.stable.example.com: 3 objects are stored in v1: 3 rewritten, 0 already stored in it; 0 deleted meanwhile, 1 failed\n",
			"crontabs.stable.example.com: 1 object could not be rewritten, so status.storedVersions stays v1beta1, v1: fix the errors above and run the same command again; it tries only these objects again")
	})
}

// Objects that go before they are tried say nothing about others.
func TestSampleThatIsGone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 1})
		f.before = func(r *http.Request) *reply {
			f.mu.Lock()
			defer f.mu.Unlock()
			if strings.Contains(r.URL.Path, "job-001") && f.objects["default/job-001"] != nil {
				delete(f.objects, "default/job-001")
				f.put("default/job-002", "v1beta1")
			}
			return nil
		}
		migrateWith(t.Context(), t, f, nil).want(t, `crontabs.stable.example.com: 1 object is stored in v1: 1 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
	})
}

// A webhook that is not called for dry runs says nothing about real ones.
func TestWebhookWithoutDryRun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 3})
		f.before = func(r *http.Request) *reply {
			if r.URL.Query().Get("dryRun") != "" {
				return &reply{code: 400, reason: "BadRequest", message: `admission webhook "x" does not support dry run`}
			}
			return nil
		}
		migrateWith(t.Context(), t, f, func(o *Options) { o.DryRun = true }).want(t, `crontabs.stable.example.com: would rewrite 3 objects to v1, except those that are already stored in it
crontabs.stable.example.com: would trim status.storedVersions from v1beta1, v1 to v1
`, "")
		migrateWith(t.Context(), t, f, nil).want(t, allThree, "")
	})
}

// How objects are written depends on what is served and allowed.
func TestThrough(t *testing.T) {
	tests := map[string]struct {
		change func(*fakeAPI)
		path   string
	}{
		"status":             {func(*fakeAPI) {}, "/v1/namespaces/default/crontabs/job-001/status?"},
		"no status":          {func(f *fakeAPI) { f.crd.Spec.Versions[1].Subresources = nil }, "/v1/namespaces/default/crontabs/job-001?"},
		"no right to status": {func(f *fakeAPI) { f.denied = []string{"patch crontabs/status"} }, "/v1/namespaces/default/crontabs/job-001?"},
		"storage not served": {func(f *fakeAPI) { f.crd.Spec.Versions[1].Served = false }, "/v1beta1/namespaces/default/crontabs/job-001/status?"},
		"rights cannot be asked": {func(f *fakeAPI) {
			f.before = func(r *http.Request) *reply {
				if r.URL.Path == reviewsPath {
					return &reply{code: 403, reason: "Forbidden"}
				}
				return nil
			}
		}, "/v1/namespaces/default/crontabs/job-001/status?"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 3})
				test.change(f)
				migrateWith(t.Context(), t, f, nil).want(t, allThree, "")
				if got := f.applied(test.path); len(got) != 2 {
					t.Errorf("%d writes to %s", len(got), test.path)
				}
				f.wantAllIn(t, "v1")
			})
		})
	}
}

// An object that cannot be converted to the version listed spoils the list, and
// another version lists the same objects.
func TestListInAnotherVersion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 12})
		f.before = func(r *http.Request) *reply {
			if strings.HasSuffix(r.URL.Path, "/v1/crontabs") {
				return &reply{code: 500, message: "conversion webhook for stable.example.com/v1beta1, Kind=CronTab failed: no"}
			}
			return nil
		}
		got := migrateWith(t.Context(), t, f, nil)
		if got.failure != nil {
			t.Fatal(got.failure)
		}
		f.wantAllIn(t, "v1")
		if tried := f.requests("GET", "/v1/crontabs?"); len(tried) != bulk.FirstTries {
			t.Errorf("asked %d times for the list that fails", len(tried))
		}
		if wrote := f.applied("/v1beta1/"); len(wrote) != 0 {
			t.Errorf("wrote through v1beta1: %q", wrote)
		}
	})
}

// After a change of the CRD every API server gets time to see it.
func TestWaitsAfterAChange(t *testing.T) {
	tests := map[string]struct {
		ago         time.Duration
		manager     string
		subresource string
		took        time.Duration
	}{
		"just now":              {time.Second, "kubectl", "", 4 * time.Second},
		"a while ago":           {time.Minute, "kubectl", "", 0},
		"by a clock that is on": {-time.Hour, "kubectl", "", settleTime},
		"status only":           {time.Second, "kube-apiserver", "status", 0},
		"by an earlier run":     {time.Second, fieldManager, "", 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 3})
				at := metav1.NewTime(time.Now().Add(-test.ago))
				f.crd.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: test.manager, Subresource: test.subresource, Time: &at}}
				got := migrateWith(t.Context(), t, f, nil)
				got.want(t, allThree, "")
				if got.took != test.took {
					t.Errorf("took %s, want %s", got.took, test.took)
				}
			})
		})
	}
}

func TestStopWhileWaitingAfterAChange(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 3})
		at := metav1.Now()
		f.crd.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl", Time: &at}}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		got := migrateWith(ctx, t, f, func(o *Options) { o.Console.Quiet = false })
		got.want(t, "", "crontabs.stable.example.com: stopped before anything was written")
		if want := "crontabs.stable.example.com: the CRD has just changed: waiting 5s until every API server has seen it\n"; got.err != want {
			t.Errorf("printed %s", got.err)
		}
	})
}

func TestResolve(t *testing.T) {
	tests := map[string]struct{ want, failure string }{
		"crontabs.stable.example.com": {want: "crontabs.stable.example.com"},
		"customresourcedefinition.apiextensions.k8s.io/crontabs.stable.example.com": {want: "crontabs.stable.example.com"},
		"crontabs":                  {want: "crontabs.stable.example.com"},
		"ct":                        {want: "crontabs.stable.example.com"},
		"crontab":                   {want: "crontabs.stable.example.com"},
		"CronTab":                   {want: "crontabs.stable.example.com"},
		"ct crontabs":               {want: "crontabs.stable.example.com"},
		"st ct":                     {want: "stars.a.example.com crontabs.stable.example.com"},
		"star":                      {failure: `"star" can be stars.a.example.com or stars.b.example.com: name one of them`},
		"stars.b.example.com":       {want: "stars.b.example.com"},
		"stars.c.example.com":       {failure: `no CustomResourceDefinition has the name, plural, short name or kind "stars.c.example.com": kubectl get crds lists them`},
		"ct moons":                  {failure: `no CustomResourceDefinition has the name, plural, short name or kind "moons": kubectl get crds lists them`},
		"customresourcedefinition/": {failure: `"customresourcedefinition/" is not the name of a CustomResourceDefinition`},
	}
	for args, test := range tests {
		t.Run(args, func(t *testing.T) {
			f := newFake(t, nil)
			f.others = []apiextensionsv1.CustomResourceDefinition{*newCRD("stars", "a.example.com", "Star", "st"), *newCRD("stars", "b.example.com", "Star", "sb")}
			m, err := New(Options{Config: f.config(), Console: &bulk.Console{Output: new(bytes.Buffer), Errors: new(bytes.Buffer), Now: time.Now}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Resolve(t.Context(), strings.Fields(args))
			if err != nil {
				var _ *ArgumentError = err.(*ArgumentError)
				if err.Error() != test.failure {
					t.Errorf("failed with\n%v\nwant\n%s", err, test.failure)
				}
				return
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
