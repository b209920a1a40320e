package controllers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	stages "github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestControllers runs the controllers beside Crosswalk, then without it.
func TestControllers(t *testing.T) {
	s := startStage(t)
	t.Run("garbage collection", s.testGarbage)
	t.Run("namespace deletion", s.testNamespace)
	t.Run("storage version migration", s.testMigration)
	// These stop Crosswalk, so they come last.
	t.Run("garbage collection while Crosswalk is down", s.testGarbageAway)
	t.Run("namespace deletion while Crosswalk is down", s.testNamespaceAway)
	t.Run("storage version migration while Crosswalk is down", s.testMigrationAway)
	t.Run("controllers that start while Crosswalk is down", s.testStartAway)
}

// stage is a scene with the CronTab example in several groups, and controllers.
type stage struct {
	*harness.Scene
	api         *harness.API
	programs    harness.Programs
	controllers *harness.Controllers
	// migrator reports whether the storage version migrator runs.
	migrator bool
	log      *os.File
	// awayFrom is where the log was when Crosswalk went away.
	awayFrom int64
}

// The groups that hold the example, by what is stored in them. Discovery prefers
// v1 in each, so that is what the controllers use.
const (
	v1Stored      = "stable.example.com"
	v1beta1Stored = "v1beta1-stored.example.com"
	// migrated changes its stored version in a test.
	migrated     = "migrated.example.com"
	migratedAway = "migrated-away.example.com"
	switched     = "switched.example.com"
)

// firstMigrator is the first minor release of Kubernetes whose storage version migrator
// finishes the migration of a custom resource: it trims status.storedVersions.
const firstMigrator = 36

func startStage(t *testing.T) *stage {
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	example, err := harness.ReadTable(filepath.Join(programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	tables := []harness.Table{example}
	for _, group := range []string{v1beta1Stored, migrated, migratedAway, switched} {
		table, err := example.InGroup(group, "v1beta1")
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	s := &stage{programs: programs, migrator: stages.Minor(t) >= firstMigrator}
	var options harness.SceneOptions
	if s.migrator {
		options.APIServerFlags = harness.MigratorFlags()
	}
	s.Scene, err = harness.StartScene(t.Context(), programs, t.TempDir(), options, tables...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.LogEnds())
		}
		if err := s.Scene.Stop(); err != nil {
			t.Error(err)
		}
	})
	if s.api, err = s.ControlPlane.API(); err != nil {
		t.Fatal(err)
	}
	if s.log, err = os.Create(s.Log("controllers.log")); err != nil {
		t.Fatal(err)
	}
	s.startControllers(t)
	t.Cleanup(func() {
		s.stopControllers(t)
		if err := s.log.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the end of the controllers' log:\n%s", tail(s.log.Name()))
		}
	})
	return s
}

func (s *stage) startControllers(t *testing.T) {
	t.Helper()
	var err error
	s.controllers, err = s.ControlPlane.StartControllers(within(t, time.Minute), s.log,
		fmt.Sprintf("--storage-version-migrator=%t", s.migrator), "--discovery-period=1s", "-v=2")
	if err != nil {
		t.Fatalf("%v; see %s", err, s.log.Name())
	}
}

func (s *stage) stopControllers(t *testing.T) {
	t.Helper()
	if err := s.controllers.Stop(); err != nil {
		t.Error(err)
	}
}

// crontabs is the example's resource in a group, version and namespace.
func (s *stage) crontabs(group, version, namespace string) harness.Resource {
	return harness.Resource{API: s.api, Group: group, Version: version, Plural: "crontabs", Namespace: namespace}
}

// kubectl must succeed.
func (s *stage) kubectl(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, err := s.ControlPlane.KubectlWith(t.Context(), stdin, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// away stops Crosswalk for the rest of the test, and returns how to end that.
func (s *stage) away(t *testing.T) (back func()) {
	t.Helper()
	if err := s.StopCrosswalk(); err != nil {
		t.Fatal(err)
	}
	info, err := s.log.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s.awayFrom = info.Size()
	isBack := false
	back = func() {
		t.Helper()
		if isBack {
			return
		}
		isBack = true
		if err := s.StartCrosswalk(within(t, time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(back)
	return back
}

// wantFailure waits for a line of the controllers' log, since Crosswalk went away,
// that holds all the texts: a controller has tried, and this is what it met.
func (s *stage) wantFailure(t *testing.T, texts ...string) {
	t.Helper()
	eventually(t, 30*time.Second, func() string {
		data, err := os.ReadFile(s.log.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data[s.awayFrom:])) {
			found := true
			for _, text := range texts {
				found = found && strings.Contains(line, text)
			}
			if found {
				return ""
			}
		}
		return fmt.Sprintf("no controller has logged %q", texts)
	})
}

// conversionFails is what the API server says of the objects that the group stores
// as v1beta1.
func conversionFails(group string) string {
	return "conversion webhook for " + group + "/v1beta1, Kind=CronTab failed"
}

// within is a context with a limit for what should take a moment.
func within(t *testing.T, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), limit)
	t.Cleanup(cancel)
	return ctx
}

// eventually asks until the answer is "", and says what it was at the end. There
// is nothing to wait on: the controllers act when they get to it.
func eventually(t *testing.T, limit time.Duration, ask func() string) {
	t.Helper()
	began := time.Now()
	last := ask()
	for last != "" && time.Since(began) < limit {
		time.Sleep(100 * time.Millisecond)
		last = ask()
	}
	if last != "" {
		t.Fatalf("after %s: %s", limit, last)
	}
	t.Logf("took %.1f s", time.Since(began).Seconds())
}

// tail returns the end of a log, which goes away with the test's folder.
func tail(path string) string {
	const most = 6000
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if len(data) > most {
		data = data[len(data)-most:]
	}
	return string(data)
}
