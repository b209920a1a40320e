package injection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// obstacle is the reason why there is no bundle for an object.
type obstacle struct {
	reason, message string        // empty if there is nothing to report yet
	again           time.Duration // when to look again; 0 if a watch notifies us
}

// origin returns the bundle that an object asks for, or an obstacle.
func (i *Injector) origin(ctx context.Context, t target, object *unstructured.Unstructured, ask inject.Ask) (inject.Origin, *obstacle, error) {
	if ask.Own {
		origin, err := i.own()
		if err != nil {
			return origin, &obstacle{reasonBundle, err.Error(), retryBundle}, nil
		}
		return origin, nil, nil
	}
	if keeper := i.keeper(object); keeper != "" {
		i.secrets.drop(t)
		return inject.Origin{}, &obstacle{reason: reasonKept, message: fmt.Sprintf(
			"this object calls Crosswalk itself, which keeps its own CA bundle in it as %s; remove the annotation %s", keeper, v1alpha1.AnnotationInjectCAFrom)}, nil
	}
	origin, err := i.secrets.origin(t, ask.Secret)
	switch {
	case err == nil:
		return origin, nil, nil
	case errors.Is(err, errUntold):
		return origin, &obstacle{}, nil
	case apierrors.IsForbidden(err):
		consent, err := i.consent(ctx, ask.Secret)
		return origin, &obstacle{reason: reasonConsent, message: consent}, err
	default:
		return origin, &obstacle{reasonSecret, fmt.Sprintf("the Secret %s: %v", ask.Secret, err), retryBundle}, nil
	}
}

// keeper returns the field manager with which Crosswalk writes its own bundle into an object,
// or "".
func (i *Injector) keeper(object *unstructured.Unstructured) string {
	for _, entry := range object.GetManagedFields() {
		if slices.Contains(i.keepers, entry.Manager) && ownsBundle(entry) {
			return entry.Manager
		}
	}
	return ""
}

func ownsBundle(entry metav1.ManagedFieldsEntry) bool {
	return entry.FieldsV1 != nil && strings.Contains(entry.FieldsV1.GetRawString(), `"f:caBundle"`)
}

// whose names a bundle in Events.
func whose(ask inject.Ask) string {
	if ask.Own {
		return "Crosswalk's CA bundle"
	}
	return fmt.Sprintf("the CA of the Secret %s", ask.Secret)
}

// misnamed warns of places where the API server calls a server for which the certificate that
// came with the bundle is not valid. The same CA may have signed that server's certificate,
// too.
func misnamed(origin inject.Origin, places []inject.Place, whose string) string {
	wrong := origin.Misnamed(places)
	if len(wrong) == 0 {
		return ""
	}
	more := ""
	if len(wrong) > 1 {
		more = " and elsewhere"
	}
	return fmt.Sprintf("%s holds %s, whose certificate is for %s, but the API server calls %s there%s: "+
		"unless the same CA has signed that server's certificate, every call fails; put the Secret of that certificate into the annotation %s",
		wrong[0].Path, whose, origin.Names(), wrong[0].Server, more, v1alpha1.AnnotationInjectCAFrom)
}
