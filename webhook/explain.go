package webhook

import (
	"encoding/json"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// explain is the message for an object whose converter could not say itself
// what is wrong: it names the object as the converter would have.
func explain(object []byte, from, to, reason string) string {
	o := identify(object)
	err := conversion.Error{
		Kind: o.Kind, Namespace: o.Metadata.Namespace, Name: o.Metadata.Name,
		From: from, To: to, Offset: -1, Reason: reason,
	}
	return err.Error()
}

// identity is what names an object.
type identity struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
}

func identify(object []byte) (o identity) {
	_ = json.Unmarshal(object, &o) // what is not a string stays empty
	return o
}
