// Package utilconversion replaces sigs.k8s.io/cluster-api/util/conversion in the tests
// of these pages. It has the two functions that most conversions in Go use.
package utilconversion

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// DataAnnotation holds the whole hub.
const DataAnnotation = "cluster.x-k8s.io/conversion-data"

// MarshalData stores all of src but its metadata in an annotation of dst.
func MarshalData(src, dst metav1.Object) error {
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(src)
	if err != nil {
		return err
	}
	delete(u, "metadata")
	data, err := json.Marshal(u)
	if err != nil {
		return err
	}
	annotations := dst.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[DataAnnotation] = string(data)
	dst.SetAnnotations(annotations)
	return nil
}

// UnmarshalData fills to from the annotation, which it removes. It reports false
// where there is none.
func UnmarshalData(from metav1.Object, to any) (bool, error) {
	annotations := from.GetAnnotations()
	data, ok := annotations[DataAnnotation]
	if !ok {
		return false, nil
	}
	if err := json.Unmarshal([]byte(data), to); err != nil {
		return false, err
	}
	delete(annotations, DataAnnotation)
	from.SetAnnotations(annotations)
	return true, nil
}
