package cost

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// linear and squared are how long an object of a size takes.
func linear(size int) time.Duration { return time.Duration(size) * time.Microsecond / 2 }

func squared(size int) time.Duration {
	return time.Duration(size) * time.Duration(size) * time.Microsecond / 400_000
}

func TestJudge(t *testing.T) {
	// These converters never look whether their caller has gone.
	deaf := OneText(Ordinary())
	generous := deaf
	generous.Times = 1e6
	onlyMemory := generous
	onlyMemory.Exponent = 9
	heeding := generous
	heeding.Deaf = Ordinary().Deaf
	for _, test := range []struct {
		name   string
		with   with
		size   int
		law    Law
		broken []string
	}{
		{"cheap", decode(2), 200_000, deaf, nil},
		{"linear", busy(linear), 100_000, generous, nil},
		{"squared", busy(squared), 200_000, generous, []string{"the time grows with the power of "}},
		{"slow", decode(100), 5_000, deaf, []string{"it takes "}},
		{"large", hold(15), 60_000, onlyMemory, []string{"it holds "}},
		{"deaf", busy(func(size int) time.Duration { return 6 * linear(size) }), 50_000, heeding, []string{"it works on for 1"}},
		{"heeding", busy(linear), 100_000, heeding, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := Judge(Family{Name: test.name, Converter: test.with, To: "v1", Object: listing, Size: test.size, Law: test.law})
			if err != nil || len(v.Costs) != 3 {
				t.Fatalf("%v, %v", v, err)
			}
			broken := v.Broken(test.law)
			if len(broken) != len(test.broken) {
				t.Fatalf("exponent %.2f of %v", v.Exponent, v)
			}
			for i, b := range broken {
				if !strings.HasPrefix(b, test.broken[i]) || !strings.Contains(v.String(), b) {
					t.Errorf("%v", v)
				}
			}
		})
	}
	failed := errors.New("failed")
	f := Family{Name: "x", Converter: with(func([]byte) error { return failed }), To: "v1", Object: listing, Size: 100, Law: Ordinary()}
	if _, err := Judge(f); !errors.Is(err, failed) || !strings.HasPrefix(err.Error(), "x of 25 bytes: ") {
		t.Error(err)
	}
}

// impatient has a conversion be endless sooner.
func impatient(t *testing.T) {
	was := endless
	endless = 200 * time.Millisecond
	t.Cleanup(func() { endless = was })
}

// tooLong works for longer than any object is worth.
var tooLong = busy(func(int) time.Duration { return endless + 50*time.Millisecond })

// Once an object takes far too long, the larger ones are not tried.
func TestJudgeEndless(t *testing.T) {
	impatient(t)
	law := OneText(Ordinary())
	v, err := Judge(Family{Name: "endless", Converter: tooLong, To: "v1", Object: listing, Size: 4_000, Law: law})
	if err != nil || len(v.Costs) != 1 {
		t.Fatalf("%v, %v", v, err)
	}
	if broken := v.Broken(law); len(broken) != 1 || !strings.HasPrefix(broken[0], "it takes ") {
		t.Errorf("%v", v)
	}
}

// What computes may take longer, what is tiny may be large in memory, and what is YAML is
// compared with YAML.
func TestLaws(t *testing.T) {
	if ordinary, computed := Ordinary(), Computed(); computed.Times <= ordinary.Times || computed.Trees != ordinary.Trees {
		t.Errorf("%v", computed)
	}
	if law := Tiny(Computed()); law.Times != Computed().Times || law.Trees != 0 || law.Room != 128<<20 {
		t.Errorf("%v", law)
	}
	text := strings.Repeat("- 0\n", 10_000)
	law := YAMLText(Ordinary(), func([]byte) []byte { return []byte(text) })
	cost, err := Measure(decode(1), listing(10), "v1", law)
	if ordinary, _ := Measure(decode(1), listing(10), "v1", Ordinary()); err != nil || cost.Decoding < 100*ordinary.Decoding {
		t.Errorf("%v, and without the text %v: %v", cost, ordinary, err)
	}
	if _, err := law.Decode([]byte("{")); err == nil {
		t.Error("what is no JSON was decoded")
	}
}
