package webhooks

import (
	"encoding/json"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// wantEvent compares the only Event since the last call; "" is none.
func (d desk) wantEvent(want string) {
	d.Helper()
	all := d.keeper.Events.(*events.FakeRecorder).Events
	var got []string
	for len(all) > 0 {
		got = append(got, <-all)
	}
	if strings.Join(got, "\n") != want {
		d.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestChangesOfOthersAreNamed(t *testing.T) {
	const of = " of the MutatingWebhookConfiguration m, and it has been restored"
	more := ca(t)
	for name, test := range map[string]struct {
		change func(*admissionregistrationv1.MutatingWebhookConfiguration)
		want   string
		// forgotten reports that a process which has just started still finds it.
		forgotten string
	}{
		"one field": {func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
			c.Webhooks[1].FailurePolicy = new(admissionregistrationv1.Ignore)
		}, `cainjector changed webhooks[name="b.crosswalk.dev"].failurePolicy` + of, `cainjector changed webhooks[name="b.crosswalk.dev"].failurePolicy` + of},
		"two fields": {func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
			c.Webhooks[0].ClientConfig.Service.Port = new(int32(1))
			c.Webhooks[0].ClientConfig.CABundle = more
		}, `cainjector changed webhooks[name="a.crosswalk.dev"].clientConfig.caBundle, webhooks[name="a.crosswalk.dev"].clientConfig.service.port` + of,
			`cainjector changed webhooks[name="a.crosswalk.dev"].clientConfig.caBundle, webhooks[name="a.crosswalk.dev"].clientConfig.service.port` + of},
		"a field more": {func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
			c.Webhooks[0].TimeoutSeconds = new(int32(1))
		}, `cainjector changed webhooks[name="a.crosswalk.dev"].timeoutSeconds` + of, `cainjector changed webhooks[name="a.crosswalk.dev"].timeoutSeconds` + of},
		// Of what is missing, the API server does not keep who removed it.
		"a webhook less": {func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
			c.Webhooks = c.Webhooks[:1]
		}, `another client changed webhooks[name="b.crosswalk.dev"]` + of, ""},
		"the order": {func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
			c.Webhooks[0], c.Webhooks[1] = c.Webhooks[1], c.Webhooks[0]
		}, "", ""},
		"a webhook of theirs": {func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
			another := c.Webhooks[0]
			another.Name = "another.example.com"
			c.Webhooks = append(c.Webhooks, another)
		}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.write("a.crosswalk.dev", "b.crosswalk.dev")
			d.wantEvent("")
			both := func(want string) {
				d.Helper()
				if want != "" {
					want = "Warning Restored " + want
				}
				d.update(test.change)
				d.write("a.crosswalk.dev", "b.crosswalk.dev")
				d.wantEvent(want)
				d.write("a.crosswalk.dev", "b.crosswalk.dev")
				d.wantEvent("")
			}
			both(test.want)
			d.keeper.written = nil
			both(test.forgotten)
			d.update(test.change)
			d.write("b.crosswalk.dev", "c.crosswalk.dev") // with a plan that has changed, too
			if test.want == "" {
				d.wantEvent("")
			}
		})
	}
}

func TestDeletedConfigurationIsNamed(t *testing.T) {
	d := newDesk(t)
	d.write("a.crosswalk.dev")
	if err := d.keeper.Writer.Delete(t.Context(), d.now().Object); err != nil {
		t.Fatal(err)
	}
	d.write("a.crosswalk.dev", "b.crosswalk.dev")
	d.wantEvent("Warning Restored another client deleted the MutatingWebhookConfiguration m, and it has been restored")
	d.write("c.crosswalk.dev")
	d.wantEvent("")
}

// cainjector changes its own bundle, which every write keeps.
func TestBundleOfCAInjectorIsNotNamed(t *testing.T) {
	d := newDesk(t)
	annotated := func(webhooks ...string) Side {
		s := with(webhooks...)
		s.Object.SetAnnotations(map[string]string{reach.InjectCAFrom: "x/y"})
		return s
	}
	d.put(annotated("a.crosswalk.dev"))
	d.update(func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
		c.Webhooks[0].ClientConfig.CABundle = ca(t)
	})
	bundle, err := inject.ParseBundle(d.now().Webhooks[0].Client.CABundle)
	if err != nil {
		t.Fatal(err)
	}
	d.bundle = bundle // as Keeper.Ask finds it there
	d.put(annotated("a.crosswalk.dev", "b.crosswalk.dev"))
	d.wantEvent("")
}

// A client that applies what is there already, as GitOps tools do, changes nothing, neither
// then nor when the plan changes.
func TestOtherOwnersChangeNothing(t *testing.T) {
	d := newDesk(t)
	d.write("a.crosswalk.dev")
	same := d.now().Object.(*admissionregistrationv1.MutatingWebhookConfiguration)
	same.SetGroupVersionKind(admissionregistrationv1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"))
	same.ManagedFields, same.ResourceVersion, same.UID = nil, "", ""
	text, err := json.Marshal(same)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.keeper.Writer.Patch(t.Context(), same, client.RawPatch(types.ApplyPatchType, text), client.FieldOwner("argocd")); err != nil {
		t.Fatal(err)
	}
	if fields := d.now().Object.GetManagedFields(); len(fields) != 2 {
		t.Fatalf("got owners %v, want 2", fields)
	}
	d.write("a.crosswalk.dev", "b.crosswalk.dev")
	d.wantEvent("")
	d.keeper.written = nil
	d.write("b.crosswalk.dev")
	d.wantEvent("")
}

func TestChangedAnnotationIsNamed(t *testing.T) {
	d := newDesk(t)
	annotated := func() Side {
		s := with("a.crosswalk.dev")
		s.Object.SetAnnotations(map[string]string{reach.InjectCAFrom: "x/y"})
		return s
	}
	d.put(annotated())
	d.update(func(c *admissionregistrationv1.MutatingWebhookConfiguration) {
		c.Annotations = map[string]string{reach.InjectCAFrom: "z/y", "theirs": "too"}
	})
	d.put(annotated())
	d.wantEvent("Warning Restored cainjector changed metadata.annotations.cert-manager.io/inject-ca-from of the MutatingWebhookConfiguration m, and it has been restored")
}
