// Package path parses the subset of JSONPath that Kubernetes uses in CRDs: names of members after
// dots, or quoted in brackets.
package path

import (
	"fmt"
	"strings"
)

// Path is a list of member names from the root of an object.
type Path []string

// Parse parses a path such as .spec.a.b or .metadata.annotations['a.b/c']. In quotes, a backslash
// escapes a quote or a backslash.
func Parse(text string) (Path, error) {
	if text == "" {
		return nil, fmt.Errorf("the path is empty; a path looks like .spec.replicas")
	}
	if text == "." {
		return Path{}, nil // the object that the path is relative to
	}
	var p Path
	rest := text
	for rest != "" {
		var name string
		var err error
		switch {
		case strings.HasPrefix(rest, "['"):
			name, rest, err = quoted(text, rest)
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			name, rest = rest[1:end+1], rest[end+1:]
			switch {
			case name == "":
				err = fmt.Errorf("path %s: a name is missing after a dot", text)
			case strings.ContainsAny(name, "*?"):
				err = fmt.Errorf("path %s: wildcards are not supported; use each for the elements of a list, and quotes for a name with a * or ?", text)
			}
		case rest[0] == '[':
			err = fmt.Errorf("path %s: brackets are for a quoted name such as ['a.b']; use each for the elements of a list", text)
		default:
			meant := strings.TrimPrefix(text, "$") // as in JSONPath
			if !strings.HasPrefix(meant, ".") && !strings.HasPrefix(meant, "[") {
				meant = "." + meant
			}
			err = fmt.Errorf("path %s: a path starts with a dot: did you mean %s?", text, meant)
		}
		if err != nil {
			return nil, err
		}
		p = append(p, name)
	}
	return p, nil
}

func quoted(text, rest string) (name, after string, err error) {
	var b strings.Builder
	for i := 2; i < len(rest); i++ {
		switch c := rest[i]; c {
		case '\\':
			if i++; i == len(rest) {
				return "", "", fmt.Errorf("path %s: it ends with a backslash", text)
			}
			b.WriteByte(rest[i])
		case '\'':
			if i+1 == len(rest) || rest[i+1] != ']' {
				return "", "", fmt.Errorf("path %s: a quoted name must end with ']", text)
			}
			return b.String(), rest[i+2:], nil
		default:
			b.WriteByte(c)
		}
	}
	return "", "", fmt.Errorf("path %s: the quoted name has no end", text)
}

// String formats the path so that Parse returns it again.
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for _, name := range p {
		if name != "" && !strings.ContainsAny(name, ".[]'\\/ *?") {
			b.WriteByte('.')
			b.WriteString(name)
			continue
		}
		b.WriteString("['")
		b.WriteString(strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(name))
		b.WriteString("']")
	}
	return b.String()
}

// Child returns the path of a member; p is not changed.
func (p Path) Child(name string) Path {
	return append(p[:len(p):len(p)], name)
}

// Pointer formats the path as a JSON pointer (RFC 6901).
func (p Path) Pointer() string {
	var b strings.Builder
	for _, name := range p {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	return b.String()
}
