package registration

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// Injected says whether every webhook that is registered holds all certificates of
// a bundle; the error names one that does not. It is a gate of CA rotation. The
// reader must ask the API server.
func Injected(ctx context.Context, live client.Reader, bundle []byte) error {
	want, err := inject.ParseBundle(bundle)
	if err != nil {
		return err
	}
	sides, err := read(ctx, live)
	if err != nil {
		return err
	}
	for _, name := range []string{GuardWebhook, KeepConversionWebhook, StrictWebhook, ConfigurationWebhook} {
		for _, s := range sides {
			w := s.webhook(name)
			if w == nil || len(w.rules) == 0 {
				continue
			}
			if holds, err := inject.ParseBundle(w.client.CABundle); err != nil || !holds.Contains(want) {
				return fmt.Errorf("the webhook %s of %s does not hold the new CA yet", name, s.object.GetName())
			}
		}
	}
	return nil
}
