package arming

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

func TestStillNeeded(t *testing.T) {
	const without = ". Without conversion, reads would show fields of the wrong version and writes would lose them. To stop using Crosswalk, "
	const or = "; or point spec.conversion at another converter; or delete the CRD"
	for name, test := range map[string]struct {
		change func(*cluster.Table)
		want   string
	}{
		"both served, both stored": {
			func(t *cluster.Table) { t.CRD.Status.StoredVersions = []string{"v1beta1", "v1"} },
			"objects may be stored as v1beta1 (status.storedVersions), and v1beta1 is served beside v1" + without +
				"run `crosswalk migrate crontabs.stable.example.com`, then set `served: false` in the CRD for v1beta1" + or,
		},
		"both served, one stored": {
			func(t *cluster.Table) { t.CRD.Status.StoredVersions = []string{"v1"} },
			"v1beta1 is served beside v1" + without + "set `served: false` in the CRD for v1beta1" + or,
		},
		"one served, both stored": {
			func(t *cluster.Table) {
				t.CRD.Status.StoredVersions = []string{"v1beta1", "v1"}
				t.CRD.Spec.Versions[0].Served = false
			},
			"objects may be stored as v1beta1 (status.storedVersions)" + without + "run `crosswalk migrate crontabs.stable.example.com`" + or,
		},
		"one served, one stored": {
			func(t *cluster.Table) {
				t.CRD.Status.StoredVersions = []string{"v1"}
				t.CRD.Spec.Versions[0].Served = false
			}, "",
		},
		"the CRD is being deleted": {
			func(t *cluster.Table) {
				now := metav1.NewTime(time.Now())
				t.CRD.DeletionTimestamp = &now
			}, "the CRD is being deleted, and its objects may need conversion until they are deleted; this Crosswalk is deleted with it",
		},
		"versions that are alike": {
			func(t *cluster.Table) {
				t.CRD.Spec.Versions[0].Schema = t.CRD.Spec.Versions[1].Schema
				t.Crosswalk.Spec.Versions = nil
			}, "",
		},
		"the canary": {func(t *cluster.Table) { t.CRD.Name = cluster.CanaryCRD }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			table := crontab(t)
			test.change(table)
			if got := stillNeeded(table); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// Policies for the hub version keep a Crosswalk, however its objects are converted.
func TestPoliciesKeepACrosswalk(t *testing.T) {
	const want = "this Crosswalk is being deleted, but policies still need it: validationpolicy crontabs, for its hub version. " +
		"Without it, writes that they match would fail. Delete these policies, or remove spec.hub from them"
	for name, test := range map[string]struct {
		conversion *apiextensionsv1.CustomResourceConversion // nil is Crosswalk's
		message    string
	}{
		"only the hub version is served": {nil, want + ". Meanwhile: "},
		"converted by another client":    {&apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter}, want},
	} {
		t.Run(name, func(t *testing.T) {
			r, table, _ := armedTable(t)
			r.Serve.Replicas = []string{"127.0.0.1:1"} // where no process listens
			table.CRD.Spec.Versions[0].Served = false
			if test.conversion != nil {
				table.CRD.Spec.Conversion = test.conversion
			}
			table.Crosswalk.Finalizers = []string{v1alpha1.FinalizerDisarm}
			table.Crosswalk.Status.Fingerprint = table.Converter.Fingerprint()
			table.Crosswalk.ResourceVersion, table.CRD.ResourceVersion = "", ""
			if err := errors.Join(r.writer.Create(t.Context(), table.Crosswalk), r.writer.Create(t.Context(), table.CRD)); err != nil {
				t.Fatal(err)
			}
			r.HubPolicies = func(context.Context, string) ([]string, error) { return []string{"validationpolicy crontabs"}, nil }
			before := table.CRD.DeepCopy()
			s, err := r.leave(t.Context(), table)
			if err != nil || s.ready.reason != "StillNeeded" || !strings.HasPrefix(s.ready.message, test.message) || len(table.Crosswalk.Finalizers) == 0 {
				t.Errorf("%v, %+v", err, s)
			}
			if !equality.Semantic.DeepEqual(before.Spec, table.CRD.Spec) {
				t.Errorf("the CRD has been changed")
			}

			r.HubPolicies = func(context.Context, string) ([]string, error) { return nil, errors.New("no answer") }
			if _, err := r.leave(t.Context(), table); err == nil || len(table.Crosswalk.Finalizers) == 0 {
				t.Errorf("policies that cannot be listed do not keep it: %v", err)
			}

			now := metav1.Now()
			table.CRD.DeletionTimestamp = &now
			if needed, err := r.neededByPolicies(t.Context(), table); needed != "" || err != nil {
				t.Errorf("policies keep the Crosswalk of a CRD that is being deleted: %v", err)
			}
			table.CRD.DeletionTimestamp = nil

			r.HubPolicies = func(context.Context, string) ([]string, error) { return nil, nil }
			if s, err := r.leave(t.Context(), table); err != nil || !s.silent || len(table.Crosswalk.Finalizers) > 0 {
				t.Errorf("without policies it stays: %v, %+v", err, s)
			}
		})
	}
}
