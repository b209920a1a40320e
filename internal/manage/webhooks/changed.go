package webhooks

import (
	"fmt"
	"maps"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/crosswalk-dev/crosswalk/internal/manage/tell"
)

// The parts of a configuration that a keeper writes.
var (
	webhooksPath    = fieldpath.MakePathOrDie("webhooks")
	annotationsPath = fieldpath.MakePathOrDie("metadata", "annotations")
)

// changed describes what another client has changed in a configuration since it was written, as
// far as the next write corrects it. It returns "" if there is no such change.
func (k *Keeper) changed(now, should Side) string {
	name := kindOf(should) + " " + should.Object.GetName()
	last, known := k.written[should.Object.GetName()]
	switch {
	case !now.there() && known:
		return fmt.Sprintf("another client deleted the %s, and it has been restored", name)
	case !now.there() || known && now.Holds(last.how):
		return ""
	}
	has, lacks := now.differences(should)
	corrected := has // what it lacks may never have been written
	if known {
		had, lost := now.differences(last.how)
		corrected = had.Union(lost).Intersection(has.Union(lacks))
	}
	change := tell.Changed(now.Object, FieldManager, corrected)
	if len(change.Fields) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of the %s, and it has been restored", change, name)
}

// differences returns the fields in which a configuration is not as intended, those that it has
// and those that it lacks.
func (s Side) differences(should Side) (has, lacks *fieldpath.Set) {
	has, lacks = tell.Differences(annotationsPath, annotations(s, should), annotations(should, should))
	for _, w := range s.Ours() {
		if should.Webhook(w.Name) == nil {
			has.Insert(pathOf(w))
		}
	}
	for _, w := range should.Webhooks {
		is := s.Webhook(w.Name)
		if is == nil {
			lacks.Insert(pathOf(w))
			continue
		}
		inHas, inLacks := tell.Differences(pathOf(w), fields(*is), fields(w))
		if !sameBundle(is.Client.CABundle, w.Client.CABundle, s.injected()) {
			inHas.Insert(append(pathOf(w), fieldpath.MakePathOrDie("clientConfig", "caBundle")...))
		}
		has, lacks = has.Union(inHas), lacks.Union(inLacks)
	}
	return has, lacks
}

func pathOf(w Webhook) fieldpath.Path {
	return fieldpath.MakePathOrDie("webhooks", fieldpath.KeyByFields("name", w.Name))
}

// fields returns the content of a webhook except its bundle.
func fields(w Webhook) map[string]any {
	var bare any
	switch whole := withoutBundle(w.Whole).(type) {
	case admissionregistrationv1.MutatingWebhook:
		bare = &whole
	case admissionregistrationv1.ValidatingWebhook:
		bare = &whole
	}
	all, err := runtime.DefaultUnstructuredConverter.ToUnstructured(bare)
	if err != nil {
		return nil
	}
	return all
}

// annotations returns the annotations of a configuration that are intended.
func annotations(of, intended Side) map[string]any {
	all := map[string]any{}
	for name := range maps.Keys(intended.Object.GetAnnotations()) {
		if value, there := of.Object.GetAnnotations()[name]; there {
			all[name] = value
		}
	}
	return all
}
