package command

import (
	"context"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/internal/admit"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// written reads the objects, and the object that is replaced, which is nil if there is none.
func (o *admitOptions) written(stdin io.Reader) (objects []admit.Object, old []byte, err error) {
	if objects, err = readObjects(o.files, stdin); err != nil {
		return nil, nil, err
	}
	if o.old != "" {
		all, err := readObjects([]string{o.old}, stdin)
		if err != nil {
			return nil, nil, err
		}
		if len(all) != 1 || len(objects) > 1 {
			return nil, nil, usagef("-f has %d objects and --old has %d: each must have one", len(objects), len(all))
		}
		old = all[0].JSON
		if len(objects) == 0 {
			objects = []admit.Object{{Source: all[0].Source}}
		}
	}
	if len(objects) == 0 {
		return nil, nil, usagef("no object found in %s", strings.Join(o.files, ", "))
	}
	return objects, old, nil
}

// runObjects evaluates objects, and reports whether one was denied. It names objects that
// cannot be evaluated on standard error. If that is all of them, nothing was tried.
func (o *admitOptions) runObjects(ctx context.Context, judge *admit.Judge, others []*unstructured.Unstructured, stdin io.Reader, stderr io.Writer) (output []byte, failed bool, err error) {
	objects, old, err := o.written(stdin)
	if err != nil {
		return nil, false, err
	}
	var results []*admit.Result
	var wrong config.Errors
	for _, object := range objects {
		w := o.write()
		w.Object, w.Old, w.Context = object.JSON, old, others
		result, err := judge.Review(ctx, w)
		if err != nil {
			at := object.Source
			wrong = append(wrong, &config.Error{File: at.File, Document: at.Document, Line: at.Line, Err: err})
			continue
		}
		failed = failed || !result.Allowed()
		results = append(results, result)
	}
	if len(results) == 0 {
		return nil, false, &usageError{wrong}
	}
	for _, err := range wrong {
		failed = true
		fmt.Fprintf(stderr, "crosswalk: %v\n", err)
	}
	if o.output == "json" {
		output, err = admit.ObjectsJSON(results)
		return output, failed, err
	}
	var texts []string
	for _, r := range results {
		texts = append(texts, r.Text())
	}
	for _, name := range judge.Unbound() {
		texts = append(texts, fmt.Sprintf("%s is never evaluated: it has no binding\n", name))
	}
	return []byte(strings.Join(texts, "\n")), failed, nil
}

// runCases runs cases, and reports whether one failed.
func (o *admitOptions) runCases(ctx context.Context, judge *admit.Judge, others []*unstructured.Unstructured) (output []byte, failed bool, err error) {
	var cases []*admit.Case
	err = eachFile(o.cases, nil, func(name string, text []byte) config.Errors {
		found, errs := admit.ReadCases(name, text)
		cases = append(cases, found...)
		return errs
	})
	if err != nil {
		return nil, false, err
	}
	if len(cases) == 0 {
		return nil, false, usagef("no case found in %s", strings.Join(o.cases, ", "))
	}
	outcomes := judge.Run(ctx, cases, others)
	switch o.output {
	case "json":
		output, err = admit.CasesJSON(outcomes)
	case "junit":
		output, err = admit.CasesJUnit(outcomes)
	default:
		output = []byte(admit.CasesText(outcomes))
	}
	return output, admit.Failed(outcomes) > 0, err
}

// parsed reads the other objects that exist.
func parsed(paths []string) ([]*unstructured.Unstructured, error) {
	objects, err := readObjects(paths, nil)
	if err != nil {
		return nil, err
	}
	var all []*unstructured.Unstructured
	for _, object := range objects {
		one, err := object.Parse()
		if err != nil {
			at := object.Source
			return nil, &usageError{&config.Error{File: at.File, Document: at.Document, Line: at.Line, Err: err}}
		}
		all = append(all, one)
	}
	return all, nil
}

func readObjects(paths []string, stdin io.Reader) ([]admit.Object, error) {
	var objects []admit.Object
	err := eachFile(paths, stdin, func(name string, text []byte) config.Errors {
		found, errs := admit.ReadObjects(name, text)
		objects = append(objects, found...)
		return errs
	})
	return objects, err
}

// eachFile reads files and the files of folders, and collects all errors. If stdin is nil, "-"
// is the name of a file.
func eachFile(paths []string, stdin io.Reader, do func(name string, text []byte) config.Errors) error {
	var wrong config.Errors
	for _, path := range paths {
		names := []string{path}
		if path != "-" || stdin == nil {
			found, err := manifest.Files(path)
			if err != nil {
				wrong = append(wrong, &config.Error{File: path, Err: err})
			}
			names = found
		}
		for _, name := range names {
			text, err := read(name, stdin)
			if name == "-" {
				name = stdinName
			}
			if err != nil {
				wrong = append(wrong, &config.Error{File: name, Err: err})
				continue
			}
			wrong = append(wrong, do(name, text)...)
		}
	}
	if len(wrong) > 0 {
		return &usageError{wrong}
	}
	return nil
}
