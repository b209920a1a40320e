package typed

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestCallerGone: code that runs is not interrupted, and none is called any more once nobody
// waits.
func TestCallerGone(t *testing.T) {
	why := errors.New("the connection is closed")
	const object = `{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{"target":"h:1"}}`
	for name, work := range map[string]func(c *Converter, ctx context.Context) error{
		"convert": func(c *Converter, ctx context.Context) error {
			_, err := c.ConvertNoting(ctx, nil, []byte(object), "v2", nil)
			return err
		},
		"guard": func(c *Converter, ctx context.Context) error {
			forged := fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a","annotations":{"stash.crosswalk.dev/v2":%q}}}`,
				`{"format":1,"entries":[{"at":["spec","labels"],"value":{}}]}`)
			_, err := c.Guard(ctx, nil, []byte(forged), nil, "")
			return err
		},
		"check": func(c *Converter, ctx context.Context) error {
			_, err := c.Check(ctx, []byte(object), nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, leave := context.WithCancelCause(t.Context())
			calls, leaveAt := 0, 0
			called := func() error {
				if calls++; calls == leaveAt {
					leave(why)
				}
				return nil
			}
			c := newConverter(t, Spoke("v1", func(*backupV1, *backupV2) error { return called() }, func(*backupV2, *backupV1) error { return called() }))
			if err := work(c, ctx); err != nil || calls < 2 {
				t.Fatalf("%d calls, %v", calls, err)
			}
			calls, leaveAt = 0, 1
			err := work(c, ctx)
			if calls != 1 || !errors.Is(err, why) {
				t.Errorf("%d calls, %v", calls, err)
			}
			if printed, ok := errors.AsType[*conversion.Error](err); !ok || printed.Name != "a" || printed.Cause != why {
				t.Errorf("got %+v", err)
			}
		})
	}
}
