package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/tell"
)

// If another client keeps writing a configuration, it is corrected at once a few times, and
// then only this often.
const (
	WritesAtOnce = 5
	WritesWindow = time.Minute
)

// written is the content that was last written, and when, the last few times that it was
// written.
type written struct {
	how Side
	at  []time.Time
}

// Write writes the intended configuration, with a bundle, if the existing one differs: in one
// write, so that no rule is missing in between, and only if it is unchanged since it was read.
// Otherwise the error is a conflict. With an empty bundle the existing bundles stay, and
// nothing is written if there are none. The obstacle reports that another client writes, too.
func (k *Keeper) Write(ctx context.Context, now, should Side, bundle inject.Bundle) (*reach.Obstacle, error) {
	should.setBundle(bundle, now)
	if bundle.Empty() && len(now.Ours()) == 0 || now.Holds(should) || !now.there() && len(should.Webhooks) == 0 {
		return nil, nil
	}
	if obstacle := k.contended(now, should); obstacle != nil {
		return obstacle, nil
	}
	name := should.Object.GetName()
	change := k.changed(now, should)
	written, err := k.replace(ctx, now, should)
	if apierrors.IsNotFound(err) || apierrors.IsAlreadyExists(err) {
		err = apierrors.NewConflict(schema.GroupResource{Group: admissionregistrationv1.GroupName, Resource: kindOf(should)}, name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", kindOf(should), name, err)
	}
	k.remember(lastKey(should.Object, name), last{unheard: true})
	k.noteWrite(name, should)
	k.Logger.Info("registered", "kind", kindOf(should), "name", name, "webhooks", len(should.Webhooks), "rules", should.Rules())
	if change != "" {
		k.Events.Eventf(written, nil, "Warning", "Restored", "Reconcile", "%s", tell.Note(change))
	}
	return nil, nil
}

func (k *Keeper) noteWrite(name string, should Side) {
	before := k.written[name]
	if !same(before.how, should) {
		before = written{how: should}
	}
	at := append(before.at, k.Now())
	before.at = at[max(0, len(at)-WritesAtOnce):]
	if k.written == nil {
		k.written = map[string]written{}
	}
	k.written[name] = before
}

// replace writes all webhooks as one list, followed by those that others have added, and returns
// the new object.
// Server-side apply would be wrong: of a webhook that should be removed, it would keep fields
// that others have written, such as its bundle, and the rest would be invalid.
func (k *Keeper) replace(ctx context.Context, now, should Side) (client.Object, error) {
	if !now.there() {
		next := should.Object.DeepCopyObject().(client.Object)
		return next, k.Writer.Create(ctx, next, client.FieldOwner(FieldManager))
	}
	all := []any{}
	for _, w := range should.Webhooks {
		all = append(all, w.Whole)
	}
	for _, w := range now.Webhooks {
		if !ours(w) {
			all = append(all, w.Whole)
		}
	}
	metadata := map[string]any{"resourceVersion": now.Object.GetResourceVersion()}
	if annotations := should.Object.GetAnnotations(); len(annotations) > 0 {
		metadata["annotations"] = annotations
	}
	patch, err := json.Marshal(map[string]any{"metadata": metadata, "webhooks": all})
	if err != nil {
		return nil, err
	}
	next := now.Object.DeepCopyObject().(client.Object)
	return next, k.Writer.Patch(ctx, next, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(FieldManager))
}

// contended returns an obstacle if a configuration has been corrected too often.
func (k *Keeper) contended(now, should Side) *reach.Obstacle {
	last := k.written[should.Object.GetName()]
	if len(last.at) < WritesAtOnce || !same(last.how, should) || k.Now().Sub(last.at[0]) > WritesWindow {
		return nil
	}
	return &reach.Obstacle{Reason: "Contended", Message: fmt.Sprintf(
		"%s keeps changing the %s %s: it was corrected %d times within %s; remove it from what that client applies, and check that Crosswalk is installed only once",
		tell.LastWriter(now.Object, FieldManager, webhooksPath), kindOf(should), should.Object.GetName(), WritesAtOnce, WritesWindow)}
}

func same(a, b Side) bool { return equality.Semantic.DeepEqual(a.Object, b.Object) }

func kindOf(s Side) string { return s.Object.GetObjectKind().GroupVersionKind().Kind }
