package cluster

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// FollowerOptions configure a [Follower].
type FollowerOptions struct {
	// Service is the Service that armed CRDs name.
	Service Service
	// Compiler compiles the tables.
	Compiler Compiler
	// Publish puts tables into use: the current table of every Crosswalk, and older ones that a
	// CRD may still be armed with.
	Publish func(current, older []Converter) error
	// Logger receives the tables that are loaded and removed.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Follower keeps the tables of a serving process up to date with the cluster. If a change of a
// Crosswalk or of its CRD does not compile, the last good table stays.
type Follower struct {
	FollowerOptions
	live   client.Reader // asks the API server
	cached client.Reader // the manager's cache

	mu        sync.Mutex
	started   time.Time
	synced    bool
	passed    bool // whether it was ever ready
	tables    map[string]*followed
	revisions map[client.ObjectKey]Converter
	seen      map[client.ObjectKey]bool // revisions, including those that do not compile
	broken    map[string]error          // those that do not compile, by their fingerprints
}

// followed is the state of one Crosswalk.
type followed struct {
	good    *Converter  // the last table that compiled
	before  []Converter // earlier tables: their revisions may not have been read yet
	problem string      // of the current table
	armed   string      // the fingerprint in the CRD
}

// reconcileTable reads the current state of one Crosswalk and its CRD.
func (f *Follower) reconcileTable(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	t, err := f.Compiler.Read(ctx, f.live, request.Name)
	if err != nil {
		return reconcile.Result{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t == nil {
		if f.tables[request.Name] == nil {
			return reconcile.Result{}, nil
		}
		f.Logger.Info("a table was removed", "crd", request.Name)
		delete(f.tables, request.Name)
		return reconcile.Result{}, f.publish()
	}
	if f.tables[request.Name] == nil {
		f.tables[request.Name] = new(followed)
	}
	f.tables[request.Name].take(t, f.Service, f.Logger)
	f.share(f.tables[request.Name].good)
	return reconcile.Result{}, f.publish()
}

// keptBefore is how many earlier tables of each Crosswalk are kept. The revisions of older ones
// have been read long ago.
const keptBefore = 3

func (known *followed) take(t *Table, service Service, log *slog.Logger) {
	log = log.With("crd", t.Crosswalk.Name)
	known.armed = ""
	if t.CRD != nil {
		known.armed, _ = service.ArmedWith(t.CRD)
	}
	if t.Problem != nil {
		if t.Problem.Message != known.problem {
			log.Error("a table does not compile; the last good one stays", "reason", t.Problem.Reason, "problem", t.Problem.Message)
		}
		known.problem = t.Problem.Message
		return
	}
	known.problem = ""
	next := t.Current()
	if known.good == nil || known.good.fingerprint != next.fingerprint {
		log.Info("loaded a table", "fingerprint", next.fingerprint, "versions", next.Versions())
		if known.good != nil {
			known.before = append([]Converter{*known.good}, known.before[:min(len(known.before), keptBefore-1)]...)
		}
		known.good = &next
	}
}

// share lets revisions of a table use that table instead of compiling it again: a compiled
// table of an example takes almost a megabyte.
func (f *Follower) share(table *Converter) {
	if table == nil {
		return
	}
	for key, revision := range f.revisions {
		if revision.Name() == table.Name() && revision.fingerprint == table.fingerprint {
			f.revisions[key] = *table
		}
	}
}

// compiled returns the table of a Crosswalk for a revision, if it has been compiled.
func (f *Follower) compiled(revision *appsv1.ControllerRevision) (Converter, bool) {
	crd, fingerprint := revision.Annotations[AnnotationCRD], revision.Labels[LabelFingerprint]
	known := f.tables[crd]
	if known == nil || known.good == nil || known.good.fingerprint != fingerprint || revision.Name != RevisionName(crd, fingerprint) {
		return Converter{}, false
	}
	return *known.good, true
}

// reconcileRevision reads the current state of one revision.
func (f *Follower) reconcileRevision(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	revision := new(appsv1.ControllerRevision)
	err := f.cached.Get(ctx, request.NamespacedName, revision)
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen[request.NamespacedName] = true
	known, loaded := f.revisions[request.NamespacedName]
	switch {
	case err != nil && loaded && !f.asked(known.fingerprint):
		delete(f.revisions, request.NamespacedName)
	case err == nil && !loaded:
		converter, shared := f.compiled(revision)
		if !shared {
			converter, err = f.Compiler.Revision(revision)
		}
		if err != nil {
			// Its data never changes, so this result does not either.
			f.Logger.Error("a table that a CRD may be armed with does not compile", "error", err)
			f.broken[revision.Labels[LabelFingerprint]] = err
			return reconcile.Result{}, nil
		}
		f.revisions[request.NamespacedName] = converter
	default:
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, f.publish()
}

// asked reports whether a CRD is armed with a table.
func (f *Follower) asked(fingerprint string) bool {
	for _, known := range f.tables {
		if known.armed == fingerprint {
			return true
		}
	}
	return false
}

// publish puts the tables into use after all have been read. Publishing after each of thousands
// of tables would take too long.
func (f *Follower) publish() error {
	if !f.synced {
		return nil
	}
	var current, older []Converter
	loaded := map[[2]string]bool{}
	taken := map[schema.GroupKind]bool{}
	add := func(c Converter, asCurrent bool) {
		key := [2]string{c.Name(), c.fingerprint}
		kind := schema.GroupKind{Group: c.Group(), Kind: c.Kind()}
		switch {
		case loaded[key]:
			return
		case asCurrent && !taken[kind]:
			taken[kind] = true
			current = append(current, c)
		default:
			older = append(older, c)
		}
		loaded[key] = true
	}
	names := f.names()
	for _, name := range names {
		if good := f.tables[name].good; good != nil {
			add(*good, true)
		}
	}
	for _, name := range names {
		for _, before := range f.tables[name].before {
			add(before, false)
		}
	}
	for _, revision := range f.revisions {
		add(revision, false)
	}
	// The table that a CRD is armed with comes first: it is used if there is no current table.
	slices.SortFunc(older, func(a, b Converter) int {
		if a, b := f.armedWith(a), f.armedWith(b); a != b {
			if a {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name()+" "+a.fingerprint, b.Name()+" "+b.fingerprint)
	})
	return f.Publish(current, older)
}

// armedWith reports whether the table's CRD requests this table.
func (f *Follower) armedWith(c Converter) bool {
	known := f.tables[c.Name()]
	return known != nil && known.armed == c.fingerprint
}

// names returns the names of the Crosswalks, sorted so that those that compile come first. A
// kind has only one current table, but a deleted CRD may have the same kind as a new one with
// another name.
func (f *Follower) names() []string {
	return slices.SortedFunc(maps.Keys(f.tables), func(a, b string) int {
		if fits, others := f.tables[a].problem == "", f.tables[b].problem == ""; fits != others {
			if fits {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
}

// missing returns a CRD that is armed with a table that is not loaded, and that table.
func (f *Follower) missing() (crd, fingerprint string) {
	var names []string
	for name, known := range f.tables {
		if known.armed != "" && !f.has(known) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "", ""
	}
	slices.Sort(names)
	return names[0], f.tables[names[0]].armed
}

func (f *Follower) has(known *followed) bool {
	if known.good != nil && known.good.fingerprint == known.armed {
		return true
	}
	for _, before := range known.before {
		if before.fingerprint == known.armed {
			return true
		}
	}
	for _, revision := range f.revisions {
		if revision.fingerprint == known.armed {
			return true
		}
	}
	return false
}

func (f *Follower) crosswalkOf(ctx context.Context, crd client.Object) []reconcile.Request {
	return CrosswalkOf(ctx, f.cached, crd.GetName())
}
