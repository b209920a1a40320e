package conversion

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/engine"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// PureSteps converts an object to a version by the plans alone. For each step it checks that the
// same bytes give the same result, and that an exact one converts back to the object. It returns
// how many steps there were and how many of them were exact.
func (c *Converter) PureSteps(object []byte, to string) (steps, exact int, err error) {
	from, err := c.source(object, to, c.maxSize)
	if err != nil || from == to {
		return 0, 0, nil
	}
	for _, next := range []string{c.hub, to} {
		if from == next {
			continue
		}
		var made, again way.Made
		if err := engine.Pure(&made, object, c.job(context.Background(), from, next), true); err != nil {
			return steps, exact, nil // Convert fails alike
		}
		err := engine.Pure(&again, object, c.job(context.Background(), from, next), true)
		if err != nil || !bytes.Equal(made.Text, again.Text) || made.Exact != again.Exact || !slices.Equal(made.Elements, again.Elements) {
			return steps, exact, fmt.Errorf("%s to %s: %s gives %s (exact: %t) and then %s (exact: %t), %v", from, next, object, made.Text, made.Exact, again.Text, again.Exact, err)
		}
		if steps++; made.Exact {
			exact++
			if err := c.comesBack(object, made.Text, from, next); err != nil {
				return steps, exact, err
			}
		}
		object, from = made.Text, next
	}
	return steps, exact, nil
}

// comesBack checks that what was made of an object converts back to it, also if the defaults of the
// other version are filled in.
func (c *Converter) comesBack(object, made []byte, from, to string) error {
	job := c.job(context.Background(), to, from)
	of := job.Plan.Root.Nodes
	views := [][]byte{made}
	// The API server fills in the defaults of an object before it asks for a conversion.
	if source := of[job.From.Other()][0].Schema; bytes.Equal(schema.Complete(nil, object, source), schema.Canonical(nil, object, source)) {
		views = append(views, schema.Complete(nil, made, of[job.From][0].Schema))
	}
	for _, view := range views {
		var back way.Made
		if err := engine.Pure(&back, view, job, false); err != nil {
			return fmt.Errorf("%s to %s: %s: %w", to, from, view, err)
		}
		canonical := func(text []byte) []byte {
			stripped, err := Strip(nil, text)
			if err != nil {
				return text
			}
			return withoutEmptyMetadata(schema.Writer{}.WithoutDropped(nil, stripped, of[job.From.Other()][0].Schema))
		}
		if was, is := canonical(object), canonical(back.Text); !bytes.Equal(was, is) {
			return fmt.Errorf("%s to %s is reported as exact:\n%s\n%s\n%s\nwas %s\nis  %s", from, to, object, view, back.Text, was, is)
		}
	}
	return nil
}

// withoutEmptyMetadata returns an object without metadata, labels and annotations that are empty,
// which the API server writes as absent.
func withoutEmptyMetadata(text []byte) []byte {
	var root, metadata map[string]json.RawMessage
	if json.Unmarshal(text, &root) != nil || json.Unmarshal(root["metadata"], &metadata) != nil {
		return text
	}
	for _, name := range []string{"labels", "annotations"} {
		if string(metadata[name]) == "{}" {
			delete(metadata, name)
		}
	}
	var err error
	if delete(root, "metadata"); len(metadata) > 0 {
		if root["metadata"], err = json.Marshal(metadata); err != nil {
			panic(err)
		}
	}
	if text, err = json.Marshal(root); err != nil {
		panic(err)
	}
	return text
}
