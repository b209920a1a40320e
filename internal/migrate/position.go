package migrate

import (
	"encoding/json"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Annotation is where a CRD keeps how far its migration is. Metadata is not spec:
// the API server goes on serving the resource with the storage that it has.
const Annotation = "crosswalk.dev/migration"

// mostFailed bounds the names in the annotation: an object's key has up to 317
// bytes, and all annotations of an object up to 256 KiB.
const mostFailed = 100

// position says how far a migration is. Every object whose key sorts up to After
// is stored in StorageVersion and has owners of fields in Versions only, or is gone, or
// is named in Failed. That stays true as long as nothing else was the storage version
// and no other versions were served since, because whatever was written since was
// stored in it and came through them: hence UID, Generation and Versions.
type position struct {
	UID            types.UID `json:"uid"`
	Generation     int64     `json:"generation"`
	StorageVersion string    `json:"storageVersion"`
	// Versions are those that are served or stored.
	Versions []string `json:"versions"`
	// Continue is the server's token for the page that comes next or that After is
	// in. There is none for the first.
	Continue string `json:"continue,omitempty"`
	After    string `json:"after,omitempty"`
	// Listed says that no page is left: only the objects in Failed are.
	Listed bool     `json:"listed,omitempty"`
	Failed []string `json:"failed,omitempty"`
	counts
}

// counts are objects.
type counts struct {
	Rewritten int64 `json:"rewritten"` // stored anew by us
	Already   int64 `json:"already"`   // stored in the storage version before
	Gone      int64 `json:"gone"`      // deleted meanwhile
}

func (c counts) done() int64 { return c.Rewritten + c.Already + c.Gone }

func (c *counts) add(r result) {
	switch r {
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

// resume reads the position that a CRD keeps. Where there is none that counts, it
// is the start, and why is what the user should know about it.
func resume(crd *apiextensionsv1.CustomResourceDefinition) (p position, why string) {
	text, ok := crd.Annotations[Annotation]
	if !ok {
		return startOf(crd), ""
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return startOf(crd), fmt.Sprintf("starts at the beginning: the annotation %s cannot be read: %v", Annotation, err)
	}
	if err := p.follow(crd); err != nil {
		return startOf(crd), fmt.Sprintf("starts at the beginning: %v since the last run", err)
	}
	return p, ""
}

// follow checks that the CRD as it is now leaves true what the position says.
//
// Every change of spec counts generation up by one. To have another storage
// version, or other served versions, in between takes two changes, so one change that
// leaves them as they were is harmless, and two may not be.
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

// annotationPatch sets the annotation, or removes it if value is nil. With the uid
// it cannot reach a CRD that was created anew under the name.
func annotationPatch(uid types.UID, value any) any {
	return map[string]any{"metadata": map[string]any{
		"uid":         uid,
		"annotations": map[string]any{Annotation: value},
	}}
}

// storageChangedError says that what was rewritten is not what is wanted now.
type storageChangedError struct{ from, to string }

func (e *storageChangedError) Error() string {
	return fmt.Sprintf("the storage version changed from %s to %s", e.from, e.to)
}

// unsureError says that objects may have been written in another version meanwhile.
type unsureError struct{ what string }

func (e *unsureError) Error() string { return e.what }
