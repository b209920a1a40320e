package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// settling prints which states of the objects of a kind cainjector knows for sure.
//
// cainjector reads an object from its cache, then waits for its turn to ask the API server for
// the certificate, and then writes the bundle that it read, with the certificate added. So
// whatever came into the bundle meanwhile is lost. A state is known for sure once the cache
// shows it and every reconciliation that may have read an older one is over.
type settling struct {
	kind string
	out  io.Writer
	// shown are objects that the cache shows, with every change of them.
	shown chan client.Object
}

// settlingEvery is how often a controller is looked at that is at work.
const settlingEvery = 20 * time.Millisecond

// startSettling begins to print. The cache calls its handlers after it shows what they are
// called about.
func startSettling(ctx context.Context, group *errgroup.Group, of cache.Cache, kind string, object client.Object, out io.Writer) error {
	s := settling{kind: kind, out: out, shown: make(chan client.Object, 1)}
	informer, err := of.GetInformer(ctx, object, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	show := func(object any) {
		select {
		case s.shown <- object.(client.Object): // an informer has those of its kind alone
		case <-ctx.Done():
		}
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    show,
		UpdateFunc: func(_, now any) { show(now) },
	})
	group.Go(func() error { return s.run(ctx) })
	return err
}

func (s settling) run(ctx context.Context) error {
	waiting := map[string]string{} // resourceVersions that the cache shows, by name
	tick := time.NewTicker(settlingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case o := <-s.shown:
			waiting[o.GetName()] = o.GetResourceVersion()
			continue
		case <-tick.C:
		}
		if len(waiting) == 0 {
			continue
		}
		busy, err := s.busy()
		if err != nil {
			return err
		}
		if busy {
			continue
		}
		for name, version := range waiting {
			fmt.Fprintf(s.out, "settled %s %s %s\n", s.kind, name, version)
		}
		clear(waiting)
	}
}

// busy reports whether the kind's controller is reconciling an object.
func (s settling) busy() (bool, error) {
	families, err := metrics.Registry.Gather()
	if err != nil {
		return false, err
	}
	for _, family := range families {
		if family.GetName() != "controller_runtime_active_workers" {
			continue
		}
		for _, m := range family.GetMetric() {
			for _, label := range m.GetLabel() {
				if label.GetName() == "controller" && label.GetValue() == strings.ToLower(s.kind) {
					return m.GetGauge().GetValue() > 0, nil
				}
			}
		}
	}
	return true, nil // it has not started yet
}
