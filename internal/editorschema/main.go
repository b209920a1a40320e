// Command editorschema writes the JSON Schema with which editors check a Crosswalk while it is
// typed. The CRD's schema is not enough: a structural schema has neither recursion nor
// alternatives, so it leaves places, values and nested rows open.
//
//	go run ./internal/editorschema api/v1alpha1 >api/v1alpha1/crosswalk.schema.json
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: editorschema FOLDER")
		os.Exit(2)
	}
	out, err := Generate(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "editorschema:", err)
		os.Exit(1)
	}
	if _, err := os.Stdout.Write(out); err != nil {
		fmt.Fprintln(os.Stderr, "editorschema:", err)
		os.Exit(1)
	}
}
