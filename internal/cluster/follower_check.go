package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// patience is how long a replica that has just started stays not ready because a table is
// missing that some CRD requests. It is limited, because otherwise one table that nobody can
// load would keep every replica from serving all others.
const patience = 30 * time.Second

// Check is a readiness check. It fails until the cluster has been read. It also fails for a
// while if a CRD is armed with a table that is not loaded, so that a rollout keeps the replicas
// that have the table.
func (f *Follower) Check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.synced {
		return errors.New("the tables of the cluster have not been read yet")
	}
	crd, fingerprint := f.missing()
	if f.passed || crd == "" || f.Now().Sub(f.started) > patience {
		// A table that goes missing later does not make the replica unready: otherwise anybody
		// who may write a CRD could stop all replicas.
		f.passed = true
		return nil
	}
	why := "its ControllerRevision is missing or has not been read yet"
	if broken := f.broken[fingerprint]; broken != nil {
		why = broken.Error()
	}
	return fmt.Errorf("%s is armed with the table %s, which is not loaded: %s", crd, fingerprint, why)
}

// run waits until every table and revision that existed at the start has been read. It is a
// runnable of the manager.
func (f *Follower) run(ctx context.Context) error {
	last := ""
	for {
		done, err := f.caughtUp(ctx)
		if done {
			err = f.begin()
		}
		if err != nil && ctx.Err() == nil && err.Error() != last {
			last = err.Error()
			f.Logger.Error("the tables of the cluster cannot be read", "error", err)
		}
		if err == nil && done {
			f.Logger.Info("read the tables of the cluster")
			break
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(100 * time.Millisecond):
		}
	}
	<-ctx.Done()
	return nil
}

// caughtUp reports whether everything in the cache has been read.
func (f *Follower) caughtUp(ctx context.Context) (bool, error) {
	heads := new(metav1.PartialObjectMetadataList)
	heads.SetGroupVersionKind(CrosswalkHead().GroupVersionKind())
	if err := f.cached.List(ctx, heads); err != nil {
		return false, err
	}
	revisions := new(appsv1.ControllerRevisionList)
	if err := f.cached.List(ctx, revisions, client.UnsafeDisableDeepCopy); err != nil {
		return false, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, head := range heads.Items {
		if f.tables[head.Name] == nil {
			return false, nil
		}
	}
	for _, revision := range revisions.Items {
		if !f.seen[client.ObjectKeyFromObject(&revision)] {
			return false, nil
		}
	}
	return true, nil
}

// begin publishes the tables for the first time, even if there are none.
func (f *Follower) begin() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.synced = true
	err := f.publish()
	f.synced = err == nil
	return err
}
