package chaos

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// What somebody takes away.

// An installer replaces the CRD again and again, with other schemas or with the
// same, and says nothing of conversion.
func testInstaller(t *testing.T, w *world) {
	c := w.newTable(t, "installer", "v1")
	c.install(t)
	load := startLoad(t, c, 4, 2)
	load.moved(t, 1)
	for i, change := range []func() table{
		func() table { return c },
		func() table { return c.withField("v1", "extra") },
		func() table { return c.withField("v1", "extra").withField("v1beta1", "other") },
		func() table { return c },
	} {
		resume := load.rest()
		c.CRD = change().CRD
		c.replaceCRD(t)
		c.waitRestored(t)
		resume()
		if i > 1 {
			load.moved(t, 1)
		}
		load.wantRight(t)
		c.waitReady(t)
	}
	lapses := w.observer.lapsesOf(c.name())
	if len(lapses) < 4 {
		t.Errorf("seen: %v, want four lapses", lapses)
	}
	for _, lapse := range lapses {
		t.Log(lapse)
		if lapse.by != "installer" {
			t.Errorf("%s", lapse)
		}
	}
	c.waitTold(t, "installer removed spec.conversion from the CRD, and it has been restored; writes in between were not converted by Crosswalk. If that was intended, delete the Crosswalk first")
}

// A Crosswalk is deleted while objects are stored in an older version. It goes
// once that is no longer so, and not before, whoever disarms the CRD meanwhile.
func testDeletedWhileNeeded(t *testing.T, w *world) {
	c := w.newTable(t, "deleted", "v1beta1")
	c.install(t)
	var objects []*object
	for _, name := range []string{"a", "b"} {
		o, err := create(t.Context(), c, name, "v1")
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, o)
	}
	crd := c.CRD.DeepCopy()
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Storage = crd.Spec.Versions[i].Name == "v1"
	}
	c.CRD = crd
	c.applyCRD(t)
	c.waitReady(t)
	c.deleteCrosswalk(t)
	const without = ". Without conversion, reads would show fields of the wrong version and writes would lose them. To stop using Crosswalk, "
	const or = "; or point spec.conversion at another converter; or delete the CRD"
	held := "this Crosswalk is being deleted, but its CRD still needs it: objects may be stored as v1beta1 (status.storedVersions), and v1beta1 is served beside v1" +
		without + "run `crosswalk migrate " + c.name() + "`, then set `served: false` in the CRD for v1beta1" + or
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionReady, "StillNeeded"), held)
	wantObjects := func() {
		t.Helper()
		until(t, func(ctx context.Context) error {
			for _, o := range objects {
				if err := o.checkAll(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
	wantObjects()
	c.replaceCRD(t) // without conversion
	c.waitRestored(t)
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionReady, "StillNeeded"), held)
	wantObjects()
	w.Manage.Kill()
	w.kill(w.Serve...)
	w.everything(t)
	wantObjects()

	// It says what to do: do it.
	migrate := exec.CommandContext(t.Context(), w.programs.Crosswalk, "migrate", c.name(), "--kubeconfig", w.ControlPlane.Kubeconfig)
	if said, err := migrate.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	until(t, func(ctx context.Context) error {
		got, err := c.condition(ctx, v1alpha1.ConditionReady)
		want := "this Crosswalk is being deleted, but its CRD still needs it: v1beta1 is served beside v1" + without + "set `served: false` in the CRD for v1beta1" + or
		return joinErr(err, wantEqual(got.Message, want))
	})
	for i := range c.CRD.Spec.Versions {
		if c.CRD.Spec.Versions[i].Name == "v1beta1" {
			c.CRD.Spec.Versions[i].Served = false
		}
	}
	c.applyCRD(t)
	c.waitGone(t)
	live, err := c.liveCRD(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if armedOf(live) != nil || live.Spec.Conversion.Strategy != apiextensionsv1.NoneConverter {
		t.Errorf("the CRD is left with %+v", live.Spec.Conversion)
	}
	if left := c.revisions(t); len(left) > 0 {
		t.Errorf("revisions are left: %v", left)
	}
	for _, o := range objects {
		if err := o.check(t.Context(), "v1"); err != nil {
			t.Error(err)
		}
	}
	if lapses := w.observer.lapsesOf(c.name()); len(lapses) != 1 || lapses[0].by != "installer" {
		t.Errorf("seen: %v, want the installer's", lapses)
	}
	// And back: it is served again, and converted by the same table.
	for i := range c.CRD.Spec.Versions {
		c.CRD.Spec.Versions[i].Served = true
	}
	c.install(t)
	wantObjects()
}

func wantEqual(got, wanted string) error { return want(got == wanted, "got %s\nwant %s", got, wanted) }

// waitGone waits until the Crosswalk is gone.
func (t table) waitGone(tb testing.TB) {
	tb.Helper()
	until(tb, func(ctx context.Context) error {
		crosswalk, err := t.live(ctx)
		if isStatus(err, 404) {
			return nil
		}
		return joinErr(err, want(false, "%s is still there: %+v", t.name(), crosswalk.Status.Conditions))
	})
}

// A Crosswalk is deleted and made again, while it is held and after it was forced.
func testCrosswalkRecreated(t *testing.T, w *world) {
	c := w.newTable(t, "recreated", "v1")
	c.install(t)
	load := startLoad(t, c, 5, 2)
	load.moved(t, 1)
	for range 2 {
		c.deleteCrosswalk(t)
		c.wantNotReady(t, "StillNeeded")
		c.force(t)
		c.waitGone(t)
		load.moved(t, 1)
		w.kill(w.Serve[0]) // what starts now knows it from its revision only
		w.start(t, w.Serve[0])
		load.moved(t, 1)
		c.applyCrosswalk(t)
		c.waitReady(t)
	}
	load.wantRight(t)
}

// A CRD is deleted with its objects, and made again.
func testCRDRecreated(t *testing.T, w *world) {
	c := w.newTable(t, "crd-recreated", "v1")
	c.install(t)
	for i, again := range []table{c, c.withField("v1", "extra")} {
		c.wantObject(t)
		w.remove(t, crdsPath+"/"+c.name())
		until(t, func(ctx context.Context) error {
			_, err := c.liveCRD(ctx)
			return want(isStatus(err, 404), "the CRD is there: %v", err)
		})
		c.wantNotReady(t, "NoCRD")
		if i == 1 {
			w.kill(w.Serve[0])
			w.start(t, w.Serve[0])
		}
		again.applyCRD(t)
		c.waitReady(t)
		for _, version := range versions() {
			if _, err := c.in(version).Get(t.Context(), "object-v1"); !isStatus(err, 404) {
				t.Errorf("an object of the CRD before: %v", err)
			}
		}
	}
	c.wantObject(t)
	// The next CRD has its kind, and another name.
	w.remove(t, crdsPath+"/"+c.name())
	c.wantNotReady(t, "NoCRD")
	next := c
	next.CRD, next.Crosswalk = c.CRD.DeepCopy(), new(v1alpha1.Crosswalk)
	next.CRD.Spec.Names.Plural, next.CRD.Name = "zcrontabs", "zcrontabs."+c.CRD.Spec.Group
	next = next.edited(t, func(x *v1alpha1.Crosswalk) { *x = *c.Crosswalk; x.Name = next.CRD.Name })
	next.install(t)
	next.wantObject(t)
}

// The revisions are deleted by hand: while the table compiles, and while it does
// not, so that nobody could make the one that is needed from it.
func testRevisionsDeleted(t *testing.T, w *world) {
	c := w.newTable(t, "revisions", "v1")
	c.install(t)
	load := startLoad(t, c, 6, 2)
	load.moved(t, 1)
	for i := range 2 {
		if i == 1 {
			c.broken(t).applyCrosswalk(t)
			c.wantNotReady(t, "InvalidTable")
		}
		for _, name := range c.revisions(t) {
			w.remove(t, revisionsPath+"/"+name)
		}
		until(t, func(ctx context.Context) error {
			_, err := w.API().Get(ctx, revisionsPath+"/"+c.name()+"-"+c.fingerprint(t))
			return err
		})
		w.kill(w.Serve...)
		w.start(t, w.Serve...)
		load.wantRight(t)
		load.moved(t, 1)
	}
	c.applyCrosswalk(t)
	c.waitReady(t)
	load.wantRight(t)
}

// What it is tried with whether the API server reaches Crosswalk is deleted.
func testCanaryDeleted(t *testing.T, w *world) {
	const canary = "canaries.crosswalk.dev"
	c := w.newTable(t, "canary", "v1")
	c.install(t)
	w.remove(t, crosswalksPath+"/"+canary)
	until(t, func(ctx context.Context) error {
		_, err := w.API().Get(ctx, crosswalksPath+"/"+canary)
		return err
	})
	w.remove(t, crdsPath+"/"+canary)
	until(t, func(ctx context.Context) error {
		_, err := w.API().Get(ctx, crdsPath+"/"+canary)
		return want(isStatus(err, 404), "the canary is there: %v", err)
	})
	c.wantObject(t) // what is armed stays armed
	changed := c.withRow(t, `{"spoke": ".spec.image", "hub": ".spec.image"}`)
	changed.applyCrosswalk(t)
	wantMessage(t, c.waitCondition(t, v1alpha1.ConditionReady, "CanaryFailed"),
		"it is unknown whether the API server reaches Crosswalk, because the CRD canaries.crosswalk.dev or its Crosswalk is missing or does not compile; apply deploy/base again")
	text, err := os.ReadFile(filepath.Join(w.programs.Root, "deploy", "chart", "files", "crds", "crosswalk.dev_canaries.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var crd map[string]any
	if err := yaml.Unmarshal(text, &crd); err != nil {
		t.Fatal(err)
	}
	if err := w.apply(t.Context(), crdsPath+"/"+canary, crd); err != nil {
		t.Fatal(err)
	}
	changed.waitReady(t)
}

// The Secrets are deleted by hand. Without the CA's, what is served stays until every bundle
// holds a next CA: see e2e/authority. Without both, calls fail until then, because no bundle
// holds the new CA.
func testSecretsDeleted(t *testing.T, w *world) {
	c := w.newTable(t, "secrets", "v1")
	c.install(t)
	load := startLoad(t, c, 7, 2)
	load.moved(t, 1)
	w.remove(t, secretsPath("crosswalk-serving"))
	w.waitThere(t, secretsPath("crosswalk-serving"))
	load.moved(t, 3)
	w.kill(w.Serve[0])
	w.start(t, w.Serve[0])
	pause(t.Context(), echo) // connections to it were broken off
	load.wantRight(t)
	load.forget()

	w.remove(t, secretsPath("crosswalk-authority"))
	w.waitThere(t, secretsPath("crosswalk-authority"))
	until(t, func(ctx context.Context) error {
		events, err := w.ControlPlane.Kubectl(ctx, "-n", "crosswalk-system", "events", "--for", "secret/crosswalk-authority")
		return joinErr(err, want(strings.Contains(events, "the key of the CA that signed the serving certificate is lost"), "%s", events))
	})
	load.moved(t, 3)
	load.wantRight(t)
	load.wantNoFailure(t)

	w.strangers.Store(true)
	w.remove(t, secretsPath("crosswalk-serving"))
	w.waitThere(t, secretsPath("crosswalk-authority"))
	w.waitThere(t, secretsPath("crosswalk-serving"))
	c.waitReady(t)
	load.moved(t, 3)
	load.wantRight(t)
	load.forget()
	load.moved(t, 3)
	load.wantNoFailure(t)
	until(t, func(ctx context.Context) error {
		for name, a := range w.observer.armedNow() {
			if err := a.ask(ctx, w.ServicePort); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
	w.strangers.Store(false)
}

// waitThere waits until an object is there.
func (w *world) waitThere(t testing.TB, path string) {
	t.Helper()
	until(t, func(ctx context.Context) error {
		_, err := w.API().Get(ctx, path)
		return err
	})
}

// serve and manage start while the API server does.
func testWithoutAPIServer(t *testing.T, w *world) {
	c := w.newTable(t, "api-server", "v1beta1")
	c.install(t)
	load := startLoad(t, c, 8, 2)
	load.moved(t, 1)
	resume := load.rest()
	w.kill(w.Serve...)
	w.Manage.Kill()
	restarted := make(chan error, 1)
	go func() { restarted <- w.restartAPIServer(t.Context()) }()
	for _, role := range append([]*harness.Role{w.Manage}, w.Serve...) {
		if err := role.Launch(); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-restarted; err != nil {
		t.Fatal(err)
	}
	w.everything(t)
	resume()
	load.wantRight(t)
	load.moved(t, 1)
	c.waitReady(t)
}
