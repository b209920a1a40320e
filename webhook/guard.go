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

// Guard returns the reviewer for a mutating webhook that replaces the stashes of a written
// object by those of the stored object: see [Guardian]. Register it for every served version of
// every kind that has a table, with an exact match, and before any other webhook.
//
// An object of a kind without a table is an error, because only kinds with a table are
// registered. Subresources pass: for status the API server keeps the stored annotations, and a
// Scale has none.
func Guard(tables *Tables) validation.Reviewer {
	return validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		verdict := new(validation.Verdict)
		g, err := guardianOf(tables, request)
		if g == nil || err != nil || request.SubResource != "" {
			return verdict, err
		}
		guarded, failed := g.Guard(ctx, nil, request.Object.Raw, request.OldObject.Raw, managerOf(request))
		if failed != nil {
			// The API server rejects what is not an object, with a better message.
			return verdict, ctx.Err()
		}
		if string(guarded) != string(request.Object.Raw) {
			verdict.Object = guarded
		}
		return verdict, nil
	})
}

// guardianOf returns the Guardian for the object of a request, or nil if there is nothing to
// guard, as in a Scale.
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
	// If the current table does not compile, the older table that converts is used.
	table := kinds.all()[0]
	g, ok := table.Converter.(Guardian)
	if !ok {
		return nil, fmt.Errorf("the converter of %s does not guard writes", table.Name())
	}
	return g, nil
}

// checkKinds fails if an object of a request is of another kind than request.kind.
func checkKinds(request *admissionv1.AdmissionRequest) error {
	want := metav1.GroupVersion{Group: request.Kind.Group, Version: request.Kind.Version}.String()
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
		if string(apiVersion) != want || string(kind) != request.Kind.Kind {
			return fmt.Errorf("%w: request.%s is a %.64q of %.253q, and request.kind a %.64q of %.253q", validation.ErrMalformed, object.place, kind, apiVersion, request.Kind.Kind, want)
		}
	}
	return nil
}

// managerOf returns the field manager of a request, or "".
func managerOf(request *admissionv1.AdmissionRequest) string {
	var options struct {
		FieldManager string `json:"fieldManager"`
	}
	if json.Unmarshal(request.Options.Raw, &options) != nil {
		return ""
	}
	return options.FieldManager
}
