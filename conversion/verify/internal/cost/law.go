package cost

import (
	"encoding/json"
	"math"
	"time"

	"go.yaml.in/yaml/v3"
)

// Law is what a conversion may cost, compared with what decoding takes for the same bytes.
type Law struct {
	// Times is how many times the CPU time of decoding a conversion may take, and Slack what it
	// may take beyond that, however small the object is.
	Times float64
	Slack time.Duration
	// Trees is how many times the decoded tree a conversion may hold in memory, and Room
	// the bytes that it may hold beyond that.
	Trees float64
	Room  uint64
	// Exponent is how fast the time may grow with the object: 1 is linear, 2 is the square.
	Exponent float64
	// Deaf is how long a conversion may work on without a look whether its caller has gone.
	Deaf time.Duration
	// Decode does what conversions are compared with: it decodes an object to a tree, and
	// encodes that.
	Decode func(object []byte) (tree any, err error)
}

// Ordinary returns the law for most tables and objects: conversion/verify/doc.go, L8.
func Ordinary() Law {
	return Law{Times: 25, Slack: 5 * time.Millisecond, Trees: 3, Room: 8 << 20, Exponent: 1.1, Deaf: 100 * time.Millisecond, Decode: jsonCodec}
}

// Computed returns the law for rows that compute: CEL, join and split.
func Computed() Law {
	law := Ordinary()
	law.Times = 40
	return law
}

// Tiny returns a law for lists of elements under eight bytes, such as {} and "".
func Tiny(law Law) Law {
	law.Trees, law.Room = 0, 128<<20
	return law
}

// OneText returns a law for a row that reads a string: that is never interrupted.
func OneText(law Law) Law {
	law.Deaf = math.MaxInt64
	return law
}

// YAMLText returns the law for a row that reads YAML out of a string: to encoding/json the object
// is one string, so the measure is what decoding the YAML takes. text finds it in an object.
func YAMLText(law Law, text func(object []byte) []byte) Law {
	law = OneText(law)
	law.Decode = func(object []byte) (any, error) {
		var node yaml.Node
		// To find out that a text is no YAML takes its time, too.
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
