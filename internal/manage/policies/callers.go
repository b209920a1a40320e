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

// serve shows objects that policies have read only to an API server that identifies itself. An
// API server that calls through an APIService does: it passes the request on to serve's own API
// group, where its front proxy is known. So a policy that reads objects is registered that way,
// if the group exists. Others are called directly, which needs less.

// apiServiceName is the name of the APIService for the group.
const apiServiceName = admissionv1alpha1.Version + "." + admissionv1alpha1.GroupName

// patience is how long a group that does not answer is still used. Replacing a replica takes
// less time.
const patience = 30 * time.Second

// passage is the way through the API server itself.
type passage struct {
	open bool
	// until is when the passage closes. It is zero if it does not.
	until time.Time
}

// passage finds out whether the passage is open. It opens when the group answers.
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

// followPassage asks for a pass whenever the APIService changes, until ctx ends. Nothing waits
// for it: without the right to read it, or without aggregation, there is no passage.
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

// availability returns the Available condition of an APIService, and since when.
func availability(service *unstructured.Unstructured) (available bool, since time.Time) {
	conditions, _, _ := unstructured.NestedSlice(service.Object, "status", "conditions")
	for _, c := range conditions {
		if c, is := c.(map[string]any); is && c["type"] == "Available" {
			text, _ := c["lastTransitionTime"].(string)
			since, _ = time.Parse(time.RFC3339, text) // an unreadable time is treated as long ago
			return c["status"] == "True", since
		}
	}
	return false, time.Time{}
}

// isPassed reports whether the API server calls for some policy through itself.
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

// fullAnswers returns the condition about how complete a policy's answers are. It is nil if
// they are the same for every caller, and before the policy is registered.
func (k *known) fullAnswers(s *situation) *verdict {
	scope, told := s.told[k.side][k.object.GetName()]
	if len(k.withheld) == 0 || !told {
		return nil
	}
	v := verdict{unknown: true, reason: "AskedDirectly", message: withholds(k.side, k.withheld)}
	if scope.ByItself {
		v = yes("AskedByItself", "the API server calls through its APIService, which identifies it, so crosswalk serve returns complete answers")
	}
	return &v
}

// withholds explains what an unidentified API server does not receive.
func withholds(side int, fields []string) string {
	what := "it leaves out " + list(fields)
	if side == mutating {
		what = "it leaves out " + list(fields) + ", and writes follow the failurePolicy"
	}
	return "the API server calls crosswalk serve directly, which can identify it only by a client certificate (serve --client-ca). Without one, " + what +
		", because any client of serve could otherwise read the objects that the policy reads. Deploy overlays/aggregated, so that the API server identifies itself"
}

// list writes an enumeration of limited length.
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
