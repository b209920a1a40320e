package conversion_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// leaving is the context of a caller who goes once it has been looked at so many times.
type leaving struct {
	context.Context
	left int
}

// leavesAfter returns one that can be done.
func leavesAfter(t testing.TB, looks int) *leaving {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return &leaving{ctx, looks}
}

func (l *leaving) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

const many = 1_000_000

// looks is how often work looks for a caller who stays.
func looks(t testing.TB, work func(context.Context) error) int {
	t.Helper()
	ctx := leavesAfter(t, many)
	if err := work(ctx); err != nil {
		t.Fatal(err)
	}
	return many - ctx.left
}

// TestCallerGone: conversions, guards and checks look again and again whether their caller has
// gone, in every part of their work, and leave nothing behind for the next one.
func TestCallerGone(t *testing.T) {
	list := "{type: array, items: {type: object, properties: {x: {type: string}, z: {type: string}, %s: {type: string}}}}"
	beta, v1 := spec("a: "+strings.Replace(list, "%s", "n", 1)), spec("b: "+strings.Replace(list, "%s", "m", 1))
	c := compiled(t, beta, v1, `[{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: .x, hub: .z}, {spoke: .z, hub: .x}]}}]`)
	parts := 4 // of a thousand elements each
	if testing.Short() {
		parts = 2
	}
	elements := strings.Repeat(`{"x":"a"},{"m":"kept"},`, 500*parts) + `{"z":"b"}`
	plain := []byte(thing("v1", `"metadata":{"name":"n"},"spec":{"b":[`+elements+`]}`))
	// What another table has kept is tried.
	earlier := []byte(thing("v1", `"metadata":{"name":"n","annotations":{"stash.crosswalk.dev/v1beta1":"{\"format\":1,\"table\":\"other\",\"entries\":[`+
		`{\"at\":[\"spec\",\"a\",{\"content\":\"AAAA\",\"nth\":0},\"n\"],\"value\":\"x\"}]}"}},"spec":{"b":[`+elements+`]}`))
	for name, test := range map[string]struct {
		least int // looks for each part
		work  func(context.Context, []byte) ([]byte, error)
		to    string
	}{
		"convert": {2, func(ctx context.Context, dst []byte) ([]byte, error) {
			return c.ConvertNoting(ctx, dst, plain, "v1beta1", nil)
		}, "v1beta1"},
		"renew": {4, func(ctx context.Context, dst []byte) ([]byte, error) {
			return c.ConvertNoting(ctx, dst, earlier, "v1beta1", nil)
		}, "v1beta1"},
		"guard": {4, func(ctx context.Context, dst []byte) ([]byte, error) {
			return c.Guard(ctx, dst, earlier, nil, "")
		}, "v1"},
		"check": {2, func(ctx context.Context, dst []byte) ([]byte, error) {
			_, err := c.Check(ctx, plain, nil)
			return dst, err
		}, "v1"},
	} {
		t.Run(name, func(t *testing.T) {
			before := []byte("before")
			want, err := test.work(t.Context(), before)
			if err != nil {
				t.Fatal(err)
			}
			whole := looks(t, func(ctx context.Context) error { _, err := test.work(ctx, before); return err })
			if whole < test.least*parts {
				t.Errorf("it looks %d times", whole)
			}
			for after := range whole {
				if after > 10 && after%(whole/20+1) != 0 && after < whole-10 {
					continue
				}
				out, err := test.work(leavesAfter(t, after), before)
				if !errors.Is(err, context.Canceled) || string(out) != "before" {
					t.Fatalf("the caller goes after %d looks of %d: %.100s %v", after, whole, out, err)
				}
				printed, ok := errors.AsType[*conversion.Error](err)
				if !ok || printed.Kind != "Thing" || printed.Name != "n" || !strings.HasSuffix(err.Error(), ": it was ended, because nobody waits for it any more: context canceled") {
					t.Fatalf("got %v", err)
				}
			}
			if again, err := test.work(t.Context(), before); err != nil || !bytes.Equal(again, want) {
				t.Errorf("the next one is %.100s %v", again, err)
			}
		})
	}
}

// TestCallerGoneBefore: nothing is done for who has gone.
func TestCallerGoneBefore(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("a: {type: string}"), `[]`)
	why := errors.New("the connection is closed")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	_, err := c.ConvertNoting(ctx, nil, []byte(thing("v1", `"metadata":{"name":"n"}`)), "v1beta1", nil)
	if !errors.Is(err, why) || err.Error() != "Thing n: v1 to v1beta1: it was ended, because nobody waits for it any more: the connection is closed" {
		t.Errorf("got %v", err)
	}
}
