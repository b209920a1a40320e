package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/reference"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// TestWrongConverters proves that the laws can fail: converters that are wrong in one
// way each must be caught, and by the law that is meant for it.
func TestWrongConverters(t *testing.T) {
	for name, m := range map[string]struct {
		convert func(c *naive, v *tree.Value, to string) (*tree.Value, error)
		law     Law
	}{
		"changes only the version":     {func(_ *naive, v *tree.Value, _ string) (*tree.Value, error) { return v, nil }, RoundTrip},
		"keeps nothing":                {(*naive).rows, RoundTrip},
		"believes a stash in any case": {(*naive).wholeStash, LiveWins},
		"stashes everything":           {(*naive).wholeStash, Native},
		"refuses wrong types": {func(_ *naive, v *tree.Value, _ string) (*tree.Value, error) {
			if spec := v.Get("spec"); spec != nil && spec.Kind != tree.Object {
				return nil, errors.New("spec must be an object")
			}
			return v, nil
		}, Total},
		"panics at null": {func(_ *naive, v *tree.Value, _ string) (*tree.Value, error) {
			v.Walk(func(p tree.Path, v *tree.Value) {
				if len(p) == 2 && p[0].Name == "spec" && v.Kind == tree.Null {
					panic("null")
				}
			})
			return v, nil
		}, Total},
		"counts its calls": {func(c *naive, v *tree.Value, _ string) (*tree.Value, error) {
			v = v.Clone()
			v.Put(tree.Names("metadata", "annotations", "crosswalk.dev/calls"), tree.NewString(fmt.Sprint(c.calls.Add(1))))
			return v, nil
		}, Stable},
		"grows": {func(c *naive, v *tree.Value, _ string) (*tree.Value, error) {
			v = v.Clone()
			p := tree.Names("metadata", "annotations", "crosswalk.dev/trips")
			text := ""
			if at := v.At(p); at != nil {
				text = at.Text
			}
			v.Put(p, tree.NewString(text+"x"))
			return v, nil
		}, Stable},
		"decodes numbers as float64": {func(_ *naive, v *tree.Value, _ string) (*tree.Value, error) {
			var x any
			if err := json.Unmarshal(v.Append(nil), &x); err != nil {
				return v, nil
			}
			return tree.FromAny(x), nil
		}, RoundTrip},
		"takes absent for null":                       {func(_ *naive, v *tree.Value, _ string) (*tree.Value, error) { return withoutNulls(v), nil }, RoundTrip},
		"forgets the order of lists that became maps": {(*naive).withoutOrders, RoundTrip},
		"tells nobody the way": {func(c *naive, v *tree.Value, to string) (*tree.Value, error) {
			v = v.Clone()
			v.Put(tree.Names("metadata", "annotations", "crosswalk.dev/from"), tree.NewString(v.Get("apiVersion").Text))
			return v, nil
		}, Coherent},
	} {
		t.Run(name, func(t *testing.T) {
			compile := func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
				return &naive{crd: crd, table: table, convert: m.convert}, nil
			}
			for seed := range uint64(1500) {
				r := rand.New(rand.NewPCG(3, seed))
				crd, table := (&weave.Tables{Rand: r}).Generate()
				s, err := NewSubject(crd, table, compile)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range s.Cases(r, nil) {
					if c.Law == m.law && s.Check(c) != nil {
						return
					}
				}
			}
			t.Errorf("%s did not catch it", m.law)
		})
	}
}

// naive is a converter from mutable parts.
type naive struct {
	crd     *apiextensionsv1.CustomResourceDefinition
	table   *v1alpha1.Crosswalk
	convert func(c *naive, v *tree.Value, to string) (*tree.Value, error)
	calls   atomic.Int64
}

func (c *naive) Convert(dst, object []byte, to string) ([]byte, error) {
	v, err := tree.Parse(object)
	if err != nil {
		return nil, err
	}
	out, err := c.convert(c, v, to)
	if err != nil {
		return nil, err
	}
	out = out.Clone()
	out.Set("apiVersion", tree.NewString(c.crd.Spec.Group+"/"+to))
	return out.Append(dst), nil
}

func (c *naive) rows(v *tree.Value, to string) (*tree.Value, error) {
	_, from, _ := strings.Cut(v.Get("apiVersion").Text, "/")
	ref := reference.New(c.crd, expanded(c.table), places.Parse)
	if from != c.table.Spec.Hub && to != c.table.Spec.Hub {
		v, _, _ = ref.Convert(v, from, c.table.Spec.Hub)
		from = c.table.Spec.Hub
	}
	out, _, _ := ref.Convert(v, from, to)
	return out, nil
}

// wholeStash keeps the whole source, and takes it back whatever was edited.
func (c *naive) wholeStash(v *tree.Value, to string) (*tree.Value, error) {
	p := tree.Names("metadata", "annotations", "stash.crosswalk.dev/"+to)
	if at := v.At(p); at != nil {
		if stashed, err := tree.Parse([]byte(at.Text)); err == nil {
			return stashed, nil
		}
	}
	if !slices.ContainsFunc(v.Members, func(m tree.Member) bool { return m.Name == "metadata" }) {
		return c.rows(v, to)
	}
	out, _ := c.rows(v, to)
	_, from, _ := strings.Cut(v.Get("apiVersion").Text, "/")
	out = out.Clone()
	out.Put(tree.Names("metadata", "annotations", "stash.crosswalk.dev/"+from), tree.NewString(v.String()))
	return out, nil
}

// engine converts with the real engine.
func (c *naive) engine(v *tree.Value, to string) (*tree.Value, error) {
	real, err := Compile(c.crd, c.table)
	if err != nil {
		return nil, err
	}
	out, err := real.Convert(nil, v.Append(nil), to)
	if err != nil {
		return nil, err
	}
	return tree.Parse(out)
}

// withoutOrders loses the orders that the engine keeps.
func (c *naive) withoutOrders(v *tree.Value, to string) (*tree.Value, error) {
	out, err := c.engine(v, to)
	if err != nil {
		return nil, err
	}
	annotations := out.Get("metadata").Get("annotations")
	if annotations == nil {
		return out, nil
	}
	for _, m := range annotations.Members {
		stash, err := tree.Parse([]byte(m.Value.Text))
		if !ours(m.Name) || err != nil || stash.Get("entries") == nil {
			continue
		}
		entries := stash.Get("entries")
		entries.Items = slices.DeleteFunc(entries.Items, func(e *tree.Value) bool { return e.Get("order") != nil })
		m.Value.Text = stash.String()
	}
	return out, nil
}

func withoutNulls(v *tree.Value) *tree.Value {
	out := &tree.Value{Kind: v.Kind, Text: v.Text}
	for _, item := range v.Items {
		out.Items = append(out.Items, withoutNulls(item))
	}
	for _, m := range v.Members {
		if m.Value.Kind != tree.Null {
			out.Members = append(out.Members, tree.Member{Name: m.Name, Value: withoutNulls(m.Value)})
		}
	}
	return out
}
