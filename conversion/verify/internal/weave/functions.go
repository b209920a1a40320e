package weave

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Functions are what rows of generated tables may call: one that is its own inverse,
// one whose directions have nothing to do with each other, and one that often fails.
func Functions() conversion.Functions {
	of := func(make func(text string) (any, error)) func(conversion.Values) (conversion.Values, error) {
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
	reverse := of(func(text string) (any, error) {
		runes := []rune(text)
		slices.Reverse(runes)
		return string(runes), nil
	})
	return conversion.Functions{
		"reverse": {ToHub: reverse, ToSpoke: reverse},
		"unlike": {
			ToHub:   of(func(text string) (any, error) { return text + text, nil }),
			ToSpoke: of(func(text string) (any, error) { return nil, nil }),
		},
		"fails": {
			ToHub: of(func(text string) (any, error) {
				switch {
				case len(text)%3 == 0:
					return nil, errors.New("its length is a multiple of three")
				case len(text)%3 == 1:
					return len(text), nil // which is no text
				}
				return text, nil
			}),
			ToSpoke: of(func(text string) (any, error) { panic(text) }),
		},
	}
}
