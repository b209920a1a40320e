package arming

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// What only endangers later calls keeps nothing from being ready, and is still the reason that
// kubectl shows.
func TestRenewable(t *testing.T) {
	_, table, _ := armedTable(t)
	table.Crosswalk.ResourceVersion = ""
	r := newReconciler(t, table.Crosswalk)
	ready := state{compiled: yes("Compiled", "it fits"), armed: yes("Armed", "it is armed"), ready: yes("Ready", "objects are converted by this table")}
	report := func(want string, event string) {
		t.Helper()
		if err := r.report(t.Context(), table, ready); err != nil {
			t.Fatal(err)
		}
		now := new(v1alpha1.Crosswalk)
		if err := r.live.Get(t.Context(), client.ObjectKeyFromObject(table.Crosswalk), now); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, kind := range []string{v1alpha1.ConditionReady, v1alpha1.ConditionRenewable} {
			if c := meta.FindStatusCondition(now.Status.Conditions, kind); c != nil {
				got += fmt.Sprintf("%s %s %s: %s\n", kind, c.Status, c.Reason, c.Message)
			}
		}
		if got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
		all, told := r.Events.(*events.FakeRecorder).Events, ""
		for len(all) > 0 {
			told += <-all
		}
		if told != event {
			t.Errorf("events %q, want %q", told, event)
		}
		table.Crosswalk = now
	}
	const isReady = "Ready True Ready: objects are converted by this table\n"
	const renews = "Renewable True Renewable: the built-in authority renews the serving certificate\n"
	report(isReady, "Normal Ready objects are converted by this table") // another issuer renews
	r.Authority = new(reach.State)
	report(isReady, "")
	r.Authority.Set(nil)
	report(isReady+renews, "")
	r.Authority.Set(&reach.Obstacle{Reason: "AuthorityLost", Message: "the key is lost"})
	report("Ready True AuthorityLost: objects are converted by this table; but the key is lost\nRenewable False AuthorityLost: the key is lost\n",
		"Warning AuthorityLost the key is lost")
	r.Authority.Set(nil)
	report(isReady+renews, "")
	r.Authority = nil
	report(isReady, "")
}

// What a changed table cannot show is a condition of its own, with an Event. If it is not known, there
// is none.
func TestPlaced(t *testing.T) {
	_, table, _ := armedTable(t)
	table.Crosswalk.ResourceVersion = ""
	r := newReconciler(t, table.Crosswalk)
	s := state{compiled: yes("Compiled", "it fits"), armed: yes("Armed", "it is armed"), ready: yes("Ready", "objects are converted by this table")}
	for _, test := range []struct {
		placed *verdict
		want   string
	}{{nil, ""}, {placed(false), "True Placed"}, {placed(true), "False ValuesNotShown"}, {placed(true), "False ValuesNotShown"}, {nil, ""}} {
		s.placed = test.placed
		if err := r.report(t.Context(), table, s); err != nil {
			t.Fatal(err)
		}
		now := new(v1alpha1.Crosswalk)
		if err := r.live.Get(t.Context(), client.ObjectKeyFromObject(table.Crosswalk), now); err != nil {
			t.Fatal(err)
		}
		got := ""
		if c := meta.FindStatusCondition(now.Status.Conditions, v1alpha1.ConditionPlaced); c != nil {
			got = string(c.Status) + " " + c.Reason
		}
		if got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		table.Crosswalk = now
	}
	told := 0
	for all := r.Events.(*events.FakeRecorder).Events; len(all) > 0; {
		if strings.HasPrefix(<-all, "Warning ValuesNotShown") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("%d Events tell of it", told)
	}
}
