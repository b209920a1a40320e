// Package manifest reads and writes Kubernetes manifests: YAML or JSON, with many documents in
// a file.
//
// The usual way from YAML to JSON passes through float64 and Go maps. It changes 1.50 and
// 9007199254740993, and loses the order of keys and the lines for messages. Here a number keeps
// its text, a map keeps its order, and an unchanged document keeps its bytes.
//
// Plain scalars mean what they mean to kubectl (YAML 1.1: yes is true, 0777 is octal). A test
// compares every rule with sigs.k8s.io/yaml.
package manifest
