package cluster

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// build is one that has the function shout, of a revision.
func build(revision string) Compiler {
	nothing := func(conversion.Values) (conversion.Values, error) { return nil, nil }
	return Compiler{Options: []conversion.Option{conversion.WithFunctions(conversion.Functions{"shout": {ToHub: nothing, ToSpoke: nothing, Revision: revision}})}}
}

// shouting is the table of the example with a row that calls the function shout.
func shouting(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	table := crontabTable(t)
	table.Object["spec"] = map[string]any{"hub": "v1", "versions": []any{map[string]any{"name": "v1beta1", "rows": []any{
		map[string]any{"spoke": ".spec.shell", "hub": ".spec.timeZone", "func": "shout"},
	}}}}
	return table
}

func revisionOf(t *testing.T, c Compiler) *appsv1.ControllerRevision {
	t.Helper()
	table, err := c.Read(t.Context(), reader(t, crontabCRD(t), shouting(t)), crontabs)
	if err != nil || table.Problem != nil {
		t.Fatal(err, table.Problem)
	}
	revision, err := NewRevision("crosswalk-system", table)
	if err != nil {
		t.Fatal(err)
	}
	return revision
}

const noShout = "func: this program does not have the Go function shout; it has no functions; use a build of crosswalk that registers it; docs/go.md shows how to make one"

// A build with another revision of a function answers for what the CRD is armed with,
// and says that it is another one. A build without it says what it lacks.
func TestBuildsDiffer(t *testing.T) {
	first := revisionOf(t, build("v1"))
	same, err := build("v1").Revision(first)
	if err != nil || same.Compiled() != same.Fingerprint() || same.Functions()["shout"] != "v1" {
		t.Errorf("the same build: %v, %s is compiled to %s with %v", err, same.Fingerprint(), same.Compiled(), same.Functions())
	}
	other, err := build("v2").Revision(first)
	if err != nil || other.Fingerprint() != same.Fingerprint() || other.Compiled() == same.Compiled() {
		t.Errorf("the next build: %v, %s is compiled to %s", err, other.Fingerprint(), other.Compiled())
	}
	if _, err := (Compiler{}).Revision(first); err == nil || !strings.HasSuffix(err.Error(), noShout) {
		t.Errorf("a build without the function: %v", err)
	}
	table, err := Compiler{}.Read(t.Context(), reader(t, crontabCRD(t), shouting(t)), crontabs)
	if want := "v1beta1 row 1 (.spec.shell <-> .spec.timeZone): " + noShout; err != nil || table.Problem == nil || table.Problem.Message != want {
		t.Errorf("got %+v, %v\nwant %s", table.Problem, err, want)
	}
}

// Every table of a cluster is compiled as its process says, and so are the earlier ones.
func TestCompilerOptions(t *testing.T) {
	compiler := build("v1")
	compiler.Options = append(compiler.Options, conversion.WithMaxSize(500))
	table, err := compiler.Read(t.Context(), reader(t, crontabCRD(t), shouting(t)), crontabs)
	if err != nil || table.Problem != nil || table.Converter.MaxSize() != 500 {
		t.Errorf("%+v, %v", table, err)
	}
	kept, err := compiler.Revision(revisionOf(t, build("v1")))
	if err != nil || kept.MaxSize() != 500 {
		t.Errorf("%+v, %v", kept, err)
	}
}

// A replica of a build without a function is not ready, and says why.
func TestFollowerLacksAFunction(t *testing.T) {
	revision := revisionOf(t, build("v1"))
	f := follower(reader(t, crontabCRD(t), shouting(t)), new(published))
	now := time.Unix(0, 0)
	f.Now, f.started = func() time.Time { return now }, now
	look(t, f, crontabs)
	withRevision(t, f, revision)
	f.tables[crontabs].armed = revision.Labels[LabelFingerprint]
	if err := f.Check(); err == nil || !strings.Contains(err.Error(), noShout) {
		t.Errorf("got %v, want %s", err, noShout)
	}
	var got published
	f = follower(reader(t, crontabCRD(t), shouting(t)), &got)
	f.Now, f.started, f.Compiler = func() time.Time { return now }, now, build("v2")
	look(t, f, crontabs)
	withRevision(t, f, revision)
	f.tables[crontabs].armed = revision.Labels[LabelFingerprint]
	if err := f.Check(); err != nil || len(got.current) != 1 || len(got.older) != 1 {
		t.Errorf("with another revision of it: %v, %+v", err, got)
	}
}
