package policies

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

func TestWhatCountsAsAChange(t *testing.T) {
	form := func(uid types.UID, generation int64, resourceVersion string) client.Object {
		p := validation(t, "a", "")
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
		if got := changed().Update(event.UpdateEvent{ObjectOld: before, ObjectNew: test.now}); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if !changed().Create(event.CreateEvent{Object: before}) || !changed().Delete(event.DeleteEvent{Object: before}) {
		t.Error("what comes or goes does not count")
	}
}
