package aggregated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
)

// question is the group's internal version of a Conversion. It has no metadata: for objects
// with metadata the library computes managed fields, which takes half a gigabyte for an object
// of 2 MiB, and nobody needs them here.
type question struct {
	metav1.TypeMeta
	asked conversionv1alpha1.Conversion
}

// DeepCopyObject makes it a [runtime.Object].
func (q *question) DeepCopyObject() runtime.Object {
	return &question{TypeMeta: q.TypeMeta, asked: *q.asked.DeepCopy()}
}

// addConversions registers the conversions between question and the version of clients.
func addConversions(scheme *runtime.Scheme) error {
	in := func(a, b any, _ conversion.Scope) error {
		b.(*question).asked = *a.(*conversionv1alpha1.Conversion)
		return nil
	}
	out := func(a, b any, _ conversion.Scope) error {
		*b.(*conversionv1alpha1.Conversion) = a.(*question).asked
		return nil
	}
	if err := scheme.AddConversionFunc((*conversionv1alpha1.Conversion)(nil), (*question)(nil), in); err != nil {
		return err
	}
	return scheme.AddConversionFunc((*question)(nil), (*conversionv1alpha1.Conversion)(nil), out)
}
