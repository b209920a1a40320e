package cluster

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

func TestSpecChanged(t *testing.T) {
	form := func(uid types.UID, generation int64, resourceVersion string) client.Object {
		p := new(v1alpha1.ValidationPolicy)
		p.UID, p.Generation, p.ResourceVersion = uid, generation, resourceVersion
		return p
	}
	before := form("1", 1, "1")
	for name, test := range map[string]struct {
		now  client.Object
		want bool
	}{
		"its spec":                       {form("1", 2, "2"), true},
		"its status":                     {form("1", 1, "2"), false},
		"deleted and created in between": {form("2", 1, "2"), true},
	} {
		if got := SpecChanged().Update(event.UpdateEvent{ObjectOld: before, ObjectNew: test.now}); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if !SpecChanged().Create(event.CreateEvent{Object: before}) || !SpecChanged().Delete(event.DeleteEvent{Object: before}) {
		t.Error("what comes or goes does not count")
	}
}
