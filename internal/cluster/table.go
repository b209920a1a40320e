package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// Table is a Crosswalk, its CRD, and the compiled table.
type Table struct {
	// Crosswalk is the table. If Problem is about the table itself, Crosswalk has only metadata
	// and status.
	Crosswalk *v1alpha1.Crosswalk
	// CRD is nil if there is no CRD with that name.
	CRD *apiextensionsv1.CustomResourceDefinition
	// Converter is nil if there is a Problem.
	Converter *conversion.Converter
	// Problem explains why there is no Converter.
	Problem *Problem
}

// Problem is a reason for a condition, and a message with the cause and the remedy.
type Problem struct{ Reason, Message string }

func (p *Problem) Error() string { return p.Message }

// Reasons of a Problem.
const (
	ReasonNoCRD        = "NoCRD"
	ReasonNameConflict = "NameConflict"
	ReasonInvalidTable = "InvalidTable"
)

// Read reads a Crosswalk and its CRD and compiles them. It returns nil if there is no such
// Crosswalk, and an error only if the API server did not answer. If it did not return the CRD,
// there is an error, and a table with the Crosswalk only.
func (c Compiler) Read(ctx context.Context, reader client.Reader, name string) (*Table, error) {
	object := new(unstructured.Unstructured)
	object.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.KindCrosswalk))
	if err := reader.Get(ctx, client.ObjectKey{Name: name}, object); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	t := new(Table)
	crd := new(apiextensionsv1.CustomResourceDefinition)
	switch err := reader.Get(ctx, client.ObjectKey{Name: name}, crd); {
	case err == nil:
		t.CRD = crd
	case !apierrors.IsNotFound(err):
		t.Crosswalk = headOf(object)
		return t, err
	}
	text, err := object.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if t.Crosswalk, err = config.Object(text); err != nil {
		t.Crosswalk, t.Problem = headOf(object), invalid(name, err)
		return t, nil
	}
	t.Converter, t.Problem = c.compile(t)
	return t, nil
}

func (c Compiler) compile(t *Table) (*conversion.Converter, *Problem) {
	if t.CRD == nil {
		return nil, &Problem{ReasonNoCRD, fmt.Sprintf(
			"there is no CustomResourceDefinition %s: apply it, or rename the Crosswalk to the name of its CRD", t.Crosswalk.Name)}
	}
	for _, condition := range t.CRD.Status.Conditions {
		if condition.Type == apiextensionsv1.NamesAccepted && condition.Status == apiextensionsv1.ConditionFalse {
			return nil, &Problem{ReasonNameConflict, fmt.Sprintf(
				"the API server has not accepted the names of the CRD: %s; delete the CRD that has them, or choose others", condition.Message)}
		}
	}
	converter, err := conversion.Compile(t.CRD, t.Crosswalk, c.Options...)
	if err != nil {
		return nil, invalid(t.Crosswalk.Name, err)
	}
	return converter, nil
}

// Versions returns the names of the CRD's versions that are converted, in its order.
func (t *Table) Versions() []string {
	var names []string
	if t.Converter != nil {
		return t.Converter.Versions()
	}
	if t.CRD != nil {
		for _, v := range t.CRD.Spec.Versions {
			names = append(names, v.Name)
		}
	}
	return names
}

// Current returns the table's converter with its own fingerprint.
func (t *Table) Current() Converter { return Converter{t.Converter, t.Converter.Fingerprint()} }

// Identical reports whether all versions have the same schema, so that converting an object
// changes only its apiVersion.
func (t *Table) Identical() bool {
	if t.Converter == nil || slices.ContainsFunc(t.Crosswalk.Spec.Versions, func(v v1alpha1.VersionTable) bool { return len(v.Rows) > 0 }) {
		return false
	}
	versions := bare(t.CRD).Spec.Versions
	for _, v := range versions {
		if !equality.Semantic.DeepEqual(v.Schema, versions[0].Schema) {
			return false
		}
	}
	return true
}

// invalid returns the problem of a table that cannot be read or compiled, with a line for each
// error.
func invalid(name string, err error) *Problem {
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "crosswalk "+name+": ")
	}
	return &Problem{ReasonInvalidTable, strings.Join(slices.Compact(lines), "\n")}
}

// headOf returns a Crosswalk whose spec could not be read.
func headOf(object *unstructured.Unstructured) *v1alpha1.Crosswalk {
	head := new(v1alpha1.Crosswalk)
	head.Name, head.UID = object.GetName(), object.GetUID()
	head.Generation, head.ResourceVersion = object.GetGeneration(), object.GetResourceVersion()
	head.Finalizers, head.DeletionTimestamp = object.GetFinalizers(), object.GetDeletionTimestamp()
	if status, ok := object.Object["status"].(map[string]any); ok {
		// manage can read the status that it has written. Any other status is ignored.
		_ = runtime.DefaultUnstructuredConverter.FromUnstructured(status, &head.Status)
	}
	return head
}

// IsProblem reports whether err is about the table, as opposed to an API server that did not
// answer.
func IsProblem(err error) bool {
	var problem *Problem
	return errors.As(err, &problem)
}
