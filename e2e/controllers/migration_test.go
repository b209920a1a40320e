package controllers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// testMigration changes the storage version and has Kubernetes rewrite what is
// stored. Nobody sees a difference but etcd and the CRD's status.
func (s *stage) testMigration(t *testing.T) {
	s.needMigrator(t)
	before := s.prepareMigration(t, migrated)
	s.migrate(t, migrated)
	eventually(t, time.Minute, func() string { return s.notMigrated(t, migrated) })
	s.wantMigrated(t, migrated, before)
}

// testMigrationAway asks for a migration while Crosswalk is down.
func (s *stage) testMigrationAway(t *testing.T) {
	s.needMigrator(t)
	before := s.prepareMigration(t, migratedAway)
	back := s.away(t)
	s.migrate(t, migratedAway)
	s.wantFailure(t, "Error syncing SVM resource", `svm="`+migratedAway+`"`, conversionFails(migratedAway))
	for _, name := range []string{"in-v1beta1", "in-v1"} {
		if got := s.stored(t, s.crontabs(migratedAway, "v1", "default"), name); got != migratedAway+"/v1beta1" {
			t.Errorf("without a converter, etcd has %s for %s", got, name)
		}
	}
	if got := s.conditions(t, migratedAway); strings.Contains(got, "Succeeded") || strings.Contains(got, "Failed") {
		t.Fatalf("without a converter, the migration is %s", got)
	}
	back()
	eventually(t, 2*time.Minute, func() string { return s.notMigrated(t, migratedAway) })
	s.wantMigrated(t, migratedAway, before)
}

func (s *stage) needMigrator(t *testing.T) {
	t.Helper()
	if !s.migrator {
		t.Skip(harness.LeftOut + "Kubernetes' own storage version migrator, which does not trim status.storedVersions there")
	}
}

// prepareMigration creates objects in both versions, changes the storage version
// and returns the objects as each version sees them.
func (s *stage) prepareMigration(t *testing.T, group string) map[string]string {
	t.Helper()
	for _, version := range []string{"v1beta1", "v1"} {
		create(t, s.crontabs(group, version, "default"), "in-"+version)
	}
	s.storeV1(t, group)
	for _, name := range []string{"in-v1beta1", "in-v1"} {
		if got := s.stored(t, s.crontabs(group, "v1", "default"), name); got != group+"/v1beta1" {
			t.Fatalf("before the migration etcd has %s for %s", got, name)
		}
	}
	if got := s.storedVersions(t, group); got != `["v1beta1","v1"]` {
		t.Fatalf("status.storedVersions is %s", got)
	}
	return s.specs(t, group)
}

// migrate asks for a migration of the example in a group. The migrator waits until
// the garbage collector's watch has passed the resource version at which it saw
// the request: the next write does that, or else a bookmark within a minute.
func (s *stage) migrate(t *testing.T, group string) {
	t.Helper()
	s.kubectl(t, fmt.Sprintf(`{"apiVersion":"storagemigration.k8s.io/v1beta1","kind":"StorageVersionMigration",
		"metadata":{"name":%q},"spec":{"resource":{"group":%q,"resource":"crontabs"}}}`, group, group), "create", "-f", "-")
	eventually(t, 20*time.Second, func() string {
		if s.kubectl(t, "", "get", "storageversionmigration", group, "-o", "jsonpath={.status.resourceVersion}") == "" {
			return "the migrator has not seen the request"
		}
		return ""
	})
	create(t, s.crontabs(group, "v1", "default"), "later")
}

// conditions are those of the migration that are true.
func (s *stage) conditions(t *testing.T, group string) string {
	t.Helper()
	return s.kubectl(t, "", "get", "storageversionmigration", group, "-o",
		`jsonpath={range .status.conditions[?(@.status=="True")]}{.type}: {.message};{end}`)
}

func (s *stage) notMigrated(t *testing.T, group string) string {
	t.Helper()
	if got := s.conditions(t, group); !strings.Contains(got, "Succeeded") {
		return "the migration is " + got
	}
	if got := s.storedVersions(t, group); got != `["v1"]` {
		return "status.storedVersions is " + got
	}
	return ""
}

// wantMigrated wants v1 in etcd, and before in both versions.
func (s *stage) wantMigrated(t *testing.T, group string, before map[string]string) {
	t.Helper()
	for _, name := range []string{"in-v1beta1", "in-v1"} {
		if got := s.stored(t, s.crontabs(group, "v1", "default"), name); got != group+"/v1" {
			t.Errorf("after the migration etcd has %s for %s", got, name)
		}
	}
	for key, after := range s.specs(t, group) {
		if after != before[key] {
			t.Errorf("%s after the migration:\n%s\nbefore:\n%s", key, after, before[key])
		}
	}
}

func (s *stage) storedVersions(t *testing.T, group string) string {
	t.Helper()
	return s.kubectl(t, "", "get", "crd", "crontabs."+group, "-o", "jsonpath={.status.storedVersions}")
}

// specs are the objects' specs in both versions.
func (s *stage) specs(t *testing.T, group string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"in-v1beta1", "in-v1"} {
		for _, version := range []string{"v1beta1", "v1"} {
			r := s.crontabs(group, version, "default")
			all[name+" as "+version] = specOf(t, r, name)
		}
	}
	return all
}

func specOf(t *testing.T, r harness.Resource, name string) string {
	t.Helper()
	data, err := r.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var object struct{ Spec json.RawMessage }
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	return string(object.Spec)
}
