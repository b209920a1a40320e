package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// Too few cases cannot have made every class of input, and prove nothing.
func TestTooFewCases(t *testing.T) {
	var out strings.Builder
	err := run(context.Background(), []string{"--cases", "50", "--seed", "3", "--progress", "1h"}, &out)
	if err == nil || !strings.HasPrefix(err.Error(), "these classes of input were never generated: ") {
		t.Errorf("%v\n%s", err, &out)
	}
	var cases, tables int
	if n, err := fmt.Sscanf(out.String(), "%d cases over %d generated tables\n", &cases, &tables); n != 2 || cases < 50 || tables < tablesInBatch {
		t.Errorf("%v: %s", err, &out)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, nil, new(strings.Builder)); err == nil || err.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
}

func TestCosts(t *testing.T) {
	for _, test := range []struct{ args, out, err string }{
		{"--examples|../../../../examples|--tables|0|--family|star: annotations", "star: annotations: ", ""},
		{"--examples|../../../../examples|--tables|0|--family|nothing", "", `no family has a name with "nothing"`},
		{"--examples|nowhere", "", "crd.yaml: no such file or directory"},
	} {
		var out strings.Builder
		err := run(context.Background(), append([]string{"--cost"}, strings.Split(test.args, "|")...), &out)
		if err != nil && test.err == "" && strings.HasPrefix(err.Error(), "the law of costs is broken") {
			err = nil // a busy machine has disturbed the measurement: package cost tests the law itself
		}
		if !strings.Contains(out.String(), test.out) || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %v\n%s", test.args, err, &out)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, []string{"--cost", "--examples", "../../../../examples"}, new(strings.Builder)); err == nil || err.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
}
