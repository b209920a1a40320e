package migrate

import (
	"encoding/json"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Annotation is the annotation of a CRD with the position of its migration. It is in metadata,
// so writing it does not make the API server rebuild the resource's storage.
const Annotation = "crosswalk.dev/migration"

// mostFailed bounds the names in the annotation: an object's key has up to 317 bytes, and all
// annotations of an object up to 256 KiB.
const mostFailed = 100

// position is how far a migration is. Every object whose key sorts up to After is stored in
// StorageVersion and has owners of fields in Versions only, or is deleted, or is listed in
// Failed. That stays true while the storage version and the served versions do not change,
// because everything that is written meanwhile is stored in that storage version and written in
// those versions. UID, Generation and Versions detect such a change.
type position struct {
	UID            types.UID `json:"uid"`
	Generation     int64     `json:"generation"`
	StorageVersion string    `json:"storageVersion"`
	// Versions are the versions that are served or stored.
	Versions []string `json:"versions"`
	// Continue is the server's token for the next page, or for the page with After. The first
	// page has none.
	Continue string `json:"continue,omitempty"`
	After    string `json:"after,omitempty"`
	// Listed reports that no page is left, only the objects in Failed.
	Listed bool     `json:"listed,omitempty"`
	Failed []string `json:"failed,omitempty"`
	counts
}

// counts are numbers of objects.
type counts struct {
	Rewritten int64 `json:"rewritten"` // stored again by us
	Already   int64 `json:"already"`   // stored in the storage version before
	Gone      int64 `json:"gone"`      // deleted meanwhile
	// Unplaced are those of them whose stashes have values without a place.
	Unplaced int64 `json:"unplaced,omitempty"`
}

func (c counts) done() int64 { return c.Rewritten + c.Already + c.Gone }

func (c *counts) add(got outcome) {
	if got.unplaced {
		c.Unplaced++
	}
	switch got.result {
	case rewritten:
		c.Rewritten++
	case already:
		c.Already++
	case deleted:
		c.Gone++
	}
}

func startOf(crd *apiextensionsv1.CustomResourceDefinition) position {
	return position{UID: crd.UID, Generation: crd.Generation, StorageVersion: storageVersion(crd), Versions: currentVersions(crd)}
}

// resume reads the position from a CRD. If there is no valid one, it returns the start, and why
// is the reason to show to the user.
func resume(crd *apiextensionsv1.CustomResourceDefinition) (p position, why string) {
	text, ok := crd.Annotations[Annotation]
	if !ok {
		return startOf(crd), ""
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return startOf(crd), fmt.Sprintf("starts from the beginning: the annotation %s cannot be read: %v", Annotation, err)
	}
	if err := p.follow(crd); err != nil {
		return startOf(crd), fmt.Sprintf("starts from the beginning: %v since the last run", err)
	}
	return p, ""
}

// follow checks that the position is still true for the current CRD.
//
// Every change of spec increments generation. Changing the storage version or the served
// versions and changing them back takes two changes. So one change after which both are the
// same is harmless, and two may not be.
func (p *position) follow(crd *apiextensionsv1.CustomResourceDefinition) error {
	now := storageVersion(crd)
	switch {
	case p.UID != crd.UID:
		return &unsureError{"the CRD was deleted and created again"}
	case p.StorageVersion != now:
		return &storageChangedError{from: p.StorageVersion, to: now}
	case !slices.Equal(p.Versions, currentVersions(crd)):
		return &unsureError{"the served versions changed"}
	case crd.Generation-p.Generation > 1:
		return &unsureError{fmt.Sprintf("the CRD's spec changed %d times", crd.Generation-p.Generation)}
	case crd.Generation < p.Generation:
		return &unsureError{"an earlier state of the CRD was restored"}
	}
	p.Generation = crd.Generation
	return nil
}

func (p *position) patch() (any, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return annotationPatch(p.UID, string(text)), nil
}

// annotationPatch sets the annotation, or removes it if value is nil. Because of the uid, it
// cannot change a CRD that was created again with the same name.
func annotationPatch(uid types.UID, value any) any {
	return map[string]any{"metadata": map[string]any{
		"uid":         uid,
		"annotations": map[string]any{Annotation: value},
	}}
}

// storageChangedError means that the objects were rewritten to a version that is no longer the
// storage version.
type storageChangedError struct{ from, to string }

func (e *storageChangedError) Error() string {
	return fmt.Sprintf("the storage version changed from %s to %s", e.from, e.to)
}

// unsureError means that objects may have been stored in another version meanwhile.
type unsureError struct{ what string }

func (e *unsureError) Error() string { return e.what }
