package inject

import (
	"bytes"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

func TestParseBundle(t *testing.T) {
	ca, next := newCA(t, "ca", 30), newCA(t, "next", 30)
	noCertificate := []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
	headers := bytes.Replace(ca, []byte("-----\n"), []byte("-----\nProc-Type: 4\n\n"), 1)
	for _, test := range []struct {
		name  string
		text  []byte
		fails string
	}{
		{"one", ca, ""},
		{"two", join(ca, next), ""},
		{"text around it", join([]byte("ca:\n"), ca, []byte("\nthe end")), ""},
		{"nothing", nil, "there is no PEM certificate"},
		{"text", []byte("ca"), "there is no PEM certificate"},
		{"no certificate", join(ca, noCertificate), "PEM block 2: x509: malformed certificate"},
		{"headers", headers, "PEM block 1 has headers, and clients would skip it; remove them"},
		{"half of one first", join(ca[:100], []byte("\n"), next), "1 of 2 PEM blocks are malformed"},
		{"half of one last", join(ca, next[:100]), "1 of 2 PEM blocks are malformed"},
	} {
		b, err := ParseBundle(test.text)
		if (err == nil) != (test.fails == "") || err != nil && err.Error() != test.fails {
			t.Errorf("%s: %v, want %q", test.name, err, test.fails)
		}
		if b.Empty() != (test.fails != "") {
			t.Errorf("%s: a bundle of %d certificates", test.name, len(b.certificates))
		}
	}
}

// PEM that is made to be slow (CVE-2024-12401), as large as a Secret may be: to read it takes
// about as long as other text of that size.
func TestParseBundleTakesLittleTime(t *testing.T) {
	for _, line := range []string{
		"-----BEGIN CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\n\n-----END PRIVATE KEY-----\n",
		"-----BEGIN CERTIFICATE-----\na:b\n", "-----BEGIN ", "-----BEGIN \n-----END \n", "-----END CERTIFICATE-----\n", ":\n",
	} {
		text := bytes.Repeat([]byte(line), 1<<20/len(line))
		took := cputime.Least(3, func() {
			if _, err := ParseBundle(text); err == nil {
				t.Errorf("%q is a bundle", line)
			}
		})
		if took > time.Second {
			t.Errorf("%q: %v", line, took)
		}
	}
}

func TestBundles(t *testing.T) {
	ca, next, old := newCA(t, "ca", 30), newCA(t, "next", 30), newCA(t, "old", 30)
	for _, test := range []struct {
		name            string
		a, b            []byte
		equal, contains bool
	}{
		{"same", ca, ca, true, true},
		{"order", join(ca, next), join(next, ca), true, true},
		{"repeated", join(ca, next), join(ca, ca, next), true, true},
		{"repeated, and one less", join(ca, next), join(ca, ca), false, true},
		{"more", join(ca, next, old), join(old, ca), false, true},
		{"less", join(ca), join(old, ca), false, false},
		{"same name, another key", ca, newCA(t, "ca", 30), false, false},
	} {
		a, b := parse(t, test.a), parse(t, test.b)
		if a.Equal(b) != test.equal || b.Equal(a) != test.equal || a.Contains(b) != test.contains {
			t.Errorf("%s: equal %t, contains %t", test.name, a.Equal(b), a.Contains(b))
		}
	}
	if got := parse(t, join([]byte("# a comment\n"), ca, next, ca)).PEM(); !bytes.Equal(got, join(ca, next)) {
		t.Errorf("PEM is\n%s", got)
	}
}

func TestCheckTime(t *testing.T) {
	early, late := newCA(t, "early", 10), newCA(t, "late", 20)
	for _, test := range []struct {
		day  int
		text []byte
		want string
	}{
		{5, early, ""},
		{15, join(early, late), ""}, // while a CA is replaced
		{15, early, "its last certificate expired on 2026-03-10T12:00:00Z"},
		{25, join(late, early), "its last certificate expired on 2026-03-20T12:00:00Z"},
		{0, early, "its certificates are not valid before 2026-03-01T12:00:00Z; is the clock right?"},
	} {
		err := parse(t, test.text).CheckTime(at(test.day))
		if (err == nil) != (test.want == "") || err != nil && err.Error() != test.want {
			t.Errorf("day %d: %v, want %q", test.day, err, test.want)
		}
	}
	if err := (Bundle{}).CheckTime(at(5)); err == nil {
		t.Error("the zero Bundle is fine")
	}
}

// What is taken is usable to the API server, and its PEM is the same bundle.
func FuzzParseBundle(f *testing.F) {
	ca, next := newCA(f, "ca", 30), newCA(f, "next", 30)
	f.Add(join(ca, next))
	f.Add(join(ca, []byte("#\n"), next[:50], ca))
	f.Add([]byte("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----"))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := ParseBundle(text)
		if b.Empty() != (err != nil) {
			t.Fatalf("%d certificates, and %v", len(b.certificates), err)
		}
		if err != nil {
			return
		}
		if !usable(text) {
			t.Error("the API server would refuse it")
		}
		if again := parse(t, b.PEM()); !again.Equal(b) {
			t.Error("its PEM is another bundle")
		}
	})
}
