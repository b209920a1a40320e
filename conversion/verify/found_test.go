package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// compileWithFunctions is Compile for tables whose rows call functions.
func compileWithFunctions(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
	return CompileWith(conversion.WithFunctions(weave.FunctionsFor(table)))(crd, table)
}

// trial is a case and the table that it is for.
type trial struct {
	Case
	s *Subject
}

// found are the counterexamples that were kept, by their names.
func found(t *testing.T) map[string]trial {
	files, err := filepath.Glob("testdata/found/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	all := map[string]trial{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, c, err := Load(data, compileWithFunctions)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		all[strings.TrimSuffix(filepath.Base(file), ".yaml")] = trial{c, s}
	}
	return all
}

// TestFound repeats what once was a counterexample, or shows what a law is about.
func TestFound(t *testing.T) {
	for name, c := range found(t) {
		t.Run(name, func(t *testing.T) {
			if found := c.s.Check(c.Case); found != nil {
				t.Error(found)
			}
		})
	}
}

// forgetful converts without what was kept.
type forgetful struct{ Converter }

func (f forgetful) Convert(dst, object []byte, to string) ([]byte, error) {
	stripped, err := conversion.Strip(nil, object)
	if err != nil {
		return dst, err
	}
	return f.Converter.Convert(dst, stripped, to)
}

// TestFoundTellsApart: after each of these changes of a table something is kept that
// nothing else would bring back.
func TestFoundTellsApart(t *testing.T) {
	for name, c := range found(t) {
		if c.Law != Evolved || strings.HasPrefix(name, "forgotten-") {
			continue // or what was kept must not come back, or a default gives it back in any case
		}
		c.s.converter = forgetful{c.s.converter}
		if c.s.Check(c.Case) == nil {
			t.Errorf("%s: nobody would notice if everything that was kept were lost", name)
		}
	}
}
