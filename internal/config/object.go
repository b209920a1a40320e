package config

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Object reads the JSON of one Crosswalk, as an API server returns it, as strictly as a file: a
// CRD's schema cannot check rows within rows. The error is [Errors], without files and lines.
func Object(text []byte) (*v1alpha1.Crosswalk, error) {
	node, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: text}, manifest.JSON)
	if err != nil {
		return nil, err
	}
	if node == nil || node.Kind != manifest.Map {
		return nil, errors.New("a Crosswalk must be an object")
	}
	var failed Errors
	for _, problem := range checkCrosswalk(node) {
		failed = append(failed, &Error{Err: fmt.Errorf("crosswalk %s: %w", name(node), problem.err)})
	}
	if len(failed) > 0 {
		return nil, failed
	}
	crosswalk := new(v1alpha1.Crosswalk)
	if err := json.Unmarshal(text, crosswalk); err != nil {
		return nil, Errors{{Err: fmt.Errorf("crosswalk %s: %w", name(node), err)}}
	}
	return crosswalk, nil
}
