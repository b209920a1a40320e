package arming

import (
	"context"
	"encoding/base64"
	"encoding/json"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// arm writes the conversion of a CRD: in one server-side apply, so that the strategy is never
// without its bundle, and only if the CRD is unchanged since it was read.
func (r *reconciler) arm(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, w conversionSpec) error {
	var err error
	if url := foreignURL(crd); url != "" {
		// Apply keeps fields that others own, and a conversion must not have both a url and a
		// service. So the whole conversion is replaced.
		r.Logger.Info("taking over a CRD from another converter", "crd", crd.Name, "url", url)
		err = r.replaceConversion(ctx, crd, r.conversion(w))
	} else {
		err = r.apply(ctx, crd, r.configuration(crd, w))
	}
	if err != nil {
		return err
	}
	r.noteWrite(crd.Name, w)
	r.Logger.Info("armed", "crd", crd.Name, "path", w.path)
	return nil
}

func foreignURL(crd *apiextensionsv1.CustomResourceDefinition) string {
	if c := crd.Spec.Conversion; c != nil && c.Webhook != nil && c.Webhook.ClientConfig != nil && c.Webhook.ClientConfig.URL != nil {
		return *c.Webhook.ClientConfig.URL
	}
	return ""
}

// conversion returns spec.conversion.
func (r *reconciler) conversion(w conversionSpec) map[string]any {
	return Conversion(r.Serve.Service, r.Serve.Port, w.path, w.bundle)
}

// Conversion returns the spec.conversion for a Service and a path. If the bundle is empty, the
// field is left out, for another program that writes it.
func Conversion(service cluster.Service, port int32, path string, bundle []byte) map[string]any {
	versions := make([]any, 0, 2)
	for _, v := range reviewVersions() {
		versions = append(versions, v)
	}
	client := map[string]any{
		"service": map[string]any{
			"namespace": service.Namespace, "name": service.Name,
			"port": int64(port), "path": path,
		},
	}
	if len(bundle) > 0 {
		client["caBundle"] = base64.StdEncoding.EncodeToString(bundle)
	}
	return map[string]any{
		"strategy": string(apiextensionsv1.WebhookConverter),
		"webhook":  map[string]any{"conversionReviewVersions": versions, "clientConfig": client},
	}
}

// configuration returns everything that this field manager applies to a CRD.
func (r *reconciler) configuration(crd *apiextensionsv1.CustomResourceDefinition, w conversionSpec) *unstructured.Unstructured {
	c := head(crd)
	if w.caInjector != "" {
		c.SetAnnotations(map[string]string{reach.InjectCAFrom: w.caInjector})
	}
	c.Object["spec"] = map[string]any{"conversion": r.conversion(w)}
	return c
}

// head identifies a CRD as it was read: another resourceVersion is a conflict.
func head(crd *apiextensionsv1.CustomResourceDefinition) *unstructured.Unstructured {
	u := new(unstructured.Unstructured)
	u.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
	u.SetName(crd.Name)
	u.SetResourceVersion(crd.ResourceVersion)
	return u
}

func (r *reconciler) apply(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, configuration *unstructured.Unstructured) error {
	text, err := configuration.MarshalJSON()
	if err != nil {
		return err
	}
	return r.writer.Patch(ctx, head(crd), client.RawPatch(types.ApplyPatchType, text),
		client.FieldOwner(FieldManager), client.ForceOwnership)
}

// replaceConversion replaces all of spec.conversion, whoever owns it.
func (r *reconciler) replaceConversion(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, conversion map[string]any) error {
	text, err := json.Marshal([]map[string]any{
		// The API server compares it, and answers with a conflict.
		{"op": "replace", "path": "/metadata/resourceVersion", "value": crd.ResourceVersion},
		{"op": "replace", "path": "/spec/conversion", "value": conversion},
	})
	if err != nil {
		return err
	}
	return r.writer.Patch(ctx, head(crd), client.RawPatch(types.JSONPatchType, text), client.FieldOwner(FieldManager))
}
