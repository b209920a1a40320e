package stage

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Ready returns an error unless a Crosswalk or a policy, as the API server has sent it, is ready
// as it is now.
func Ready(object []byte) error {
	var o struct {
		Kind     string
		Metadata metav1.ObjectMeta
		Status   struct{ Conditions []metav1.Condition }
	}
	if err := json.Unmarshal(object, &o); err != nil {
		return err
	}
	ready := meta.FindStatusCondition(o.Status.Conditions, v1alpha1.ConditionReady)
	if ready == nil || ready.Status != metav1.ConditionTrue || ready.ObservedGeneration != o.Metadata.Generation {
		return fmt.Errorf("%s %s, generation %d, is not ready: %+v", o.Kind, o.Metadata.Name, o.Metadata.Generation, o.Status.Conditions)
	}
	return nil
}
