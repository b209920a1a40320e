package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apitesting "k8s.io/kubernetes/pkg/api/testing"
	"sigs.k8s.io/randfill"
)

// oracleCase is one object and what Kubernetes makes of it.
type oracleCase struct {
	From      string          `json:"from"`
	To        string          `json:"to"`
	Object    json.RawMessage `json:"object"`
	Converted json.RawMessage `json:"converted"`
	// Back is Converted, converted back. Without it that is Object.
	Back json.RawMessage `json:"back,omitempty"`
}

// writeCases writes cases, from either version in turn.
func writeCases(out io.Writer, k kind, count int, seed int64) error {
	funcs := fuzzer.MergeFuzzerFuncs(apitesting.FuzzerFuncs, ownFuncs)
	fill := fuzzer.FuzzerFor(funcs, rand.NewSource(seed), legacyscheme.Codecs).NumElements(0, k.elements)
	encode := json.NewEncoder(out)
	encode.SetEscapeHTML(false)
	for i := range count {
		c := oracleCase{From: k.old, To: k.new}
		if i%2 == 1 {
			c.From, c.To = c.To, c.From
		}
		if err := k.fill(&c, fill, i/2); err != nil {
			return fmt.Errorf("case %d of %s: %w", i, k.plural, err)
		}
		if err := encode.Encode(c); err != nil {
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
	filled, err := legacyscheme.Scheme.New(k.WithVersion(c.From))
	if err != nil {
		return err
	}
	if i%2 == 0 {
		internal, err := legacyscheme.Scheme.New(k.WithVersion(runtime.APIVersionInternal))
		if err != nil {
			return err
		}
		fill.Fill(internal)
		if filled, err = k.to(c.From, internal); err != nil {
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
	data, err := k.encode(c.From, filled)
	if err != nil {
		return err
	}
	object, err := k.decode(c.From, data)
	if err != nil {
		return err
	}
	if c.Object, err = k.encode(c.From, object); err != nil {
		return err
	}
	if c.Converted, err = k.convert(c.To, object); err != nil {
		return err
	}
	if object, err = k.decode(c.To, c.Converted); err != nil {
		return err
	}
	back, err := k.convert(c.From, object)
	if err != nil {
		return err
	}
	if !bytes.Equal(back, c.Object) {
		c.Back = back
	}
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

func (k kind) encode(version string, object runtime.Object) ([]byte, error) {
	object.GetObjectKind().SetGroupVersionKind(k.WithVersion(version))
	return json.Marshal(object)
}

func (k kind) decode(version string, data []byte) (runtime.Object, error) {
	object, err := legacyscheme.Scheme.New(k.WithVersion(version))
	if err != nil {
		return nil, err
	}
	return object, json.Unmarshal(data, object)
}
