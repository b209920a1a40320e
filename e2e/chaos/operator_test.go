package chaos

import (
	"context"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// What an operator sees with kubectl alone. The messages of each state are pinned
// where the state is made.
func testOperator(t *testing.T, w *world) {
	c := w.newTable(t, "operator", "v1")
	c.applyCrosswalk(t)
	c.wantNotReady(t, "NoCRD")
	c.wantRow(t, c.name(), "v1", "False", "NoCRD") // there is no kind, and there are no versions
	c.wantDescribed(t, "there is no CustomResourceDefinition "+c.name()+": apply it, or rename the Crosswalk to the name of its CRD", "Warning  NoCRD")
	c.applyCRD(t)
	c.waitReady(t)
	c.wantRow(t, c.name(), "CronTab", "v1", "v1beta1,v1", "True", "Ready")
	c.wantDescribed(t, "objects are converted by this table", "Normal   Ready")

	good := c.fingerprint(t)
	c.broken(t).applyCrosswalk(t)
	c.wantNotReady(t, "InvalidTable")
	c.wantRow(t, c.name(), "CronTab", "v1", "v1beta1,v1", "False", "InvalidTable")
	c.wantDescribed(t, "spoke path .spec.hots is not in the v1beta1 schema", "and the last good table, "+good, "Warning  InvalidTable")

	// The one state in which a restart would hurt: it says so.
	w.Manage.Kill()
	for _, name := range c.revisions(t) {
		w.remove(t, revisionsPath+"/"+name)
	}
	w.start(t, w.Manage)
	message := c.waitCondition(t, v1alpha1.ConditionReady, "RevisionMissing")
	c.wantDescribed(t, "no replica of serve that starts from now on can answer for the table "+good+" that the CRD is armed with, because its ControllerRevision is missing: do not restart serve, and fix the table at once: ")
	if !strings.Contains(message, ".spec.hots") {
		t.Errorf("the message does not say what to mend: %s", message)
	}
	c.wantObject(t) // replicas that run have it
	c.applyCrosswalk(t)
	c.waitReady(t)
}

// wantRow wants the row of kubectl get, its age left out.
func (t table) wantRow(tb testing.TB, columns ...string) {
	tb.Helper()
	said, err := t.ControlPlane.Kubectl(tb.Context(), "get", "crosswalk", t.name(), "--no-headers")
	if err != nil {
		tb.Fatal(err)
	}
	got := strings.Fields(said)
	if len(got) != len(columns)+1 || strings.Join(got[:len(columns)], " ") != strings.Join(columns, " ") {
		tb.Errorf("the row is %q, want %q and an age", got, columns)
	}
}

// wantDescribed wants texts in what kubectl describe says. Events come a little
// later than conditions.
func (t table) wantDescribed(tb testing.TB, texts ...string) {
	tb.Helper()
	until(tb, func(ctx context.Context) error {
		said, err := t.ControlPlane.Kubectl(ctx, "describe", "crosswalk", t.name())
		if err != nil {
			return err
		}
		flat := strings.Join(strings.Fields(said), " ")
		for _, text := range texts {
			if !strings.Contains(flat, strings.Join(strings.Fields(text), " ")) {
				return want(false, "it does not say %q:\n%s", text, said)
			}
		}
		return nil
	})
}
