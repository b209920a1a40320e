package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/proof"
)

// costs checks what conversions cost. It prints its progress or, if families are selected, the
// cost of each.
func costs(ctx context.Context, o proof.CostOptions, every time.Duration, out io.Writer) error {
	judged, begin, shown := 0, time.Now(), time.Now()
	wrong, err := proof.Costs(ctx, o, func(verdict string, of int) {
		judged++
		if o.Family != "" {
			fmt.Fprintln(out, verdict)
		} else if time.Since(shown) >= every {
			shown = time.Now()
			fmt.Fprintf(out, "%9d of %d families, %s\n", judged, of, shown.Sub(begin).Round(time.Second))
		}
	})
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	case err != nil:
		return err
	case judged == 0:
		return fmt.Errorf("no family has a name with %q", o.Family)
	case len(wrong) > 0:
		return fmt.Errorf("the law of costs is broken:\n%s", strings.Join(wrong, "\n"))
	}
	fmt.Fprintf(out, "%d families of objects\n", judged)
	return nil
}
