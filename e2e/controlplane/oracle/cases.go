package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"strings"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apitesting "k8s.io/kubernetes/pkg/api/testing"
	"sigs.k8s.io/randfill"
)

// oracleCase is one object and what Kubernetes makes of it.
type oracleCase struct {
	from, to  string
	object    []byte
	converted []byte
	back      []byte // converted, converted back; nil where that is object
}

// writeCases writes cases, from either version in turn: a line with both versions,
// the object, what it converts to, and what that converts back to, empty where it is
// the object.
func writeCases(out io.Writer, k kind, count int, seed int64) error {
	funcs := fuzzer.MergeFuzzerFuncs(apitesting.FuzzerFuncs, ownFuncs)
	fill := fuzzer.FuzzerFor(funcs, rand.NewSource(seed), legacyscheme.Codecs).NumElements(0, k.elements)
	for i := range count {
		c := oracleCase{from: k.old, to: k.new}
		if i%2 == 1 {
			c.from, c.to = c.to, c.from
		}
		if err := k.fill(&c, fill, i/2); err != nil {
			return fmt.Errorf("case %d of %s: %w", i, k.plural, err)
		}
		if _, err := fmt.Fprintf(out, "%s %s\n%s\n%s\n%s\n", c.from, c.to, c.object, c.converted, c.back); err != nil {
			return err
		}
	}
	return nil
}

// fill makes the i-th object of a version and converts it. The fuzzers are written
// for the internal types: an object that comes from there is like one that the API
// server has in memory, and reaches what hand-written converters know. One that is
// filled in its own version reaches what no internal object becomes; every other
// of these has the version's defaults, as what is written to the API server has.
func (k kind) fill(c *oracleCase, fill *randfill.Filler, i int) error {
	filled, err := legacyscheme.Scheme.New(k.WithVersion(c.from))
	if err != nil {
		return err
	}
	if i%2 == 0 {
		internal, err := legacyscheme.Scheme.New(k.WithVersion(runtime.APIVersionInternal))
		if err != nil {
			return err
		}
		fill.Fill(internal)
		if filled, err = k.to(c.from, internal); err != nil {
			return err
		}
		if err := k.forget(filled); err != nil {
			return err
		}
	} else {
		fill.Fill(filled)
		if i%4 == 1 {
			legacyscheme.Scheme.Default(filled)
		}
	}
	// Types hold more than their JSON, such as the nanoseconds of a time: what
	// they read again is what the object is.
	data, err := k.encode(c.from, filled)
	if err != nil {
		return err
	}
	object, err := k.decode(c.from, data)
	if err != nil {
		return err
	}
	if c.object, err = k.encode(c.from, object); err != nil {
		return err
	}
	if c.converted, err = k.convert(c.to, object); err != nil {
		return err
	}
	if object, err = k.decode(c.to, c.converted); err != nil {
		return err
	}
	back, err := k.convert(c.from, object)
	if err != nil {
		return err
	}
	if !bytes.Equal(back, c.object) {
		c.back = back
	}
	return nil
}

// forget takes away what the converter keeps in annotations: no user writes them.
func (k kind) forget(object runtime.Object) error {
	m, err := meta.Accessor(object)
	if err != nil || k.keeps == "" {
		return err
	}
	annotations := maps.Clone(m.GetAnnotations())
	maps.DeleteFunc(annotations, func(name, _ string) bool { return strings.HasPrefix(name, k.keeps) })
	m.SetAnnotations(annotations)
	return nil
}

// convert converts an object as the API server does, by the internal version, but
// sets no defaults: those are the schema's affair, and neither converter's.
func (k kind) convert(version string, object runtime.Object) ([]byte, error) {
	internal, err := k.to(runtime.APIVersionInternal, object)
	if err != nil {
		return nil, err
	}
	converted, err := k.to(version, internal)
	if err != nil {
		return nil, err
	}
	return k.encode(version, converted)
}

func (k kind) to(version string, object runtime.Object) (runtime.Object, error) {
	return legacyscheme.Scheme.ConvertToVersion(object, schema.GroupVersion{Group: k.Group, Version: version})
}

// encode writes apiVersion and kind in the order in which Crosswalk does, so that
// most of what is equal is equal to the byte.
func (k kind) encode(version string, object runtime.Object) ([]byte, error) {
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,%s`, schema.GroupVersion{Group: k.Group, Version: version}, k.Kind, data[1:]), nil
}

func (k kind) decode(version string, data []byte) (runtime.Object, error) {
	object, err := legacyscheme.Scheme.New(k.WithVersion(version))
	if err != nil {
		return nil, err
	}
	return object, json.Unmarshal(data, object)
}
