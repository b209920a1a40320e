package audit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// errStopped means that ctx has ended.
var errStopped = errors.New("stopped before all objects were audited")

// audit does a task, and adds its result to the report.
func (a *auditor) audit(ctx context.Context, t *task) {
	if len(t.passes) == 0 {
		return
	}
	result := t.result()
	a.report.Resources = append(a.report.Resources, result)
	with := map[string]bool{} // the objects with findings
	for n, p := range t.passes {
		var objects int64
		err := a.read(ctx, t.resource, p, func(e examined) {
			objects++
			if len(e.findings) > 0 {
				with[e.item.key()] = true
			}
			result.add(e)
			for _, f := range e.findings {
				if a.Found != nil {
					a.Found(result, f)
				}
			}
		})
		if n == 0 {
			result.Objects = objects
		}
		if err != nil {
			result.Incomplete = true
			a.fail(t.String(), err.Error())
		}
	}
	result.WithFindings = int64(len(with))
}

// result returns the result of a task, without any object.
func (t *task) result() *Resource {
	r := &Resource{Name: t.String(), Kind: t.kind, tallies: map[string]*tally{}}
	for _, p := range t.policies() {
		r.Policies = append(r.Policies, p.Name())
	}
	slices.Sort(r.Policies)
	if slices.ContainsFunc(t.passes, func(p *pass) bool { return p.shows }) {
		r.Versions = t.versions
	}
	return r
}

func (r *Resource) add(e examined) {
	r.Findings = append(r.Findings, e.findings...)
	of := r.tallies[e.item.head.Namespace]
	if of == nil {
		of = new(tally)
		r.tallies[e.item.head.Namespace] = of
	}
	of.pass, of.fail = of.pass+e.tally.pass, of.fail+e.tally.fail
	of.warn, of.failed = of.warn+e.tally.warn, of.failed+e.tally.failed
}

// read reads all objects of a resource, and calls each with what was found about it.
func (a *auditor) read(ctx context.Context, r *resource, in *pass, each func(examined)) error {
	versions := []string{in.version}
	if in.shows {
		// If an object cannot be converted to one version, no list in that version can be read.
		// Every other version has the same objects.
		versions = slices.Clone(r.versions)
	}
	list := &bulk.List[*item]{
		Client:   a.client,
		Path:     func(version string) string { return r.path(version, a.Namespace) },
		Versions: versions,
		Key:      (*item).key,
	}
	progress := &bulk.Progress{Noted: "with findings"}
	a.Console.Start(r.String(), progress)
	defer a.Console.Stop()
	expected := in.version
	for at := new(bulk.Cursor); !at.Listed; {
		page, err := list.Next(ctx, a.PageSize, at)
		if err != nil {
			if bulk.Classify(err) == bulk.Stopped {
				return errStopped
			}
			return fmt.Errorf("listing the objects: %w", err)
		}
		if page.Version != expected {
			expected = page.Version
			a.fail(r.String(), fmt.Sprintf("its list cannot be read in %s, so it was read in %s: policies that match no other version were not evaluated", in.version, expected))
		}
		progress.Expect(int64(len(page.Items)) + page.Remaining)
		for _, e := range a.batch(ctx, r, in, page, progress) {
			if e.item == nil {
				return errStopped
			}
			if e.item.head.DeletionTimestamp == nil {
				each(e)
			}
		}
		list.Pass(at, page)
	}
	return nil
}

// batch examines the objects of a page, several at once. If ctx ends, some have no item.
func (a *auditor) batch(ctx context.Context, r *resource, in *pass, page bulk.Page[*item], progress *bulk.Progress) []examined {
	all := make([]examined, len(page.Items))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(all) {
					return
				}
				found := examined{item: page.Items[i]}
				if found.item.head.DeletionTimestamp == nil {
					found = a.examine(ctx, r, in, page.Version, page.Items[i])
				}
				if ctx.Err() != nil {
					return // what was found may be wrong
				}
				all[i] = found
				progress.Add(len(found.findings) > 0)
			}
		})
	}
	workers.Wait()
	return all
}
