package certs

import (
	"bytes"
	"crypto/x509"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

const overlap = 12 * time.Hour

// advanced takes a keyring through every step that is due.
func advanced(t *testing.T, k *Keyring, now time.Time, c Conditions) (*Keyring, []Step) {
	t.Helper()
	var steps []Step
	for {
		next, step, err := k.Advance(now, c)
		if err != nil {
			t.Fatal(err)
		}
		if step == StepNone {
			if next != k {
				t.Error("nothing to do, but another keyring")
			}
			return k, steps
		}
		before := k.Data()
		if !maps.EqualFunc(before, k.Data(), bytes.Equal) {
			t.Error("Advance has changed the old keyring")
		}
		k = reread(t, next)
		steps = append(steps, step)
		if len(steps) > 10 {
			t.Fatalf("no end of steps: %v", steps)
		}
	}
}

// reread writes a keyring and reads it again, which must be the same.
func reread(t *testing.T, k *Keyring) *Keyring {
	t.Helper()
	read := ParseKeyring(k.Data())
	if !maps.EqualFunc(k.Data(), read.Data(), bytes.Equal) {
		t.Errorf("a keyring changes when it is read:\n%q\n%q", k.Data(), read.Data())
	}
	return read
}

func leafOf(t *testing.T, k *Keyring, now time.Time, held map[string][]byte) (map[string][]byte, string) {
	t.Helper()
	data, why, err := k.Serving(now, []string{"a.svc"}, held)
	if err != nil {
		t.Fatal(err)
	}
	return data, why
}

// trusts reports whether a client with this bundle accepts what is served.
func trusts(t *testing.T, bundle []byte, data map[string][]byte, now time.Time) bool {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	pair, err := parsePair(data["tls.crt"], data["tls.key"], nil, now)
	if err != nil {
		t.Fatal(err)
	}
	_, err = pair.Leaf().Verify(x509.VerifyOptions{Roots: roots, DNSName: "a.svc", CurrentTime: now})
	return err == nil
}

func authorities(bundle []byte) int { return strings.Count(string(bundle), "BEGIN CERTIFICATE") }

// TestRotation follows one rotation from the request to its end.
func TestRotation(t *testing.T) {
	c := newClock()
	steps := func(k *Keyring, cond Conditions, want ...Step) *Keyring {
		t.Helper()
		k, got := advanced(t, k, c.at, cond)
		if !slices.Equal(got, want) {
			t.Errorf("steps %q, want %q", got, want)
		}
		return k
	}
	gate := func(open bool) Conditions { return Conditions{Request: "now", Injected: open, Overlap: overlap} }

	// A new CA needs no rotation.
	k := steps(&Keyring{}, gate(true), StepCreated)
	first, _ := leafOf(t, k, c.at, nil)
	// A request does, once.
	request := func(open bool) Conditions { r := gate(open); r.Request = "again"; return r }
	c.advance(day)
	k = steps(k, request(false), StepPublished)
	published := k.Bundle()
	if authorities(published) != 2 || !k.Rotating() {
		t.Errorf("%d CAs are published", authorities(published))
	}
	c.advance(400 * day) // the gate is closed
	k = steps(k, request(false))
	k = steps(k, request(true), StepInjected)
	c.advance(overlap - time.Second)
	k = steps(k, request(true))
	// A bundle without the next CA begins the wait anew.
	k = steps(k, request(false), StepWithheld)
	k = steps(k, request(false))
	k = steps(k, request(true), StepInjected)
	c.advance(overlap)
	before, _ := leafOf(t, k, c.at, first)
	k = steps(k, request(true), StepPromoted)
	if k.Rotating() || !bytes.Equal(k.Bundle(), published) {
		t.Error("the promotion has changed the bundle")
	}
	after, why := leafOf(t, k, c.at, before)
	if why != "another CA signs now" {
		t.Errorf("a new leaf because %q", why)
	}
	if trusts(t, first["ca.crt"], after, c.at) {
		t.Error("the old CA still signs")
	}
	// The old leaf is trusted for as long as it lives.
	for range 89 {
		c.advance(day)
		k = steps(k, request(true))
		if !trusts(t, k.Bundle(), before, c.at) {
			t.Fatal("the old leaf is not trusted any more")
		}
	}
	c.advance(2 * day)
	k = steps(k, request(true), StepRetired)
	if authorities(k.Bundle()) != 1 {
		t.Errorf("%d CAs are left", authorities(k.Bundle()))
	}
	latest, _ := leafOf(t, k, c.at, after)
	if !trusts(t, k.Bundle(), latest, c.at) || !trusts(t, published, latest, c.at) {
		t.Error("the new leaf is not trusted")
	}
	steps(k, request(true))
	steps(k, Conditions{Injected: true, Overlap: overlap}) // the request is removed
}

// TestRotationByItself lists what the authority does without a request.
func TestRotationByItself(t *testing.T) {
	year := 365 * day
	tests := []struct {
		name     string
		after    time.Duration
		injected bool
		want     []Step
	}{
		{"for nine years nothing", 9*year - day, true, nil},
		{"a year before the end", 9*year + day, true, []Step{StepPublished, StepInjected}},
		{"and not without the gate", 9*year + day, false, []Step{StepPublished}},
		{"nobody was there for ten years", 10*year + day, false, []Step{StepPublished, StepReplaced, StepRetired}},
		{"nor for a hundred", 100 * year, false, []Step{StepPublished, StepReplaced, StepRetired}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newClock()
			k, _ := advanced(t, &Keyring{}, c.at, Conditions{})
			c.advance(test.after)
			k, got := advanced(t, k, c.at, Conditions{Injected: test.injected, Overlap: overlap})
			if !slices.Equal(got, test.want) {
				t.Errorf("steps %q, want %q", got, test.want)
			}
			leafOf(t, k, c.at, nil)
		})
	}
}

// TestExpiredInRotation: if the bundles are not injected before the CA expires, the next CA
// signs nevertheless.
func TestExpiredInRotation(t *testing.T) {
	c := newClock()
	k, _ := advanced(t, &Keyring{}, c.at, Conditions{})
	c.advance(authorityValidity - day)
	k, _ = advanced(t, k, c.at, Conditions{})
	published := k.Bundle()
	c.advance(day + time.Second)
	k, steps := advanced(t, k, c.at, Conditions{})
	if want := []Step{StepReplaced, StepRetired}; !slices.Equal(steps, want) {
		t.Errorf("steps %q, want %q", steps, want)
	}
	if data, _ := leafOf(t, k, c.at, nil); !trusts(t, published, data, c.at) {
		t.Error("whoever has the next CA does not trust it")
	}
}

// TestRequestsAreBounded: requests in a loop do not fill every caBundle.
func TestRequestsAreBounded(t *testing.T) {
	c := newClock()
	k, _ := advanced(t, &Keyring{}, c.at, Conditions{})
	for range 200 {
		c.advance(time.Hour)
		k, _ = advanced(t, k, c.at, Conditions{Request: c.at.String(), Injected: true})
	}
	if n := authorities(k.Bundle()); n != maxRetired+1 {
		t.Errorf("%d CAs in the bundle", n)
	}
	c.advance(91 * day)
	k, steps := advanced(t, k, c.at, Conditions{Request: "last"})
	if !slices.Contains(steps, StepRetired) || !slices.Contains(steps, StepPublished) {
		t.Errorf("when the old ones have left: %q", steps)
	}
	if n := authorities(k.Bundle()); n != 2 {
		t.Errorf("%d CAs in the bundle", n)
	}
}

// TestKeyringDamage: pieces that a keyring can do without are repaired, and no client loses
// trust.
func TestKeyringDamage(t *testing.T) {
	tests := []struct {
		name   string
		change func(rotating map[string][]byte)
		want   []Step
	}{
		{"the record is gone", func(d map[string][]byte) { delete(d, "rotation.json") }, []Step{StepNoted, StepNoted}},
		{"the record is broken", func(d map[string][]byte) { d["rotation.json"] = []byte("{") }, []Step{StepRecovered, StepNoted}},
		{"the next key is gone", func(d map[string][]byte) { delete(d, "next.key") }, []Step{StepNoted}},
		{"the next key is broken", func(d map[string][]byte) { d["next.key"] = nil }, []Step{StepRecovered, StepNoted, StepPublished}},
		{"the next key is that of the signing CA", func(d map[string][]byte) { d["next.key"] = d["ca.key"] }, []Step{StepRecovered, StepNoted}},
		{"the signing key is that of the next CA", func(d map[string][]byte) { d["ca.key"] = d["next.key"] }, []Step{StepNoted}},
		{"all certificates are gone", func(d map[string][]byte) { delete(d, "ca.crt") }, []Step{StepRecovered}},
		{"a CA of somebody else is there", func(d map[string][]byte) {
			other, _ := advanced(t, &Keyring{}, newClock().at, Conditions{})
			d["ca.crt"] = append(other.Bundle(), d["ca.crt"]...)
		}, []Step{StepNoted}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newClock()
			request := Conditions{Request: "again", Overlap: overlap}
			// One CA is retired, one signs, one is next.
			k, _ := advanced(t, &Keyring{}, c.at, Conditions{})
			retired, _ := leafOf(t, k, c.at, nil)
			c.advance(day)
			k, _ = advanced(t, k, c.at, Conditions{Request: "first", Injected: true})
			c.advance(day)
			k, _ = advanced(t, k, c.at, request)
			held, _ := leafOf(t, k, c.at, nil)
			if authorities(k.Bundle()) != 3 {
				t.Fatal("not three CAs")
			}
			data := k.Data()
			test.change(data)
			k = ParseKeyring(data)
			request.Served = held
			k, steps := advanced(t, k, c.at, request)
			if !slices.Equal(steps, test.want) {
				t.Errorf("steps %q, want %q", steps, test.want)
			}
			if _, why := leafOf(t, k, c.at, held); why != "" {
				t.Errorf("a new leaf because %s", why)
			}
			if !trusts(t, k.Bundle(), held, c.at) {
				t.Error("the signing CA is not trusted")
			}
			if !trusts(t, k.Bundle(), retired, c.at) {
				t.Error("the retired CA is not trusted")
			}
		})
	}
}

// TestClockSetBack: a wait must not last for as long as the clock was wrong.
func TestClockSetBack(t *testing.T) {
	c := newClock()
	k, _ := advanced(t, &Keyring{}, c.at.Add(-day), Conditions{})
	k, _ = advanced(t, k, c.at.Add(-day), Conditions{Request: "x", Injected: false, Overlap: overlap})
	k, _ = advanced(t, k, c.at.Add(1000*day), Conditions{Injected: true, Overlap: overlap})
	k, steps := advanced(t, k, c.at, Conditions{Injected: true, Overlap: overlap})
	if want := []Step{StepInjected}; !slices.Equal(steps, want) {
		t.Errorf("steps %q, want %q", steps, want)
	}
	if _, steps = advanced(t, k, c.at.Add(overlap), Conditions{Injected: true, Overlap: overlap}); !slices.Equal(steps, []Step{StepPromoted}) {
		t.Errorf("steps %q", steps)
	}
}

// TestStepsAreTold: each step has a sentence of its own for its Event.
func TestStepsAreTold(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range []Step{StepNone, StepCreated, StepPublished, StepInjected, StepWithheld, StepPromoted, StepLost, StepReplaced, StepRetired, StepRecovered, StepNoted} {
		if seen[s.String()] {
			t.Errorf("%q is told like another step: %s", string(s), s)
		}
		seen[s.String()] = true
	}
}
