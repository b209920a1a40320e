// Package stage sets up what end-to-end tests play on: a scene that ends with
// the test, and limits for what should take a moment.
package stage

import (
	"context"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// Programs finds what the tests run, or ends the test.
func Programs(t testing.TB) harness.Programs {
	t.Helper()
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	return programs
}

// Minor is the minor release of Kubernetes that the tests run on: 36 of 1.36.
func Minor(t testing.TB) int {
	t.Helper()
	minor, err := Programs(t).Minor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return minor
}

// Start starts a scene that ends with the test. If the test failed, it then
// shows the ends of the logs.
func Start(t testing.TB, programs harness.Programs, tables ...harness.Table) *harness.Scene {
	t.Helper()
	return StartWith(t, programs, harness.SceneOptions{}, tables...)
}

// StartWith is Start with options.
func StartWith(t testing.TB, programs harness.Programs, o harness.SceneOptions, tables ...harness.Table) *harness.Scene {
	t.Helper()
	scene, err := harness.StartScene(t.Context(), programs, t.TempDir(), o, tables...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// Before everything ends, of which the roles have much to say, too.
		if t.Failed() {
			t.Log(scene.LogEnds())
		}
		if err := scene.Stop(); err != nil {
			t.Error(err)
		}
	})
	return scene
}

// Within is the test's context with a limit for what should take a moment.
func Within(t testing.TB, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}

// Until asks again and again, as a client does, until ask has no more to say
// against it, and ends the test with its last word when the limit is over.
func Until(t testing.TB, limit time.Duration, ask func(context.Context) error) {
	t.Helper()
	// What comes at once is seen at once; what takes its time must not be kept from it
	// by questions.
	const longest = 200 * time.Millisecond
	ctx := Within(t, limit)
	for wait := 25 * time.Millisecond; ; wait = min(wait*3/2, longest) {
		err := ask(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("not within %s: %v", limit, err)
		case <-time.After(wait):
		}
	}
}

// Pair makes a CA, and a certificate for localhost that it has signed.
func Pair(t testing.TB) *certs.Pair {
	t.Helper()
	authority, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"localhost"}})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Current()
	if err != nil {
		t.Fatal(err)
	}
	return pair
}
