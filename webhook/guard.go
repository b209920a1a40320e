package webhook

import (
	"context"
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// Guard returns the reviewer for a mutating webhook that makes the stashes of the
// object that is stored the ones that count: see [Guardian]. It is registered for
// every served version of every kind that has a table, matching it exactly, and
// before any other webhook.
//
// A kind without a table cannot be judged yet: only kinds that have one are
// registered. Subresources pass: with status the API server keeps the annotations
// that are stored, and a Scale has none.
func Guard(tables *Tables) validation.Reviewer {
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		verdict := new(validation.Verdict)
		g, err := guardianOf(tables, request)
		if g == nil || err != nil || request.SubResource != "" {
			return verdict, err
		}
		guarded, failed := g.Guard(ctx, nil, request.Object.Raw, request.OldObject.Raw, managerOf(request))
		if failed != nil {
			// The API server refuses what is no object, with a better message.
			return verdict, ctx.Err()
		}
		if string(guarded) != string(request.Object.Raw) {
			verdict.Object = guarded
		}
		return verdict, nil
	})
}

// guardianOf returns who guards the object of a request, nil where there is nothing
// to guard, as in a Scale.
func guardianOf(tables *Tables, request *admissionv1.AdmissionRequest) (Guardian, error) {
	if request.Operation != admissionv1.Create && request.Operation != admissionv1.Update || len(request.Object.Raw) == 0 {
		return nil, nil
	}
	if err := checkKinds(request); err != nil {
		return nil, err
	}
	if request.Kind.Group == autoscalingv1.GroupName && request.Kind.Kind == "Scale" {
		return nil, nil
	}
	kinds := tables.snapshot().find([]byte(request.Kind.Group), []byte(request.Kind.Kind))
	if kinds == nil {
		return nil, fmt.Errorf("%w: no table is loaded for kind %.64s of group %.253s", validation.ErrNotReady, request.Kind.Kind, request.Kind.Group)
	}
	// Where the present table does not compile, the older one that converts judges.
	table := kinds.all()[0]
	g, ok := table.Converter.(Guardian)
	if !ok {
		return nil, fmt.Errorf("%s has a converter that guards nothing", table.Name())
	}
	return g, nil
}

// checkKinds fails where an object of a request is of another kind than the request says.
func checkKinds(request *admissionv1.AdmissionRequest) error {
	said := metav1.GroupVersion{Group: request.Kind.Group, Version: request.Kind.Version}.String()
	for _, object := range []struct {
		place string
		text  []byte
	}{{"object", request.Object.Raw}, {"oldObject", request.OldObject.Raw}} {
		if len(object.text) == 0 {
			continue
		}
		scan := new(jsontext.Scanner)
		scan.Reset(object.text)
		apiVersion, kind, err := scan.TypeMeta(scan.Space(0))
		if err != nil {
			return fmt.Errorf("%w: request.%s: %w", validation.ErrMalformed, object.place, err)
		}
		if string(apiVersion) != said || string(kind) != request.Kind.Kind {
			return fmt.Errorf("%w: request.%s is a %.64q of %.253q, and request.kind a %.64q of %.253q", validation.ErrMalformed, object.place, kind, apiVersion, request.Kind.Kind, said)
		}
	}
	return nil
}

// managerOf is the field manager that a request names, if it does.
func managerOf(request *admissionv1.AdmissionRequest) string {
	var options struct {
		FieldManager string `json:"fieldManager"`
	}
	if json.Unmarshal(request.Options.Raw, &options) != nil {
		return ""
	}
	return options.FieldManager
}
