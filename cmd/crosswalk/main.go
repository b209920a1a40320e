// Command crosswalk converts custom resources between the versions of their
// CustomResourceDefinitions, from a table.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
