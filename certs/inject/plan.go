package inject

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Change is what an object needs in order to hold a bundle.
type Change struct {
	// Apply is the configuration for a forced server-side apply: the bundle at every place of
	// the object, and nothing else. It is bound to the object as it was read, by uid and
	// resourceVersion. It is nil if there is nothing to write.
	//
	// It names every place, including those that hold the bundle already: server-side apply
	// removes a field that a manager applied before and then leaves out.
	Apply *unstructured.Unstructured
	// Places are the caBundle fields as they were found.
	Places []Place
	// Verifies reports that the write sets insecureSkipTLSVerify to false.
	Verifies bool
	// Problem explains why there is nothing to inject. It is nil otherwise.
	Problem *Problem
}

// Problem is a reason not to inject a bundle into an object that asks for it.
type Problem struct {
	// Reason is one of the constants below. It is used as the reason of an Event.
	Reason string
	// Message names the cause and the remedy.
	Message string
}

// Reasons of a Problem.
const (
	// ReasonNoPlace: the object has no place for a bundle.
	ReasonNoPlace = "NothingToInject"
	// ReasonCertManager: the object's bundles belong to cert-manager.
	ReasonCertManager = "LeftToCertManager"
)

// Repaired lists the places whose bundle could not be read and is replaced.
func (c Change) Repaired() []Place {
	var repaired []Place
	for _, p := range c.Places {
		if c.Apply != nil && p.State == Unparsable {
			repaired = append(repaired, p)
		}
	}
	return repaired
}

// Plan returns what to write so that an object holds bundle at each of its places, with a
// Service and with a URL alike. It does not check whether the object asks for a bundle: see
// [Asked].
//
// Where cert-manager's cainjector keeps the bundles, Plan replaces only bundles without a
// certificate that the API server can use. Such a bundle would keep the object from working
// until the cainjector replaces it.
//
// An object that is being deleted is treated like any other. A CRD with finalizers needs its
// conversion until the end: its objects are read and deleted through it.
func Plan(object *unstructured.Unstructured, bundle Bundle) (Change, error) {
	if bundle.Empty() {
		return Change{}, named(object, errors.New("there is no bundle to inject"))
	}
	k, places, problem, err := find(object)
	if err != nil || problem != nil {
		return Change{Problem: problem}, err
	}
	change := Change{Places: places}
	owner := certManager(object.GetAnnotations())
	needed := false
	var fields []field
	for i, p := range places {
		if p.State == Stale && p.found.Equal(bundle) {
			places[i].State = Held
		}
		switch {
		case owner == "":
			needed = needed || places[i].State != Held
			fields = append(fields, field{p, bundle.PEM()})
		case p.State == Unparsable && !usable(p.text):
			needed = true
			fields = append(fields, field{p, bundle.PEM()})
		case p.State != Absent:
			// If it was ours before, leaving it out would remove it.
			fields = append(fields, field{p, p.text})
		}
	}
	if owner != "" {
		change.Problem = &Problem{ReasonCertManager, fmt.Sprintf(
			"the annotation %s makes cert-manager's cainjector write the caBundle; remove one of the two annotations", owner)}
	}
	if needed {
		change.Apply = k.configuration(object, fields)
		change.Verifies = k.verify(object, change.Apply)
	}
	return change, nil
}

// Lacking lists the places of an object that hold some certificates of bundle and not all of
// them. If the server got a certificate of a missing CA, these places would reject a server
// that they trust now. A place without any certificate of bundle trusts no such server now, so
// it loses nothing. Places of cert-manager are not listed.
func Lacking(object *unstructured.Unstructured, bundle Bundle) ([]string, error) {
	_, places, problem, err := find(object)
	if err != nil || problem != nil || certManager(object.GetAnnotations()) != "" {
		return nil, err
	}
	var lacking []string
	for _, p := range places {
		if p.found.shares(bundle) && !p.found.Contains(bundle) {
			lacking = append(lacking, p.Path)
		}
	}
	return lacking, nil
}

// find reads an object's places, or explains why it has none.
func find(object *unstructured.Unstructured) (kind, []Place, *Problem, error) {
	k, err := kindOf(object)
	if err != nil {
		return k, nil, nil, err
	}
	if k.lacks != nil {
		if why := k.lacks(object.Object); why != "" {
			return k, nil, &Problem{ReasonNoPlace, why}, nil
		}
	}
	places, err := k.places(object)
	if err == nil && len(places) == 0 {
		return k, nil, &Problem{ReasonNoPlace, "its list of " + k.list + " is empty; add one, or remove the annotation"}, nil
	}
	return k, places, nil, err
}
