package authority

import (
	"net/http"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/injection"
)

// Managers that apply the rest of the object, over and over, do not fight with
// the injection.
func (s *stage) testOtherManagers(t *testing.T) {
	for _, o := range s.subjects("others") {
		o.apply(t, gitops)
		o.waitFor(t, s.source.get())
		o.apply(t, gitops) // moves to the end of managedFields, which is written: see testNoNeedlessWrite
		before := o.settled(t)
		for range 3 {
			o.apply(t, gitops)
		}
		if after := o.get(t).GetResourceVersion(); after != before {
			t.Errorf("%s: the same manifest again moved resourceVersion from %s to %s", o.kind, before, after)
		}
		changed := o.withManifest(strings.Replace(o.manifest, "metadata:\n", "metadata:\n  labels: {changed: again}\n", 1))
		changed.apply(t, gitops)
		if o.get(t).GetLabels()["changed"] != "again" {
			t.Errorf("%s: the label is not there", o.kind)
		}
		if lacks := o.lacks(t, s.source.get()); lacks != "" {
			t.Error(lacks)
		}
		if got := o.ownedBy(t, injection.FieldManager); got != o.owned {
			t.Errorf("%s: we own\n%s", o.kind, got)
		}
		if got := o.ownedBy(t, gitops); got == "" || strings.Contains(got, "caBundle") {
			t.Errorf("%s: %s owns\n%s", o.kind, gitops, got)
		}
	}
}

// Server-side apply cannot take out what is around a field that another manager
// owns: a webhook, or a whole conversion. Opting out first gives the field up.
func (s *stage) testOptOut(t *testing.T) {
	stale := newCA(t)
	for _, o := range s.subjects("optout") {
		o.apply(t, gitops)
		o.waitFor(t, s.source.get())
		without := o.withoutPlace()
		if without.manifest != "" {
			if status, text := code(without.tryApply(t, gitops, "")); status != http.StatusUnprocessableEntity {
				t.Errorf("%s: while it is injected: %d, %s", o.kind, status, text)
			}
		}
		// Removing the annotation, or saying false.
		for _, annotation := range []string{"", `{crosswalk.dev/inject-ca: "false"}`} {
			o.apply(t, gitops)
			eventually(t, func() string {
				if o.ownedBy(t, injection.FieldManager) != o.owned {
					return o.kind + ": not injected"
				}
				return ""
			})
			out := o.withManifest(strings.Replace(o.manifest, `{crosswalk.dev/inject-ca: "true"}`, annotation, 1))
			out.apply(t, gitops)
			eventually(t, func() string { return o.ownedBy(t, injection.FieldManager) })
			if lacks := o.lacks(t, s.source.get()); lacks != "" {
				t.Errorf("the bundle did not stay: %s", lacks)
			}
			o.waitForEvent(t, "Normal", "Released", "the annotation was removed: the caBundle stays")
			// Nobody's bundle may be anybody's, and is not corrected.
			out.holding(stale).apply(t, gitops)
			if lacks := o.lacks(t, stale); lacks != "" {
				t.Error(lacks)
			}
		}
		if without.manifest != "" {
			without = without.withManifest(strings.Replace(without.manifest, `"true"`, `"false"`, 1))
			if err := without.tryApply(t, gitops, ""); err != nil {
				t.Errorf("%s: after it was given up: %v", o.kind, err)
			}
		}
	}
}

// withoutPlace takes one place out of the manifest; empty where that would take
// out everything.
func (s subject) withoutPlace() subject {
	switch s.kind {
	case "APIService":
		return s.withManifest("")
	case "CustomResourceDefinition":
		webhook := s.manifest[strings.Index(s.manifest, "    strategy:"):strings.Index(s.manifest, "  versions:")]
		return s.withManifest(strings.Replace(s.manifest, webhook, "    strategy: None\n", 1))
	default:
		return s.withManifest(s.manifest[:strings.Index(s.manifest, "- name: by-url")])
	}
}

// What was deleted meanwhile is not made again, nor is its successor written to:
// what is applied is bound to the object that was read.
func (s *stage) testGone(t *testing.T) {
	for _, o := range s.subjects("gone") {
		o = o.withManifest(strings.Replace(o.manifest, `"true"`, `"false"`, 1))
		o.apply(t, gitops)
		o.settled(t)
		bundle, err := inject.ParseBundle(s.source.get())
		if err != nil {
			t.Fatal(err)
		}
		change, err := inject.Plan(o.get(t), bundle)
		if err != nil {
			t.Fatal(err)
		}
		late, err := change.Apply.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		applied := o.withManifest(string(late))
		o.patch(t, `metadata: {labels: {changed: again}}`)
		if status, text := code(applied.tryApply(t, injection.FieldManager, "&force=true")); status != http.StatusConflict {
			t.Errorf("%s: to a changed object: %d, %s", o.kind, status, text)
		}
		if _, err := s.plane.Kubectl(t.Context(), "delete", "--wait", o.kind, o.name); err != nil {
			t.Fatal(err)
		}
		if status, text := code(applied.tryApply(t, injection.FieldManager, "&force=true")); status != http.StatusConflict {
			t.Errorf("%s: to a deleted object: %d, %s", o.kind, status, text)
		}
		o.apply(t, gitops)
		if status, text := code(applied.tryApply(t, injection.FieldManager, "&force=true")); status != http.StatusConflict {
			t.Errorf("%s: to its successor: %d, %s", o.kind, status, text)
		}
	}
}
