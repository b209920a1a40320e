package webhooks

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

type desk struct {
	*testing.T
	keeper *Keeper
	bundle inject.Bundle
}

func newDesk(t *testing.T) desk {
	t.Helper()
	scheme, err := cluster.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := inject.ParseBundle(ca(t))
	if err != nil {
		t.Fatal(err)
	}
	return desk{t, &Keeper{
		Writer: fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(cluster.Mapper()).WithReturnManagedFields().Build(),
		Events: events.NewFakeRecorder(100), Logger: slog.New(slog.DiscardHandler), Now: time.Now,
	}, bundle}
}

func (d desk) now() Side {
	d.Helper()
	sides, err := Read(d.Context(), d.keeper.Writer, names())
	if err != nil {
		d.Fatal(err)
	}
	return sides[0]
}

func (d desk) write(webhooks ...string) {
	d.Helper()
	d.put(with(webhooks...))
}

func (d desk) put(should Side) {
	d.Helper()
	if obstacle, err := d.keeper.Write(d.Context(), d.now(), should, d.bundle); obstacle != nil || err != nil {
		d.Fatal(obstacle, err)
	}
}

func (d desk) want(names string) {
	d.Helper()
	var got []string
	for _, w := range d.now().Webhooks {
		name, _, _ := strings.Cut(w.Name, ".")
		got = append(got, name)
	}
	if strings.Join(got, " ") != names {
		d.Errorf("got %v, want %s", got, names)
	}
}

// update writes as somebody else does.
func (d desk) update(change func(*admissionregistrationv1.MutatingWebhookConfiguration)) {
	d.Helper()
	c := d.now().Object.(*admissionregistrationv1.MutatingWebhookConfiguration)
	change(c)
	if err := d.keeper.Writer.Update(d.Context(), c, client.FieldOwner("cainjector")); err != nil {
		d.Fatal(err)
	}
}

// Nothing is written if there is nothing to configure.
func TestNothingIsCreatedForNothing(t *testing.T) {
	d := newDesk(t)
	d.write()
	if d.now().there() {
		t.Error("there is a configuration without webhooks")
	}
	d.write("a.crosswalk.dev")
	d.want("a")
	d.write()
	d.want("")
}

// A webhook goes whole, whoever else has written of it, and the order is the one
// that is intended.
func TestWebhooksGo(t *testing.T) {
	d := newDesk(t)
	d.write("a.crosswalk.dev", "b.crosswalk.dev")
	d.want("a b")
	more := ca(t)
	d.update(func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
		for i := range c.Webhooks {
			c.Webhooks[i].ClientConfig.CABundle = append(c.Webhooks[i].ClientConfig.CABundle, more...)
		}
	})
	d.write("b.crosswalk.dev")
	d.want("b")
	d.write("c.crosswalk.dev", "b.crosswalk.dev")
	d.want("c b")
}

func TestOthersFollowOurs(t *testing.T) {
	d := newDesk(t)
	d.write("a.crosswalk.dev")
	d.update(func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
		another := c.Webhooks[0]
		another.Name = "another.example.com"
		c.Webhooks = append([]admissionregistrationv1.MutatingWebhook{another}, c.Webhooks...)
	})
	d.write("a.crosswalk.dev")
	d.want("another a") // as it should be, so nothing is written
	d.write("b.crosswalk.dev")
	d.want("b another")
}

// What has changed since it was looked at is looked at again.
func TestOnlyWhatWasLookedAtIsWritten(t *testing.T) {
	d := newDesk(t)
	d.write("a.crosswalk.dev")
	before := d.now()
	d.update(func(c *admissionregistrationv1.MutatingWebhookConfiguration) { c.Labels = map[string]string{"a": "b"} })
	if _, err := d.keeper.Write(t.Context(), before, with("b.crosswalk.dev"), d.bundle); !apierrors.IsConflict(err) {
		t.Errorf("got %v", err)
	}
	d.want("a")
	there := d.now()
	if err := d.keeper.Writer.Delete(t.Context(), there.Object); err != nil {
		t.Fatal(err)
	}
	if _, err := d.keeper.Write(t.Context(), there, with("b.crosswalk.dev"), d.bundle); !apierrors.IsConflict(err) {
		t.Errorf("it is gone: %v", err)
	}
	missing := d.now()
	d.write("a.crosswalk.dev")
	if _, err := d.keeper.Write(t.Context(), missing, with("b.crosswalk.dev"), d.bundle); !apierrors.IsConflict(err) {
		t.Errorf("it has come: %v", err)
	}
}
