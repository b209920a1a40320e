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

// owners checks the values in stashes against the schemas of the versions that own them. The
// API server checks an object only in the version of the request, in which a stash is just
// text.
type owners struct {
	mu      sync.Mutex
	schemas map[*apiextensionsv1.JSONSchemaProps]*schema.Schema // while a stash needs them
}

// check returns the places of other versions that the stashes of object fill with values that
// those versions' schemas forbid. It ignores what is already wrong in old.
func (o *owners) check(ctx context.Context, g Guardian, object, old []byte) ([]validation.Cause, error) {
	places := map[string][]conversion.Stashed{}
	for _, s := range conversion.StashedIn(object) {
		places[s.Owner] = append(places[s.Owner], s)
	}
	var causes []validation.Cause
	for _, owner := range slices.Sorted(maps.Keys(places)) {
		props := g.Schema(owner)
		if props == nil {
			continue // nobody sees the object in that version
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

// wrong returns the errors that object has in the schema of owner and old has not.
func wrong(ctx context.Context, s *schema.Schema, g Guardian, owner string, object, old []byte) (field.ErrorList, error) {
	now, failed := g.ConvertNoting(ctx, nil, object, owner, nil)
	if failed != nil {
		return nil, ctx.Err() // nobody sees the object in that version
	}
	var before []byte
	known := map[string]bool{}
	if old != nil {
		// An old object that cannot be converted excuses nothing.
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

// schema compiles a schema once. The schemas of replaced tables remain, so all are dropped when
// there are many.
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

// within reports whether a field is a place of a stash, is inside it, or contains it, whatever
// elements of lists the path has.
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
