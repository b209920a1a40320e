package webhook

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/schema"
)

// owners check what stashes hold by the schemas of the versions that own it: the
// API server checks an object in the version of the request only, and a stash is
// text to it.
type owners struct {
	mu      sync.Mutex
	schemas map[*apiextensionsv1.JSONSchemaProps]*schema.Schema // as long as a stash needs them
}

// check names the places of other versions that the stashes of object fill with
// what those versions' schemas forbid. What is wrong with old already is nobody's
// to mend.
func (o *owners) check(ctx context.Context, g Guardian, object, old []byte) ([]validation.Cause, error) {
	places := map[string][]conversion.Stashed{}
	for _, s := range conversion.StashedIn(object) {
		places[s.Owner] = append(places[s.Owner], s)
	}
	var causes []validation.Cause
	for _, owner := range slices.Sorted(maps.Keys(places)) {
		props := g.Schema(owner)
		if props == nil {
			continue // it shows nothing to anybody
		}
		s, err := o.schema(props)
		if err != nil {
			return nil, fmt.Errorf("the schema of %s: %w", owner, err)
		}
		errs, err := wrong(ctx, s, g, owner, object, old)
		if err != nil {
			return nil, err
		}
		for _, e := range errs {
			if within(e.Field, places[owner]) {
				causes = append(causes, validation.Cause{
					Field: e.Field, Message: fmt.Sprintf("in %s, where a stash among the annotations fills it: %s; remove the stash, or write the object in %s", owner, e.Detail, owner),
				})
			}
		}
	}
	return causes, nil
}

// wrong is what the schema of owner has against the object but not against old.
func wrong(ctx context.Context, s *schema.Schema, g Guardian, owner string, object, old []byte) (field.ErrorList, error) {
	now, failed := g.ConvertNoting(ctx, nil, object, owner, nil)
	if failed != nil {
		return nil, ctx.Err() // it shows nothing to anybody
	}
	var before []byte
	known := map[string]bool{}
	if old != nil {
		// One that cannot be converted excuses nothing.
		if before, failed = g.ConvertNoting(ctx, nil, old, owner, nil); failed != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if before != nil {
		errs, err := s.Check(ctx, before, nil)
		if err != nil {
			return nil, err
		}
		for _, e := range errs {
			known[e.Error()] = true
		}
	}
	errs, err := s.Check(ctx, now, before)
	return slices.DeleteFunc(errs, func(e *field.Error) bool { return known[e.Error()] }), err
}

// schema compiles a schema once. A table that is replaced leaves its own behind, so
// they are forgotten when there are many.
func (o *owners) schema(props *apiextensionsv1.JSONSchemaProps) (*schema.Schema, error) {
	const many = 100
	o.mu.Lock()
	defer o.mu.Unlock()
	if s := o.schemas[props]; s != nil {
		return s, nil
	}
	s, err := schema.New(props)
	if err != nil {
		return nil, err
	}
	if o.schemas == nil || len(o.schemas) >= many {
		o.schemas = map[*apiextensionsv1.JSONSchemaProps]*schema.Schema{}
	}
	o.schemas[props] = s
	return s, nil
}

// within reports whether a field is, or is in, or is around a place of a stash,
// whatever elements of lists it goes through.
func within(path string, places []conversion.Stashed) bool {
	var names []string
	for part := range strings.SplitSeq(path, ".") {
		name, _, _ := strings.Cut(part, "[")
		names = append(names, name)
	}
	return slices.ContainsFunc(places, func(s conversion.Stashed) bool {
		n := min(len(names), len(s.Names))
		return slices.Equal(names[:n], s.Names[:n])
	})
}
