// Package manifest reads and writes Kubernetes manifests: YAML or JSON, many
// documents a file.
//
// It exists because the usual way from YAML to JSON passes through float64 and
// Go maps, which changes 1.50 and 9007199254740993 and forgets the order of
// keys and the lines that messages should name. Here a number keeps its text,
// a map keeps its order, and a document that nobody changes keeps its bytes.
//
// Plain scalars mean what they mean to kubectl (YAML 1.1: yes is true, 0777 is
// octal); a test compares every rule with sigs.k8s.io/yaml.
package manifest
