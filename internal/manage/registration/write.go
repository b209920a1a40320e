package registration

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// Where somebody else keeps writing into a configuration, it is corrected at once a
// few times, and then only as often as this.
const (
	writesAtOnce = 5
	writesWindow = time.Minute
)

// written is how a configuration was written last, and when, the last few times
// that it was written so.
type written struct {
	how side
	at  []time.Time
}

// apply writes a configuration: in one server-side apply, so that no rule is ever
// missing in between, and only if it is still the one that was looked at.
func (r *reconciler) apply(ctx context.Context, now, should side) error {
	configuration, err := asConfiguration(should)
	if err != nil {
		return err
	}
	configuration.SetResourceVersion(now.object.GetResourceVersion())
	err = r.writer.Apply(ctx, client.ApplyConfigurationFromUnstructured(configuration), client.FieldOwner(FieldManager), client.ForceOwnership)
	if err != nil {
		return fmt.Errorf("%s %s: %w", configuration.GetKind(), configuration.GetName(), err)
	}
	name := should.object.GetName()
	last := r.written[name]
	if !same(last.how, should) {
		last = written{how: should}
	}
	at := append(last.at, r.now())
	last.at = at[max(0, len(at)-writesAtOnce):]
	r.written[name] = last
	r.Logger.Info("registered", "kind", configuration.GetKind(), "name", name, "rules", rulesOf(should))
	return nil
}

// asConfiguration is what this field manager says about a configuration.
func asConfiguration(should side) (*unstructured.Unstructured, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(should.object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{Object: content}
	unstructured.RemoveNestedField(u.Object, "metadata", "creationTimestamp")
	webhooks, _, err := unstructured.NestedSlice(u.Object, "webhooks")
	if err != nil {
		return nil, err
	}
	for _, w := range webhooks {
		// What is left out would stay as somebody else has written it.
		if fields, ok := w.(map[string]any); ok && fields["rules"] == nil {
			fields["rules"] = []any{}
		}
	}
	return u, unstructured.SetNestedSlice(u.Object, webhooks, "webhooks")
}

// contended says whether a configuration has been corrected too often already.
func (r *reconciler) contended(now, should side) *reach.Obstacle {
	last := r.written[should.object.GetName()]
	if len(last.at) < writesAtOnce || !same(last.how, should) || r.now().Sub(last.at[0]) > writesWindow {
		return nil
	}
	return &reach.Obstacle{Reason: "Contended", Message: fmt.Sprintf(
		"%s keeps changing the %s %s: it was corrected %d times within %s; take it out of what that applies, and see that there is one installation of Crosswalk",
		meddler(now.object), should.object.GetObjectKind().GroupVersionKind().Kind, should.object.GetName(), writesAtOnce, writesWindow)}
}

func same(a, b side) bool { return equality.Semantic.DeepEqual(a.object, b.object) }

// meddler names who else wrote last.
func meddler(object client.Object) string {
	name, at := "somebody", ""
	for _, entry := range object.GetManagedFields() {
		if entry.Manager == FieldManager || entry.FieldsV1 == nil || !strings.Contains(entry.FieldsV1.GetRawString(), `"f:webhooks"`) {
			continue
		}
		if when := fmt.Sprint(entry.Time); when >= at {
			name, at = entry.Manager, when
		}
	}
	return name
}

func rulesOf(s side) int {
	n := 0
	for _, w := range s.webhooks {
		n += len(w.rules)
	}
	return n
}
