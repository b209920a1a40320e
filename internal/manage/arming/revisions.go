package arming

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// keptRevisions is how many old tables are kept besides the one that a CRD is armed with: API
// servers may still request them, and somebody may want to go back.
const keptRevisions = 3

// keepRevision creates the revision of a table, unless it exists.
func (r *reconciler) keepRevision(ctx context.Context, t *cluster.Table) error {
	revision, err := cluster.NewRevision(r.Serve.Service.Namespace, t)
	if err != nil {
		return err
	}
	err = r.cached.Get(ctx, client.ObjectKeyFromObject(revision), new(appsv1.ControllerRevision))
	if !apierrors.IsNotFound(err) {
		return err
	}
	err = r.writer.Create(ctx, revision, client.FieldOwner(FieldManager))
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// lostRevision remembers a deleted revision, whoever deleted it, and asks for a look at its
// Crosswalk.
func (r *reconciler) lostRevision(_ context.Context, e event.DeleteEvent, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	revision, ok := e.Object.(*appsv1.ControllerRevision)
	if !ok {
		return
	}
	crd := revision.Annotations[cluster.AnnotationCRD]
	r.mu.Lock()
	r.lost[crd] = append(r.lost[crd], revision)
	r.mu.Unlock()
	queue.Add(reconcile.Request{NamespacedName: client.ObjectKey{Name: crd}})
}

// reviveRevision creates the revision again that a CRD is armed with, if it was deleted. The
// table may not compile any more, so it cannot be made from the Crosswalk.
func (r *reconciler) reviveRevision(ctx context.Context, t *cluster.Table) error {
	r.mu.Lock()
	lost := r.lost[t.Crosswalk.Name]
	delete(r.lost, t.Crosswalk.Name)
	r.mu.Unlock()
	if t.CRD == nil {
		return nil
	}
	armed, _ := r.Serve.Service.ArmedWith(t.CRD)
	for _, revision := range lost {
		if armed == "" || revision.Labels[cluster.LabelFingerprint] != armed {
			continue
		}
		again := &appsv1.ControllerRevision{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: revision.Namespace, Name: revision.Name,
				Labels: revision.Labels, Annotations: revision.Annotations,
			},
			Data: revision.Data, Revision: revision.Revision,
		}
		err := r.writer.Create(ctx, again, client.FieldOwner(FieldManager))
		switch {
		case apierrors.IsAlreadyExists(err):
		case err != nil:
			r.mu.Lock()
			r.lost[t.Crosswalk.Name] = append(r.lost[t.Crosswalk.Name], revision)
			r.mu.Unlock()
			return err
		default:
			r.Logger.Warn("restored a deleted revision, because a CRD is armed with it", "crd", t.Crosswalk.Name, "revision", again.Name)
			r.Events.Eventf(t.Crosswalk, again, "Warning", "Restored", "Reconcile",
				"another client deleted the ControllerRevision %s/%s, and it has been restored, because the CRD is armed with its table", again.Namespace, again.Name)
		}
	}
	return nil
}

// fromRevision compiles an old table. It returns nil if there is none.
func (r *reconciler) fromRevision(ctx context.Context, crd, fingerprint string) (*cluster.Converter, error) {
	revision := new(appsv1.ControllerRevision)
	key := client.ObjectKey{Namespace: r.Serve.Service.Namespace, Name: cluster.RevisionName(crd, fingerprint)}
	if err := r.cached.Get(ctx, key, revision); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	converter, err := r.Compiler.Revision(revision)
	if err != nil {
		r.Logger.Error("the last good table does not compile any more", "crd", crd, "error", err)
		return nil, nil
	}
	return &converter, nil
}

// hasRevision reports whether the revision of the table that a CRD is armed with exists. It
// need not compile.
func (r *reconciler) hasRevision(ctx context.Context, t *cluster.Table) bool {
	if t.CRD == nil {
		return false
	}
	armed, _ := r.Serve.Service.ArmedWith(t.CRD)
	key := client.ObjectKey{Namespace: r.Serve.Service.Namespace, Name: cluster.RevisionName(t.Crosswalk.Name, armed)}
	return armed != "" && r.cached.Get(ctx, key, new(appsv1.ControllerRevision)) == nil
}

// pruneRevisions deletes the oldest revisions of a CRD, but never the one of the table that it
// is armed with. An empty fingerprint deletes all.
func (r *reconciler) pruneRevisions(ctx context.Context, crd, armed string) error {
	all := new(appsv1.ControllerRevisionList)
	if err := r.cached.List(ctx, all, client.InNamespace(r.Serve.Service.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	ours := slices.DeleteFunc(all.Items, func(revision appsv1.ControllerRevision) bool {
		return revision.Annotations[cluster.AnnotationCRD] != crd ||
			armed != "" && revision.Labels[cluster.LabelFingerprint] == armed
	})
	slices.SortFunc(ours, func(a, b appsv1.ControllerRevision) int {
		return b.CreationTimestamp.Compare(a.CreationTimestamp.Time)
	})
	if armed != "" {
		ours = ours[min(keptRevisions, len(ours)):]
	}
	for i := range ours {
		if err := client.IgnoreNotFound(r.writer.Delete(ctx, &ours[i])); err != nil {
			return err
		}
	}
	return nil
}
