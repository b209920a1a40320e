package aggregated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"

	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
)

// question is a Conversion as the server works with it, the group's internal version.
// For the library it has no metadata: of what has some, the library finds out who manages
// which field, which for an object of 2 MiB takes half a gigabyte, and here is for nobody.
type question struct {
	metav1.TypeMeta
	asked conversionv1alpha1.Conversion
}

// DeepCopyObject makes it a [runtime.Object].
func (q *question) DeepCopyObject() runtime.Object {
	return &question{TypeMeta: q.TypeMeta, asked: *q.asked.DeepCopy()}
}

// addConversions makes a scheme convert questions from and to the version that clients
// have.
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
