package chaos

import (
	"context"
	"fmt"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// What is started, applied or killed in which order.

func testCrosswalkFirst(t *testing.T, w *world) {
	c := w.newTable(t, "crosswalk-first", "v1")
	c.applyCrosswalk(t)
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionCompiled, "NoCRD"),
		"there is no CustomResourceDefinition "+c.name()+": apply it, or rename the Crosswalk to the name of its CRD")
	c.wantNotReady(t, "NoCRD")
	c.applyCRD(t)
	c.waitReady(t)
	c.wantObject(t)
}

func testCRDFirst(t *testing.T, w *world) {
	c := w.newTable(t, "crd-first", "v1")
	c.applyCRD(t)
	until(t, func(ctx context.Context) error {
		_, err := create(ctx, c, "early", "v1")
		return err
	})
	c.applyCrosswalk(t)
	c.waitReady(t)
	c.wantObject(t)
	data, err := c.in("v1beta1").Get(t.Context(), "early")
	early := &object{table: c, name: "early", states: []state{firstState()}}
	if err := joinErr(err, early.compare(data, "v1beta1")); err != nil {
		t.Error(err)
	}
}

// There was a CRD before Crosswalk was installed.
func testBeforeInstallation(t *testing.T, w *world) {
	c := w.before
	c.world = w
	c.applyCrosswalk(t)
	c.waitReady(t)
	c.wantObject(t)
}

func testServeFirst(t *testing.T, w *world) {
	w.stop(t, w.Manage)
	c := w.newTable(t, "serve-first", "v1beta1")
	c.applyCRD(t)
	c.applyCrosswalk(t)
	w.kill(w.Serve...)
	w.start(t, w.Serve...)
	w.everything(t)
	c.waitReady(t)
	c.wantObject(t)
}

func testManageFirst(t *testing.T, w *world) {
	ready := w.newTable(t, "ready-before", "v1")
	ready.install(t)
	w.Manage.Kill()
	w.kill(w.Serve...)
	w.start(t, w.Manage)
	c := w.newTable(t, "manage-first", "v1")
	c.applyCRD(t)
	c.applyCrosswalk(t)
	nobody := "no replica of serve is ready behind the Service crosswalk-system/crosswalk; see kubectl -n crosswalk-system get deployments,pods"
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionArmed, "NoReplicas"), nobody)
	wantMessage(t, ready.waitCondition(t, v1alpha1.ConditionReady, "NoReplicas"), nobody)
	w.everything(t)
	c.waitReady(t)
	c.wantObject(t)
	ready.waitReady(t)
}

// manage is killed again and again while it arms many CRDs, and while their tables
// change.
func testManageKilled(t *testing.T, w *world) {
	var all []table
	for i := range 6 {
		c := w.newTable(t, fmt.Sprintf("killed-%d", i), versions()[i%2])
		all = append(all, c)
		c.applyCRD(t)
		c.applyCrosswalk(t)
	}
	killWhile := func(armed int) {
		t.Helper()
		until(t, func(context.Context) error {
			n := 0
			for name := range w.observer.armedNow() {
				for _, c := range all {
					if c.name() == name {
						n++
					}
				}
			}
			return want(n >= armed, "%d are armed", n)
		})
		w.Manage.Kill()
		w.start(t, w.Manage)
	}
	killWhile(1)
	killWhile(3)
	killWhile(5)
	for _, c := range all {
		c.waitReady(t)
		c.wantObject(t)
	}
	for i := range all {
		all[i] = all[i].withRow(t, `{"spoke": ".spec.image", "hub": ".spec.image"}`)
		all[i].applyCrosswalk(t)
		if i%3 == 1 {
			w.Manage.Kill()
			w.start(t, w.Manage)
		}
	}
	for _, c := range all {
		c.waitReady(t)
	}
}

// The leader ends or is killed while it arms.
func testLeaders(t *testing.T, w *world) {
	w.stop(t, w.Manage)
	defer w.everything(t)
	first, second := w.newManager(t), w.newManager(t)
	first.start(t)
	c := w.newTable(t, "first-leader", "v1")
	c.install(t)
	second.start(t)
	var all []table
	for i := range 3 {
		c := w.newTable(t, fmt.Sprintf("second-leader-%d", i), "v1")
		all = append(all, c)
		c.applyCRD(t)
		c.applyCrosswalk(t)
	}
	first.end(t, !long()) // a Lease that nobody gives back runs out after 15 s
	for _, c := range all {
		c.waitReady(t)
		c.wantObject(t)
	}
	first.start(t)
	second.end(t, true)
	c = c.withRow(t, `{"spoke": ".spec.image", "hub": ".spec.image"}`)
	c.applyCrosswalk(t)
	c.waitReady(t)
	first.end(t, true)
}
