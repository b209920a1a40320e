package main

import (
	"context"
	"strings"
	"testing"
)

// Too few cases cannot have made every class of input, and prove nothing.
func TestTooFewCases(t *testing.T) {
	var out strings.Builder
	err := run(context.Background(), []string{"--cases", "200", "--seed", "3"}, &out)
	if err == nil || !strings.HasPrefix(err.Error(), "these classes of input were never made: ") {
		t.Errorf("%v\n%s", err, &out)
	}
	if !strings.Contains(out.String(), " cases over 25 generated tables\n") && !strings.Contains(out.String(), " cases over 50 generated tables\n") {
		t.Errorf("%s", &out)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, nil, new(strings.Builder)); err == nil || err.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
}
