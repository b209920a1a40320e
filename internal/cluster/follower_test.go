package cluster

import (
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// published is what a follower has told last, as name and fingerprint.
type published struct{ current, older []string }

func follower(r client.Reader, to *published) *Follower {
	return &Follower{
		FollowerOptions: FollowerOptions{
			Service: Service{Namespace: "crosswalk-system", Name: "crosswalk"},
			Publish: func(current, older []Converter) error {
				*to = published{ids(current), ids(older)}
				return nil
			},
			Logger: slog.New(slog.DiscardHandler),
		},
		live: r, cached: r, synced: true,
		tables: map[string]*followed{}, revisions: map[client.ObjectKey]Converter{}, seen: map[client.ObjectKey]bool{}, broken: map[string]error{},
	}
}

func ids(converters []Converter) []string {
	var ids []string
	for _, c := range converters {
		ids = append(ids, c.Name()+" "+c.Fingerprint())
	}
	return ids
}

// A table that is replaced answers on, whether or not its revision has come: the
// CRD may be armed with it.
func TestFollowerKeepsTheTableBefore(t *testing.T) {
	var got published
	f := follower(reader(t, crontabCRD(t), crontabTable(t)), &got)
	look(t, f, crontabs)
	before := got.current
	if len(before) != 1 || got.older != nil {
		t.Fatalf("got %+v", got)
	}
	changed := crontabTable(t)
	spoke := changed.Object["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
	spoke["rows"] = append(spoke["rows"].([]any), map[string]any{"spoke": ".spec.image", "hub": ".spec.image"})
	f.live = reader(t, crontabCRD(t), changed)
	look(t, f, crontabs)
	if len(got.current) != 1 || got.current[0] == before[0] || !slices.Equal(got.older, before) {
		t.Errorf("got %+v, want %s among the older ones", got, before)
	}
	revision, err := NewRevision("crosswalk-system", crontab(t))
	if err != nil {
		t.Fatal(err)
	}
	withRevision(t, f, revision)
	if !slices.Equal(got.older, before) {
		t.Errorf("with its revision, got %+v, want %s once among the older ones", got, before)
	}
}

// A table and its revision are compiled once, whichever comes first. Another table, and
// what says of itself that it is the revision and is not, are others.
func TestFollowerSharesTheTableOfARevision(t *testing.T) {
	revision, err := NewRevision("crosswalk-system", crontab(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []string{"table", "revision"} {
		f := follower(reader(t, crontabCRD(t), crontabTable(t)), new(published))
		if first == "revision" {
			withRevision(t, f, revision)
		}
		look(t, f, crontabs)
		if first == "table" {
			withRevision(t, f, revision)
		}
		kept, loaded := f.revisions[client.ObjectKeyFromObject(revision)]
		if !loaded || kept.Converter != f.tables[crontabs].good.Converter {
			t.Errorf("the %s first: both are kept", first)
		}
		changed := crontabTable(t)
		changed.Object["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)["rows"] = []any{}
		f.live = reader(t, crontabCRD(t), changed)
		look(t, f, crontabs)
		if f.revisions[client.ObjectKeyFromObject(revision)].Converter != kept.Converter {
			t.Errorf("the %s first: a revision has become another table", first)
		}
	}
	f := follower(reader(t, crontabCRD(t), crontabTable(t)), new(published))
	look(t, f, crontabs)
	forged := revision.DeepCopy()
	forged.Name = "forged"
	withRevision(t, f, forged)
	if len(f.revisions) != 0 {
		t.Errorf("a revision of another name is loaded: %v", f.revisions)
	}
}

// A CRD that is gone leaves its last table. Another CRD may have its kind then.
func TestFollowerPrefersTheTableThatFits(t *testing.T) {
	var got published
	f := follower(reader(t, crontabCRD(t), crontabTable(t)), &got)
	look(t, f, crontabs)
	gone := got.current[0]

	const successor = "zcrontabs.stable.example.com"
	crd, table := crontabCRD(t), crontabTable(t)
	crd.Name, crd.Spec.Names.Plural = successor, "zcrontabs"
	table.SetName(successor)
	f.live = reader(t, crd, table, crontabTable(t))
	look(t, f, crontabs, successor)
	if len(got.current) != 1 || got.current[0][:len(successor)] != successor || !slices.Equal(got.older, []string{gone}) {
		t.Errorf("got %+v, want that of %s, and %s among the older ones", got, successor, gone)
	}
}

// A replica that starts waits for the table that a CRD is armed with, for a while.
// One that was ready stays so, whatever somebody writes into a CRD.
func TestFollowerCheck(t *testing.T) {
	now := time.Unix(0, 0)
	start := func(known *followed) *Follower {
		f := follower(nil, new(published))
		f.Now, f.started, f.synced = func() time.Time { return now }, now, true
		f.tables[crontabs] = known
		return f
	}
	f := start(&followed{armed: "0123"})
	if err := f.Check(); err == nil {
		t.Error("ready without the table that a CRD is armed with")
	}
	now = now.Add(patience + time.Second)
	if err := f.Check(); err != nil {
		t.Errorf("after a while: %v", err)
	}
	f = start(&followed{})
	if err := f.Check(); err != nil {
		t.Error(err)
	}
	f.tables[crontabs].armed = "0123"
	if err := f.Check(); err != nil {
		t.Errorf("it was ready, and stops answering for all: %v", err)
	}
}

func look(t *testing.T, f *Follower, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := f.reconcileTable(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: name}}); err != nil {
			t.Fatal(err)
		}
	}
}

func withRevision(t *testing.T, f *Follower, revision *appsv1.ControllerRevision) {
	t.Helper()
	scheme, err := Scheme()
	if err != nil {
		t.Fatal(err)
	}
	f.cached = fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(Mapper()).WithObjects(revision).Build()
	if _, err := f.reconcileRevision(t.Context(), reconcile.Request{NamespacedName: client.ObjectKeyFromObject(revision)}); err != nil {
		t.Fatal(err)
	}
}

// Tables are told of once all are read, and not one by one.
func TestFollowerBeginsWithAll(t *testing.T) {
	var got published
	times := 0
	f := follower(reader(t, crontabCRD(t), crontabTable(t)), &got)
	publish := f.Publish
	f.Publish = func(current, older []Converter) error {
		times++
		return publish(current, older)
	}
	f.synced = false
	look(t, f, crontabs)
	if times != 0 {
		t.Errorf("told of %+v before all was read", got)
	}
	if err := f.begin(); err != nil || times != 1 || len(got.current) != 1 {
		t.Errorf("then told %d times of %+v, %v", times, got, err)
	}
	f.synced = false
	f.Publish = func(_, _ []Converter) error { return errors.New("no") }
	if err := f.begin(); err == nil || f.synced {
		t.Errorf("a failed publish is taken for a success: %v", err)
	}
}
