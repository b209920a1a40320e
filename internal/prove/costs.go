package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

// costs judges what conversions cost. It says now and then how far it is, or, where
// families have been chosen, what each of them costs.
func costs(ctx context.Context, o verify.CostOptions, every time.Duration, out io.Writer) error {
	judged, begin, said := 0, time.Now(), time.Now()
	wrong, err := verify.Costs(ctx, o, func(verdict string, of int) {
		judged++
		if o.Family != "" {
			fmt.Fprintln(out, verdict)
		} else if time.Since(said) >= every {
			said = time.Now()
			fmt.Fprintf(out, "%9d of %d families, %s\n", judged, of, said.Sub(begin).Round(time.Second))
		}
	})
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	case err != nil:
		return err
	case judged == 0:
		return fmt.Errorf("no family's name has %q", o.Family)
	case len(wrong) > 0:
		return fmt.Errorf("the law of costs is broken:\n%s", strings.Join(wrong, "\n"))
	}
	fmt.Fprintf(out, "%d families of objects\n", judged)
	return nil
}
