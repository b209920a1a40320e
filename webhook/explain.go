package webhook

import (
	"encoding/json"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// explain makes the message for an object whose converter panicked. It names the object as the
// converter would have.
func explain(object []byte, from, to, reason string) string {
	o := identify(object)
	err := conversion.Error{
		Kind: o.Kind, Namespace: o.Metadata.Namespace, Name: o.Metadata.Name,
		From: from, To: to, Offset: -1, Reason: reason,
	}
	return err.Error()
}

// identity holds the fields that name an object.
type identity struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
}

func identify(object []byte) (o identity) {
	_ = json.Unmarshal(object, &o) // fields that are not strings stay empty
	return o
}
