package certs

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"
)

// What is served tells a keyring that lacks its CAs what to do.
func TestLost(t *testing.T) {
	c := newClock()
	first, _ := advanced(t, &Keyring{}, c.at, Conditions{})
	own, _ := leafOf(t, first, c.at, nil)
	// The same authority later, when another CA signs and the first is retired.
	later := c.at.Add(day)
	second, _ := advanced(t, first, later, Conditions{Request: "x", Injected: true})
	latest, _ := leafOf(t, second, later, own)
	other, _ := advanced(t, &Keyring{}, c.at, Conditions{})
	theirs, _ := leafOf(t, other, c.at, nil)
	foreign := issuedElsewhere(t, c.at)
	with := func(data map[string][]byte, change func(map[string][]byte)) map[string][]byte {
		changed := maps.Clone(data)
		change(changed)
		return changed
	}
	tests := []struct {
		name   string
		stored map[string][]byte
		served map[string][]byte
		now    time.Time
		want   []Step
		err    error
	}{
		{"nothing, and nothing is served", nil, nil, c.at, []Step{StepCreated}, nil},
		{"its own", first.Data(), own, c.at, nil, nil},
		{"nothing", nil, own, c.at, []Step{StepLost, StepNoted}, nil},
		{"nothing, and the leaf has expired", nil, own, c.at.Add(91 * day), []Step{StepCreated}, nil},
		{"nothing, and the leaf is not valid yet, because the clock is wrong", nil, own, c.at.Add(-day), []Step{StepLost, StepNoted}, nil},
		{"nothing, and the served key is missing", nil, with(own, func(d map[string][]byte) { delete(d, "tls.key") }), c.at, []Step{StepCreated}, nil},
		{"nothing, and no bundle is served", nil, with(own, func(d map[string][]byte) { delete(d, "ca.crt") }), c.at, []Step{StepCreated}, nil},
		{"nothing, and the bundle is not the leaf's", nil, with(own, func(d map[string][]byte) { d["ca.crt"] = theirs["ca.crt"] }), c.at, []Step{StepCreated}, nil},
		{"nothing, and another issuer serves", nil, foreign, c.at, nil, ErrForeign},
		{"another issuer serves", first.Data(), foreign, c.at, nil, ErrForeign},
		{"another issuer serves, and its leaf has expired", first.Data(), foreign, c.at.Add(91 * day), nil, nil},
		{"another issuer's CA is here, without its key", map[string][]byte{"ca.crt": foreign["ca.crt"]}, foreign, c.at, nil, ErrForeign},
		{"an old backup", first.Data(), latest, later, []Step{StepLost, StepNoted}, nil},
		{"a backup of another cluster", other.Data(), own, c.at, []Step{StepLost, StepNoted}, nil},
		{"the leaf of another cluster", first.Data(), theirs, c.at, []Step{StepLost, StepNoted}, nil},
		{"the key only", map[string][]byte{"ca.key": first.Data()["ca.key"]}, own, c.at, []Step{StepRecovered}, nil},
		{"the certificate only", map[string][]byte{"ca.crt": first.Data()["ca.crt"]}, own, c.at, []Step{StepLost, StepNoted}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			conditions := Conditions{Overlap: overlap, Served: test.served}
			k := ParseKeyring(test.stored)
			if test.err != nil {
				same, step, err := k.Advance(test.now, conditions)
				if same != k || step != StepNone || !errors.Is(err, test.err) {
					t.Errorf("got step %q, %v, want %v", string(step), err, test.err)
				}
				return
			}
			k, steps := advanced(t, k, test.now, conditions)
			if !slices.Equal(steps, test.want) {
				t.Fatalf("steps %q, want %q", steps, test.want)
			}
			if k.Lost() != slices.Contains(steps, StepLost) {
				t.Errorf("lost: %v", k.Lost())
			}
			if !k.Lost() {
				return
			}
			data, why := leafOf(t, k, test.now, test.served)
			if why != "" || !bytes.Equal(data["tls.crt"], test.served["tls.crt"]) {
				t.Errorf("a new leaf because %q", why)
			}
			if now := test.now.Add(day); !trusts(t, data["ca.crt"], data, now) || !trusts(t, data["ca.crt"], own, now) && test.name != "the leaf of another cluster" {
				t.Error("the bundle does not trust what was served")
			}
			conditions.Injected, conditions.Served = true, data
			k, _ = advanced(t, k, test.now.Add(day), conditions)
			if k, steps = advanced(t, k, test.now.Add(day+overlap), conditions); !slices.Equal(steps, []Step{StepPromoted}) || k.Lost() {
				t.Errorf("after the overlap: steps %q, lost: %v", steps, k.Lost())
			}
		})
	}
}

// A key without its certificates gets those back that are served, also those of other CAs.
func TestCertificatesAreTakenFromWhatIsServed(t *testing.T) {
	c := newClock()
	k, _ := advanced(t, &Keyring{}, c.at, Conditions{})
	k, _ = advanced(t, k, c.at, Conditions{Request: "x", Injected: true})
	k, _ = advanced(t, k, c.at.Add(time.Hour), Conditions{Request: "y"})
	served, _ := leafOf(t, k, c.at.Add(time.Hour), nil)
	data := k.Data()
	delete(data, "ca.crt")
	again, steps := advanced(t, ParseKeyring(data), c.at.Add(time.Hour), Conditions{Request: "y", Served: served})
	if want := []Step{StepRecovered}; !slices.Equal(steps, want) || !maps.EqualFunc(again.Data(), k.Data(), bytes.Equal) {
		t.Errorf("steps %q, want %q, and the same keyring: %q, want %q", steps, want, again.Data(), k.Data())
	}
}

// The CA that has signed what is served stays, however many came after it.
func TestLimit(t *testing.T) {
	c := newClock()
	k, _ := advanced(t, &Keyring{}, c.at, Conditions{})
	served, _ := leafOf(t, k, c.at, nil)
	for range 3 * maxRetired {
		c.advance(time.Minute)
		k, _ = advanced(t, &Keyring{}, c.at, Conditions{Served: served})
		served, _ = leafOf(t, k, c.at, served)
		if !trusts(t, served["ca.crt"], served, c.at) {
			t.Fatal("what is served is not trusted")
		}
	}
	if n := authorities(served["ca.crt"]); n != maxRetired+1 {
		t.Errorf("%d CAs in the bundle, want %d", n, maxRetired+1)
	}
}

func TestDamage(t *testing.T) {
	c := newClock()
	k, _ := advanced(t, &Keyring{}, c.at, Conditions{})
	k, _ = advanced(t, k, c.at, Conditions{Request: "x"})
	other, _ := advanced(t, &Keyring{}, c.at, Conditions{})
	for want, change := range map[string]func(map[string][]byte){
		"":                                           func(map[string][]byte) {},
		"ca.key: there is no PEM private key":        func(d map[string][]byte) { d["ca.key"] = nil },
		"ca.crt: there is no PEM certificate":        func(d map[string][]byte) { d["ca.crt"] = nil },
		"next.key: there is no PEM private key":      func(d map[string][]byte) { d["next.key"] = []byte("x") },
		"ca.crt: no certificate in it is for ca.key": func(d map[string][]byte) { d["ca.key"] = other.Data()["ca.key"] },
		"ca.crt: its key, ca.key, is missing": func(d map[string][]byte) {
			delete(d, "ca.key")
			delete(d, "next.key")
		},
		"rotation.json: unexpected end of JSON input": func(d map[string][]byte) { d["rotation.json"] = []byte("{") },
	} {
		data := k.Data()
		change(data)
		got := ""
		if err := ParseKeyring(data).Damage(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
