package guard

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// writesEach is how often each of the concurrent writers writes.
const writesEach = 15

// writer writes one field of an object, which nobody else writes, again and again.
type writer struct {
	name string
	// r is the resource in the version that shows the field.
	r     harness.Resource
	field string
	value func(i int) any
	write func(ctx context.Context, value any) error
}

// testConcurrent lets many write the same object in two versions at once, each in
// its own way: what each has written last is there, and nothing of before comes
// back.
func (k kind) testConcurrent(t *testing.T) {
	const name = "contended"
	k.create(t, name)
	text := func(prefix string) func(int) any { return func(i int) any { return fmt.Sprintf("%s%d", prefix, i) } }
	patch := func(r harness.Resource, path, body string) func(context.Context, any) error {
		return func(ctx context.Context, value any) error {
			_, err := r.MergePatch(ctx, path, fmt.Sprintf(body, value))
			return err
		}
	}
	apply := func(r harness.Resource, manager, body string) func(context.Context, any) error {
		return func(ctx context.Context, value any) error {
			_, err := r.Apply(ctx, name, manager+"&force=true", k.applied(r, name, fmt.Sprintf(body, value)))
			return err
		}
	}
	writers := []writer{
		{"replaces in v1beta1, without annotations", k.beta, "spec.shell", text("/bin/"), k.replace(k.beta, name, "shell")},
		{"replaces in v1, without annotations", k.v1, "spec.timeZone", text("Zone/"), k.replace(k.v1, name, "timeZone")},
		{"applies in v1", k.v1, "spec.image", text("example.com/a:"), apply(k.v1, "applier", `"image":%q`)},
		{"patches the status in v1beta1", k.beta, "status.message", text("run "), patch(k.beta, name+"/status", `{"status":{"message":%q}}`)},
		{"patches the scale in v1", k.v1, "spec.replicas", func(i int) any { return exactNumber(fmt.Sprint(i%10 + 1)) }, patch(k.v1, name+"/scale", `{"spec":{"replicas":%v}}`)},
		{"patches what both show in v1beta1", k.beta, "spec.hostPort", text("h.example.com:1"), patch(k.beta, name, `{"spec":{"hostPort":%q}}`)},
	}
	var all sync.WaitGroup
	for _, w := range writers {
		all.Go(func() { k.keepsWriting(t, w, name) })
	}
	all.Wait()
	for _, w := range writers {
		k.want(t, w.r, name, w.field, w.value(writesEach-1))
	}
}

// keepsWriting writes, and after each write wants to read what it wrote.
func (k kind) keepsWriting(t *testing.T, w writer, name string) {
	for i := range writesEach {
		value := w.value(i)
		err := w.write(t.Context(), value)
		for check.Is(err, http.StatusConflict) {
			err = w.write(t.Context(), value)
		}
		if err != nil {
			t.Errorf("who %s: %v", w.name, err)
			return
		}
		object, err := w.r.Get(t.Context(), name)
		if err != nil {
			t.Errorf("who %s: %v", w.name, err)
			return
		}
		decoded, err := exact.Decode(object)
		if err != nil {
			t.Error(err)
			return
		}
		if got, _ := exact.At(decoded, strings.Split(w.field, ".")...); got != value {
			t.Errorf("who %s wrote %v and reads %v", w.name, value, got)
			return
		}
	}
}

// replace reads an object, changes a field of its spec and writes it back, as it
// was but for all annotations.
func (k kind) replace(r harness.Resource, name, field string) func(context.Context, any) error {
	return func(ctx context.Context, value any) error {
		text, err := r.Get(ctx, name)
		if err != nil {
			return err
		}
		decoded, err := exact.Decode(text)
		if err != nil {
			return err
		}
		object := decoded.(map[string]any)
		delete(object["metadata"].(map[string]any), "annotations")
		object["spec"].(map[string]any)[field] = value
		body, err := json.Marshal(object)
		if err != nil {
			return err
		}
		_, err = r.Update(ctx, name, body)
		return err
	}
}
