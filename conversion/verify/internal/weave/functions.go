package weave

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Functions returns the functions that rows of generated tables may call: one that is its own
// inverse, one whose directions are unrelated, one that often fails, and one that fails in one
// direction.
func Functions() conversion.Functions {
	reverse := ofText(func(text string) (any, error) {
		runes := []rune(text)
		slices.Reverse(runes)
		return string(runes), nil
	})
	return conversion.Functions{
		"reverse": {ToHub: reverse, ToSpoke: reverse},
		"unlike": {
			ToHub:   ofText(func(text string) (any, error) { return text + text, nil }),
			ToSpoke: ofText(func(text string) (any, error) { return nil, nil }),
		},
		"fails": {
			ToHub: ofText(func(text string) (any, error) {
				switch {
				case len(text)%3 == 0:
					return nil, errors.New("its length is a multiple of three")
				case len(text)%3 == 1:
					return len(text), nil // it is not a text
				}
				return text, nil
			}),
			// An author's function may panic, and the object must convert all the same.
			ToSpoke: ofText(func(text string) (any, error) { panic(text) }),
		},
		"picky": {ToHub: picky(0), ToSpoke: ofText(same)},
	}
}

func same(text string) (any, error) { return text, nil }

// picky returns a function that copies texts, and fails for texts of some lengths.
func picky(of int) func(conversion.Values) (conversion.Values, error) {
	return ofText(func(text string) (any, error) {
		if len(text)%3 == of {
			return nil, errors.New("its length is one that is not taken")
		}
		return text, nil
	})
}

// laterFunctions returns Functions in a later revision.
func laterFunctions() conversion.Functions {
	return conversion.Functions{
		"reverse": {ToHub: ofText(same), ToSpoke: ofText(same), Revision: "v2"},
		"unlike":  {ToHub: ofText(func(text string) (any, error) { return text + "!", nil }), ToSpoke: ofText(same), Revision: "v2"},
		"fails":   {ToHub: picky(2), ToSpoke: ofText(same), Revision: "v2"},
		"picky":   {ToHub: picky(2), ToSpoke: ofText(same), Revision: "v2"},
	}
}

// ofText returns a function of a text, which is absent for an absent text.
func ofText(make func(text string) (any, error)) func(conversion.Values) (conversion.Values, error) {
	return func(v conversion.Values) (conversion.Values, error) {
		var text string
		if v[""] == nil {
			return nil, nil
		}
		if err := json.Unmarshal(v[""], &text); err != nil {
			return nil, err
		}
		made, err := make(text)
		if err != nil {
			return nil, err
		}
		out, err := json.Marshal(made)
		return conversion.Values{"": out}, err
	}
}

// laterRevision is an annotation of tables whose functions have their later revisions.
const laterRevision = "verify.crosswalk.dev/later-functions"

// Revise makes a table call later revisions of the functions, or the first ones again. The table's
// spec does not change.
func Revise(table *v1alpha1.Crosswalk) {
	if Revised(table) {
		delete(table.Annotations, laterRevision)
		return
	}
	if table.Annotations == nil {
		table.Annotations = map[string]string{}
	}
	table.Annotations[laterRevision] = ""
}

// Revised reports whether a table calls later revisions of the functions.
func Revised(table *v1alpha1.Crosswalk) bool {
	_, later := table.Annotations[laterRevision]
	return later
}

// FunctionsFor returns the functions that a table calls.
func FunctionsFor(table *v1alpha1.Crosswalk) conversion.Functions {
	if Revised(table) {
		return laterFunctions()
	}
	return Functions()
}
