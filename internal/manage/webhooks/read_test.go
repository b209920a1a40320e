package webhooks

import (
	"context"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// late is a cache of heads that hears of changes when the test says so, beside an API
// server that counts what it is asked.
type late struct {
	desk
	server client.WithWatch
	head   *metav1.PartialObjectMetadata // of the mutating configuration; nil is none
	asked  int
}

func newLate(t *testing.T) *late {
	l := &late{desk: newDesk(t)}
	l.server = l.keeper.Writer.(client.WithWatch)
	l.keeper.Writer = interceptor.NewClient(l.server, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, _ ...client.GetOption) error {
			head, ok := object.(*metav1.PartialObjectMetadata)
			if !ok || key.Name != names().Mutating || l.head == nil {
				return c.Get(ctx, client.ObjectKey{Name: "nothing"}, object)
			}
			l.head.DeepCopyInto(head)
			return nil
		},
	})
	return l
}

// hear brings the cache up to date.
func (l *late) hear() {
	l.Helper()
	head := new(metav1.PartialObjectMetadata)
	head.SetGroupVersionKind(admissionregistrationv1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"))
	if err := l.server.Get(l.Context(), client.ObjectKey{Name: names().Mutating}, head); err != nil {
		l.head = nil
		return
	}
	l.head = head
}

// want reads, and wants so many webhooks after so many questions.
func (l *late) want(what string, webhooks, asked int) Side {
	l.Helper()
	l.asked = 0
	live := interceptor.NewClient(l.server, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, _ ...client.GetOption) error {
			l.asked++
			return c.Get(ctx, key, object)
		},
	})
	sides, err := l.keeper.Read(l.Context(), live, names())
	if err != nil {
		l.Fatal(err)
	}
	if len(sides[0].Webhooks) != webhooks || l.asked != asked {
		l.Errorf("%s: %d webhooks after %d questions, want %d after %d", what, len(sides[0].Webhooks), l.asked, webhooks, asked)
	}
	return sides[0]
}

func (l *late) write(now Side, webhooks ...string) {
	l.Helper()
	if obstacle, err := l.keeper.Write(l.Context(), now, with(webhooks...), l.bundle); obstacle != nil || err != nil {
		l.Fatal(obstacle, err)
	}
}

// What has not changed is not asked for again, and what we have written ourselves is
// known before the cache hears of it.
func TestReadAsksForWhatHasChanged(t *testing.T) {
	l := newLate(t)
	l.write(l.want("nothing yet", 0, 0), "a.crosswalk.dev")
	l.want("created by us", 1, 1)
	l.want("created by us, and not heard of", 1, 1)
	l.hear()
	l.want("heard of", 1, 1)
	now := l.want("unchanged", 1, 0)

	now.Webhooks[0].Client.CABundle = nil // whoever reads it may change it
	if again := l.want("unchanged once more", 1, 0); len(again.Webhooks[0].Client.CABundle) == 0 {
		t.Error("what was read has changed")
	}
	l.write(l.want("before a change", 1, 0), "a.crosswalk.dev", "b.crosswalk.dev")
	l.want("changed by us", 2, 1)
	l.hear()
	l.want("heard of the change", 2, 1)
	l.want("unchanged since", 2, 0)
}

// What somebody else does is seen when the cache hears of it.
func TestReadHearsOfOthers(t *testing.T) {
	l := newLate(t)
	l.write(l.want("nothing yet", 0, 0), "a.crosswalk.dev")
	l.hear()
	l.want("heard of", 1, 1)
	theirs := l.want("unchanged", 1, 0).Object.(*admissionregistrationv1.MutatingWebhookConfiguration)
	theirs.Webhooks = append(theirs.Webhooks, *theirs.Webhooks[0].DeepCopy())
	theirs.Webhooks[1].Name = "another.example.com"
	if err := l.server.Update(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	old := l.want("not heard of", 1, 0)
	if _, err := l.keeper.Write(t.Context(), old, with("b.crosswalk.dev"), l.bundle); err == nil {
		t.Error("what was not read was written over")
	}
	l.hear()
	l.want("heard of another", 2, 1)
	if err := l.server.Delete(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	l.hear()
	l.want("gone", 0, 0)
}
