package cost

import (
	"encoding/json"
	"math"
	"time"

	"go.yaml.in/yaml/v3"
)

// Law is what a conversion may cost, relative to decoding the same bytes.
type Law struct {
	// Times is the largest ratio of the CPU time to that of decoding. Slack is what a conversion
	// may take in addition, however small the object is.
	Times float64
	Slack time.Duration
	// Trees is the largest ratio of the memory to that of the decoded tree. Room is the number of
	// bytes that a conversion may use in addition.
	Trees float64
	Room  uint64
	// Exponent is how fast the time may grow with the object: 1 is linear, 2 is the square.
	Exponent float64
	// Deaf is how long a conversion may work without checking whether its caller is gone.
	Deaf time.Duration
	// Decode is what conversions are compared with: it decodes an object to a tree, and encodes the
	// tree.
	Decode func(object []byte) (tree any, err error)
}

// Ordinary returns the law for most tables and objects: conversion/verify/doc.go, L8.
func Ordinary() Law {
	return Law{Times: 25, Slack: 5 * time.Millisecond, Trees: 3, Room: 8 << 20, Exponent: 1.1, Deaf: 100 * time.Millisecond, Decode: jsonCodec}
}

// Computed is the law for rows that compute: CEL, join and split.
func Computed() Law {
	law := Ordinary()
	law.Times = 40
	return law
}

// Tiny is a law for lists of elements under eight bytes, such as {} and "".
func Tiny(law Law) Law {
	law.Trees, law.Room = 0, 128<<20
	return law
}

// OneText is a law for a row that parses a string, which is never interrupted.
func OneText(law Law) Law {
	law.Deaf = math.MaxInt64
	return law
}

// YAMLText is the law for a row that parses a string as YAML. For encoding/json the object is one
// string, so the time is compared with that of decoding the YAML. text returns it for an object.
func YAMLText(law Law, text func(object []byte) []byte) Law {
	law = OneText(law)
	law.Decode = func(object []byte) (any, error) {
		var node yaml.Node
		// It takes time, too, to find that a text is not YAML.
		_ = yaml.Unmarshal(text(object), &node)
		tree, err := jsonCodec(object)
		return []any{tree, node}, err
	}
	return law
}

// jsonCodec decodes and encodes with encoding/json.
func jsonCodec(object []byte) (tree any, err error) {
	if err := json.Unmarshal(object, &tree); err != nil {
		return nil, err
	}
	_, err = json.Marshal(tree)
	return tree, err
}
