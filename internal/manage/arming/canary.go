package arming

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// makeCanaryTable applies the canary's Crosswalk. deploy/base cannot contain it next to its
// CRD, because an object cannot be applied together with its CRD.
func (r *reconciler) makeCanaryTable(ctx context.Context) error {
	const table = `{
		"apiVersion": "crosswalk.dev/v1alpha1", "kind": "Crosswalk", "metadata": {"name": "canaries.crosswalk.dev"},
		"spec": {"hub": "v1", "versions": [{"name": "v1alpha1", "rows": [{"spoke": ".spec.ping", "hub": ".spec.pong"}]}]}
	}`
	canary := new(unstructured.Unstructured)
	if err := canary.UnmarshalJSON([]byte(table)); err != nil {
		return err
	}
	return r.writer.Patch(ctx, canary, client.RawPatch(types.ApplyPatchType, []byte(table)),
		client.FieldOwner(FieldManager), client.ForceOwnership)
}

// tryCanary asks the API server to convert a canary: a resource of our own that is armed with
// the same Service and bundle as every other CRD. The create is a dry run, so nothing is
// stored. It uses a version that is not stored, so the object is converted there and back.
func (r *reconciler) tryCanary(ctx context.Context) (*reach.Obstacle, error) {
	const failed = "CanaryFailed"
	t, err := r.Compiler.Read(ctx, r.live, cluster.CanaryCRD)
	if err != nil {
		return nil, err
	}
	if t == nil || t.CRD == nil || t.Converter == nil {
		return &reach.Obstacle{Reason: failed, Message: fmt.Sprintf("it is unknown whether the API server reaches Crosswalk, because the CRD %s or its Crosswalk is missing or does not compile; apply deploy/base again", cluster.CanaryCRD)}, nil
	}
	if armed, _ := r.Serve.Service.ArmedWith(t.CRD); armed != t.Converter.Fingerprint() {
		return &reach.Obstacle{Reason: failed, Message: fmt.Sprintf("it is not known yet whether the API server reaches Crosswalk, because %s is not armed; see kubectl describe crosswalk %s", cluster.CanaryCRD, cluster.CanaryCRD)}, nil
	}
	canary := new(unstructured.Unstructured)
	canary.SetGroupVersionKind(cluster.CanaryKind())
	canary.SetNamespace(r.Serve.Service.Namespace)
	canary.SetGenerateName("probe-")
	word := r.Now().UTC().Format("150405.000000")
	canary.Object["spec"] = map[string]any{"ping": word}
	err = r.writer.Create(ctx, canary, client.DryRunAll, client.FieldOwner(FieldManager))
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "conversion webhook for"):
		return &reach.Obstacle{Reason: failed, Message: fmt.Sprintf("the API server cannot reach the Service %s/%s: %s; check for a NetworkPolicy or a firewall between the control plane and the Pods", r.Serve.Service.Namespace, r.Serve.Service.Name, reach.Stable(err.Error()))}, nil
	default:
		return &reach.Obstacle{Reason: failed, Message: fmt.Sprintf("the API server rejects the canary that tests it: %s", reach.Stable(err.Error()))}, nil
	}
	if ping, _, _ := unstructured.NestedString(canary.Object, "spec", "ping"); ping != word {
		return &reach.Obstacle{Reason: failed, Message: "the API server has not seen yet that the canary is armed"}, nil
	}
	return nil, nil
}
