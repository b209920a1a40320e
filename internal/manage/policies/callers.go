package policies

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	admissionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// serve tells what policies read to an API server alone that shows who it is. One that
// asks by way of itself does: it passes the question on to serve's own API group, where
// its front proxy is known. So a policy that reads objects is registered that way, where
// the group is there. Others are asked directly, and depend on less.

// apiServiceName is that of the APIService by which the group is there.
const apiServiceName = admissionv1alpha1.Version + "." + admissionv1alpha1.GroupName

// patience is how long a group that does not answer is still asked: a replica that is
// exchanged takes less.
const patience = 30 * time.Second

// passage is the way by way of the API server itself.
type passage struct {
	open bool
	// until is when it closes, as it is now; zero where nothing says so.
	until time.Time
}

// passage finds whether the way is there. It opens when the group answers.
func (r *reconciler) passage(ctx context.Context, isUsed bool) (passage, error) {
	service := apiService()
	err := r.live.Get(ctx, client.ObjectKey{Name: apiServiceName}, service)
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) || meta.IsNoMatchError(err) {
		return passage{}, nil
	}
	if err != nil {
		return passage{}, err
	}
	leads := func(field, to string) bool {
		value, _, _ := unstructured.NestedString(service.Object, "spec", "service", field)
		return value == to
	}
	if !leads("namespace", r.Serve.Service.Namespace) || !leads("name", r.Serve.Service.Name) {
		return passage{}, nil
	}
	answers, since := availability(service)
	if answers || !isUsed {
		return passage{open: answers}, nil
	}
	until := since.Add(patience)
	return passage{open: r.Now().Before(until), until: until}, nil
}

func apiService() *unstructured.Unstructured {
	service := new(unstructured.Unstructured)
	service.SetGroupVersionKind(cluster.APIService())
	return service
}

// followPassage asks for a pass whenever the APIService changes, until ctx ends. Nobody
// waits for it: without the right, or where the API server aggregates nothing, there is no
// such way.
func (r *reconciler) followPassage(ctx context.Context, services cache.Cache) error {
	informer, err := services.GetInformer(ctx, apiService(), cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	ask := func(o any) {
		if o, is := o.(client.Object); !is || o.GetName() == apiServiceName {
			r.passes.Ask()
		}
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: ask, UpdateFunc: func(_, o any) { ask(o) }, DeleteFunc: ask})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// availability is what an APIService says of itself, and since when.
func availability(service *unstructured.Unstructured) (available bool, since time.Time) {
	conditions, _, _ := unstructured.NestedSlice(service.Object, "status", "conditions")
	for _, c := range conditions {
		if c, is := c.(map[string]any); is && c["type"] == "Available" {
			text, _ := c["lastTransitionTime"].(string)
			since, _ = time.Parse(time.RFC3339, text) // of what cannot be read it is long ago
			return c["status"] == "True", since
		}
	}
	return false, time.Time{}
}

// isPassed reports whether the API server asks about some policy by way of itself.
func (s *situation) isPassed() bool {
	for _, scopes := range s.told {
		for _, scope := range scopes {
			if scope.ByItself {
				return true
			}
		}
	}
	return false
}

// fullAnswers is what a condition says of a policy's answers; nil where they are the same
// for everybody, and before the API server asks for any.
func (k *known) fullAnswers(s *situation) *verdict {
	scope, told := s.told[k.side][k.object.GetName()]
	if len(k.withheld) == 0 || !told {
		return nil
	}
	v := verdict{unknown: true, reason: "AskedDirectly", message: withholds(k.side, k.withheld)}
	if scope.ByItself {
		v = yes("AskedByItself", "the API server asks by way of itself, so that crosswalk serve knows it, and is told everything")
	}
	return &v
}

// withholds tells what an API server that is not known is not told.
func withholds(side int, fields []string) string {
	what := "writers are told nothing of " + list(fields)
	if side == mutating {
		what = "it does not get " + list(fields) + ", and writes follow the failurePolicy"
	}
	return "the API server asks crosswalk serve directly, which knows it by a client certificate alone (serve --client-ca). Without one " + what +
		", because whoever reaches serve could ask for the objects that the policy reads. Deploy overlays/aggregated, and the API server asks by way of itself"
}

// list is an enumeration that does not get too long.
func list(fields []string) string {
	const most = 3
	if more := len(fields) - most; more > 0 {
		fields = append(fields[:most:most], fmt.Sprintf("%d more", more))
	}
	if len(fields) == 1 {
		return fields[0]
	}
	last := len(fields) - 1
	return strings.Join(fields[:last], ", ") + " and " + fields[last]
}
