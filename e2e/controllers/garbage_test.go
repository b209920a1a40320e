package controllers

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// testGarbage deletes owners with dependents. Owner and dependent are written in
// either version, and the reference names either version, in a group that stores
// what the collector reads and in one where every read is a conversion.
func (s *stage) testGarbage(t *testing.T) {
	for _, group := range []string{v1Stored, v1beta1Stored} {
		for _, policy := range []string{"Background", "Foreground", "Orphan"} {
			t.Run(group+" "+policy, func(t *testing.T) { s.testPolicy(t, group, policy) })
		}
	}
}

func (s *stage) testPolicy(t *testing.T, group, policy string) {
	var owners, dependents, others []string
	for i, via := range []string{"v1beta1", "v1"} {
		r, other := s.crontabs(group, via, "default"), s.crontabs(group, []string{"v1", "v1beta1"}[i], "default")
		name := fmt.Sprintf("owner-%d-%s", i, lower(policy))
		uid := create(t, r, name)
		owners = append(owners, name)
		for n, reference := range []string{owner(r, name, uid), owner(other, name, uid)} {
			dependent := fmt.Sprintf("%s-dependent-%d", name, n)
			create(t, other, dependent, reference)
			dependents = append(dependents, dependent)
		}
		create(t, other, name+"-other")
		others = append(others, name+"-other")
	}
	r := s.crontabs(group, "v1", "default")
	if policy == "Foreground" {
		// Both dependents of an owner are held, each through another version.
		for i, name := range dependents {
			finalizers(t, r.In([]string{"v1", "v1beta1"}[i%2]), name, `["example.com/hold"]`)
		}
	}
	defer func() {
		for _, name := range others {
			if s.stored(t, r, name) == "" {
				t.Errorf("%s never had an owner and is gone", name)
			}
		}
	}()
	for _, name := range owners {
		remove(t, r, name, policy)
	}
	if policy == "Foreground" {
		s.wantHeld(t, r, owners, dependents)
	}
	if policy != "Orphan" {
		eventually(t, 20*time.Second, func() string { return s.gone(t, r, append(owners, dependents...)...) })
		return
	}
	eventually(t, 20*time.Second, func() string { return s.gone(t, r, owners...) })
	for _, version := range []string{"v1beta1", "v1"} {
		for _, name := range dependents {
			data, err := r.In(version).Get(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			if left := metadataOf(t, data).OwnerReferences; len(left) != 0 {
				t.Errorf("%s %s still has an owner: %v", version, name, left)
			}
		}
	}
}

// wantHeld wants owners to wait for dependents that somebody holds, and then lets
// these go, each through the other version.
func (s *stage) wantHeld(t *testing.T, r harness.Resource, owners, dependents []string) {
	t.Helper()
	eventually(t, 20*time.Second, func() string {
		for _, name := range dependents {
			data, err := r.Get(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			if metadataOf(t, data).DeletionTimestamp == "" {
				return name + " is not being deleted"
			}
		}
		return ""
	})
	for _, name := range owners {
		data, err := r.Get(t.Context(), name)
		if err != nil {
			t.Fatalf("an owner that its dependents hold: %v", err)
		}
		if got := metadataOf(t, data).Finalizers; !slices.Equal(got, []string{"foregroundDeletion"}) {
			t.Errorf("%s has the finalizers %q", name, got)
		}
	}
	for i, name := range dependents {
		finalizers(t, r.In([]string{"v1beta1", "v1"}[i%2]), name, `null`)
	}
}

// finalizers sets an object's finalizers.
func finalizers(t *testing.T, r harness.Resource, name, list string) {
	t.Helper()
	if _, err := r.MergePatch(t.Context(), name, `{"metadata":{"finalizers":`+list+`}}`); err != nil {
		t.Fatal(err)
	}
}

// testGarbageAway deletes owners while Crosswalk is down.
func (s *stage) testGarbageAway(t *testing.T) {
	needs, other := s.crontabs(v1beta1Stored, "v1beta1", "default"), s.crontabs(v1Stored, "v1", "default")
	for _, r := range []harness.Resource{needs, other} {
		create(t, r, "dependent", configMapOwner(s, t, r.Group))
	}
	back := s.away(t)
	s.kubectl(t, "", "delete", "configmap", needs.Group, other.Group)
	// What is stored as the collector reads it is collected all the same.
	eventually(t, 20*time.Second, func() string { return s.gone(t, other, "dependent") })
	s.wantFailure(t, "error syncing item", `Name:\"dependent\"`, conversionFails(needs.Group))
	if left := s.gone(t, needs, "dependent"); left == "" {
		t.Error("collected without a converter")
	}
	back()
	eventually(t, time.Minute, func() string { return s.gone(t, needs, "dependent") })
}

// configMapOwner makes a ConfigMap and refers to it.
func configMapOwner(s *stage, t *testing.T, name string) string {
	t.Helper()
	uid := s.kubectl(t, "", "create", "configmap", name, "-o", "jsonpath={.metadata.uid}")
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","name":%q,"uid":%q}`, name, uid)
}
