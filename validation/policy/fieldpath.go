package policy

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// fieldPath is a place in an object: member after member.
type fieldPath []string

// parseFieldPath parses the form of fieldPath in a CRD's x-kubernetes-validations: .spec.host,
// ['spec'].host, .metadata.labels['a.b/c'].
func parseFieldPath(text string) (fieldPath, error) {
	var path fieldPath
	for rest := text; rest != ""; {
		var name string
		switch {
		case strings.HasPrefix(rest, "['"):
			end := strings.Index(rest, "']")
			if end < 0 {
				return nil, fmt.Errorf("%s is not closed", rest)
			}
			name, rest = rest[len("['"):end], rest[end+len("']"):]
		case strings.HasPrefix(rest, "["):
			return nil, fmt.Errorf("%s: write names as ['name']; one element of a list cannot be named", rest)
		case rest[0] == '.':
			rest = rest[1:]
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			name, rest = rest[:end], rest[end:]
		default:
			return nil, fmt.Errorf("write it with a dot before each name, as in .spec.host")
		}
		if name == "" {
			return nil, fmt.Errorf("it has an empty name")
		}
		path = append(path, name)
	}
	if len(path) == 0 {
		return nil, fmt.Errorf("it is empty")
	}
	return path, nil
}

// String returns the path in the form of field errors: spec.host, metadata.labels[a.b/c].
func (p fieldPath) String() string {
	if len(p) == 0 {
		return ""
	}
	path := field.NewPath(p[0])
	for _, name := range p[1:] {
		if strings.ContainsAny(name, "./") {
			path = path.Key(name)
		} else {
			path = path.Child(name)
		}
	}
	return path.String()
}

// in returns the value at the path.
func (p fieldPath) in(value ref.Val) (ref.Val, bool) {
	for _, name := range p {
		mapper, ok := value.(traits.Mapper)
		if !ok {
			return nil, false
		}
		if value, ok = mapper.Find(types.String(name)); !ok {
			return nil, false
		}
	}
	return value, true
}
