package cluster

import (
	"context"
	"errors"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// broken cannot be asked.
type broken struct{ client.Reader }

func (broken) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return errors.New("unavailable")
}

func TestFinder(t *testing.T) {
	r := reader(t, crontabCRD(t), crontabTable(t))
	f := Finder{live: r, cached: r}
	if crd, err := f.CRD(t.Context(), crontabs); err != nil || crd == nil || crd.Name != crontabs {
		t.Errorf("got %v, %v", crd, err)
	}
	if crd, err := f.CRD(t.Context(), "things.example.com"); err != nil || crd != nil {
		t.Errorf("got %v, %v", crd, err)
	}
	for name, want := range map[string]bool{crontabs: true, "things.example.com": false} {
		if has, err := f.Has(t.Context(), name); err != nil || has != want {
			t.Errorf("%s: got %v, %v", name, has, err)
		}
	}
	for name, want := range map[string]string{crontabs: "v1", "things.example.com": ""} {
		if hub, err := f.Hub(t.Context(), name); err != nil || hub != want {
			t.Errorf("%s: got %q, %v", name, hub, err)
		}
	}
	f = Finder{live: broken{}, cached: broken{}}
	if _, err := f.CRD(t.Context(), crontabs); err == nil {
		t.Error("nobody could be asked, and there is no CRD")
	}
	if _, err := f.Hub(t.Context(), crontabs); err == nil {
		t.Error("nobody could be asked, and there is no hub")
	}
	if _, err := f.Has(t.Context(), crontabs); err == nil {
		t.Error("nobody could be asked, and there is no Crosswalk")
	}
}
