package arming

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
