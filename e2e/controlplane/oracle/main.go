// Command oracle asks Kubernetes' own code how its built-in kinds convert: the
// compiled converters, defaults and fuzzers of the release in go.mod. The tests in
// e2e/oracle hold Crosswalk's tables against what it says.
//
//	oracle crd KIND                       the kind's CRD, with the schemas that Kubernetes publishes
//	oracle cases KIND --count N --seed S  N objects as Kubernetes converts them, four lines each
//	oracle read --count N --seed S        N objects of every kind as the API server reads them, three lines each
//	oracle stored --count N --seed S      N writes to every kind as the API server stores them, four lines each
//	oracle equivalents --count N --seed S N objects of kinds that there are twice, as either, three lines each
//	oracle schemas                        the schemas that Kubernetes publishes, by name
//
// It is a program, because Kubernetes' exact versions and Crosswalk's cannot be
// in one module, and it is in this module, because all that it is made of is
// compiled for the API server anyway.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

const usage = `usage:
  oracle crd KIND                       print the CRD of a kind
  oracle cases KIND --count N --seed S  print N objects and what they convert to
  oracle read --count N --seed S        print N objects of every kind and what is read of them
  oracle stored --count N --seed S      print N writes to every kind and what is stored of them
  oracle equivalents --count N --seed S print N objects of kinds that there are twice, as either
  oracle schemas                        print the schemas of all types`

func main() {
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	err := run(os.Args[1:], out)
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 1 && args[0] == "schemas" {
		return writeSchemas(out)
	}
	if len(args) < 2 {
		return errors.New(usage)
	}
	if write := map[string]func(io.Writer, int, int64) error{"read": writeRead, "stored": writeStored, "equivalents": writeEquivalents}[args[0]]; write != nil {
		flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
		count := flags.Int("count", 10, "how many objects of each kind")
		seed := flags.Int64("seed", 1, "the same seed gives the same objects")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return write(out, *count, *seed)
	}
	k, err := find(args[1])
	if err != nil {
		return err
	}
	switch args[0] {
	case "crd":
		return writeCRD(out, k)
	case "cases":
		flags := flag.NewFlagSet("cases", flag.ContinueOnError)
		count := flags.Int("count", 10, "how many objects, half of them in each version")
		seed := flags.Int64("seed", 1, "the same seed gives the same objects")
		if err := flags.Parse(args[2:]); err != nil {
			return err
		}
		return writeCases(out, k, *count, *seed)
	}
	return fmt.Errorf("unknown command %q; %s", args[0], usage)
}
