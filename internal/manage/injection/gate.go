package injection

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// page is how many objects' metadata are read at once.
const page = 500

// Injected returns nil if every object that asks for Crosswalk's CA holds all certificates of
// bundle at every place where it holds any. Otherwise its error names the first that does not.
// A change of CA waits for it: until then, no server may use a certificate that only the new CA
// has signed.
//
// It asks the API server itself, because a cache may be behind. It skips objects that hold
// nothing of ours: with an invalid annotation, without a place for a bundle, or with a bundle
// of cert-manager. It also skips objects that hold nothing of ours yet, such as one that we may
// not write, because they would delay the change for ever.
func (i *Injector) Injected(ctx context.Context, bundle []byte) error {
	wanted, err := inject.ParseBundle(bundle)
	if err != nil {
		return fmt.Errorf("reading the CA bundle: %w", err)
	}
	for _, kind := range inject.Kinds() {
		if err := i.injectedInto(ctx, kind, wanted); err != nil {
			return err
		}
	}
	return nil
}

func (i *Injector) injectedInto(ctx context.Context, kind schema.GroupVersionKind, bundle inject.Bundle) error {
	list := metadataList(kind)
	for {
		if err := i.live.List(ctx, list, client.Limit(page), client.Continue(list.Continue)); err != nil {
			return fmt.Errorf("listing every %s: %w", kind.Kind, err)
		}
		for _, object := range list.Items {
			if ask, err := inject.Asked(object.Annotations); err != nil || !ask.Own {
				continue
			}
			if err := i.holds(ctx, target{kind, object.Name}, bundle); err != nil {
				return err
			}
		}
		if list.Continue == "" {
			return nil
		}
	}
}

func (i *Injector) holds(ctx context.Context, t target, bundle inject.Bundle) error {
	object, err := i.read(ctx, t)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t, err)
	}
	if ask, err := inject.Asked(object.GetAnnotations()); err != nil || !ask.Own {
		return nil // it has just changed
	}
	lacking, err := inject.Lacking(object, bundle)
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		return fmt.Errorf("%s: %s does not hold the CA bundle yet; see the object's events", t, strings.Join(lacking, ", "))
	}
	return nil
}
