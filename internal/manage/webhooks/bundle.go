package webhooks

import (
	"context"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// injected reports whether cainjector writes the bundles.
func (s Side) injected() bool { return s.Object.GetAnnotations()[reach.InjectCAFrom] != "" }

// sameBundle compares by certificates. cainjector adds to the bundle that it finds, and would
// add to it again.
func sameBundle(is, should []byte, added bool) bool {
	if len(should) == 0 {
		return len(is) == 0
	}
	a, errA := inject.ParseBundle(is)
	b, errB := inject.ParseBundle(should)
	if errA != nil || errB != nil {
		return errA != nil && errB != nil && string(is) == string(should)
	}
	if added {
		return a.Contains(b)
	}
	return a.Equal(b)
}

// Annotations returns the annotations with which cert-manager's cainjector writes the bundles,
// or nil if it is not used.
func Annotations(serve *reach.Serve) map[string]string {
	if serve.CertManagerCertificate == "" {
		return nil
	}
	return map[string]string{reach.InjectCAFrom: serve.Service.Namespace + "/" + serve.CertManagerCertificate}
}

// bundle returns the intended bundle of a configuration. With cert-manager, the bundle of
// cainjector stays, as long as some server could be trusted with it.
func (s Side) bundle(should Side, secret inject.Bundle, now time.Time) inject.Bundle {
	value, ours := should.Object.GetAnnotations()[reach.InjectCAFrom], s.Ours()
	if value == "" || s.Object.GetAnnotations()[reach.InjectCAFrom] != value || len(ours) == 0 {
		return secret
	}
	live, err := inject.ParseBundle(ours[0].Client.CABundle)
	if err != nil || live.CheckTime(now) != nil {
		return secret
	}
	return live
}

// setBundle sets the bundle of a configuration. If it is empty, the webhooks keep their
// bundles, and new webhooks get the bundle of the others.
func (s Side) setBundle(bundle inject.Bundle, now Side) {
	held := now.Ours()
	for _, w := range s.Webhooks {
		switch is := now.Webhook(w.Name); {
		case !bundle.Empty():
			w.Client.CABundle = bundle.PEM()
		case is != nil:
			w.Client.CABundle = is.Client.CABundle
		case len(held) > 0:
			w.Client.CABundle = held[0].Client.CABundle
		}
	}
}

// Injected returns nil if every webhook of ours with a rule holds all certificates of a bundle.
// Otherwise the error names one that does not. CA rotation waits for it. The reader must ask
// the API server.
func Injected(ctx context.Context, live client.Reader, bundle []byte, all ...Names) error {
	want, err := inject.ParseBundle(bundle)
	if err != nil {
		return err
	}
	for _, names := range all {
		sides, err := Read(ctx, live, names)
		if err != nil {
			return err
		}
		for _, s := range sides {
			for _, w := range s.Ours() {
				if len(w.Rules) == 0 {
					continue
				}
				if holds, err := inject.ParseBundle(w.Client.CABundle); err != nil || !holds.Contains(want) {
					return fmt.Errorf("the webhook %s of %s does not hold the new CA yet", w.Name, s.Object.GetName())
				}
			}
		}
	}
	return nil
}
